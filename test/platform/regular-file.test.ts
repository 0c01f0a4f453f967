import { execFileSync } from 'node:child_process'
import { closeSync, constants, mkdirSync, readFileSync, symlinkSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { FileTooLong, NoRegularFile, openRegular, readRegular } from '../../src/platform/regular-file.ts'
import { temporaryFolder } from '../support/temporary.ts'

let folder: string
beforeEach(() => {
  folder = temporaryFolder()
})
const at = (name: string) => join(folder, name)

describe('files of a folder that others write to (RUN-214, ATT-440)', () => {
  it('are read whole up to a limit', () => {
    writeFileSync(at('file'), 'twelve bytes')
    expect(readRegular(at('file'), 12).toString()).toBe('twelve bytes')
    expect(() => readRegular(at('file'), 11)).toThrow(FileTooLong)
  })

  it('are made and appended to', () => {
    const descriptor = openRegular(at('new'), constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT, 0o600)
    writeSync(descriptor, 'line\n')
    closeSync(descriptor)
    expect(readFileSync(at('new'), 'utf8')).toBe('line\n')
  })

  it('are neither links nor folders nor devices nor pipes, and nothing of the kind holds anybody up', () => {
    writeFileSync(at('file'), 'text')
    symlinkSync(at('file'), at('link'))
    symlinkSync('/dev/zero', at('endless'))
    mkdirSync(at('folder'))
    execFileSync('mkfifo', [at('pipe')])
    for (const path of [at('link'), at('endless'), at('folder'), at('pipe'), '/dev/null']) {
      expect(() => readRegular(path), path).toThrow(NoRegularFile)
    }
    for (const path of [at('link'), at('folder'), at('pipe')]) {
      expect(() => openRegular(path, constants.O_WRONLY), path).toThrow(NoRegularFile)
    }
  })

  it("that are missing are the system's error", () => {
    expect(() => readRegular(at('none'))).toThrow(expect.objectContaining({ code: 'ENOENT' }))
  })
})
