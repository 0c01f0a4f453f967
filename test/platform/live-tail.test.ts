import { describe, expect, test } from 'vitest'
import { createLiveTail } from '../../src/platform/live-tail.ts'
import { runProcess } from '../../src/platform/process.ts'
import { program } from '../support/processes.ts'

describe('live tail (TOOL-125)', () => {
  test('the first output is told at once', () => {
    const told: string[] = []
    const tail = createLiveTail((text) => told.push(text))
    tail.add('stdout', Buffer.from('a\n'))
    expect(told).toEqual(['a\n'])
    tail.stop()
  })

  test('only the last 200 lines are held', () => {
    const told: string[] = []
    const tail = createLiveTail((text) => told.push(text))
    tail.add('stdout', Buffer.from(Array.from({ length: 1000 }, (_, i) => `line ${i}\n`).join('')))
    tail.stop()
    const lines = told[0]!.trimEnd().split('\n')
    expect(lines).toHaveLength(200)
    expect(lines[0]).toBe('line 800')
    expect(lines[199]).toBe('line 999')
  })

  test('a line without end is bounded', () => {
    const told: string[] = []
    const tail = createLiveTail((text) => told.push(text))
    tail.add('stdout', Buffer.alloc(1_000_000, 'x'))
    tail.stop()
    expect(told[0]!.length).toBeLessThanOrEqual(64 * 1024)
  })

  test('a letter split across two chunks stays whole although the other stream speaks in between', async () => {
    const bytes = Buffer.from('é')
    const last = await new Promise<string>((resolve) => {
      const tail = createLiveTail((text) => {
        if (!text.includes('é')) return
        tail.stop()
        resolve(text)
      })
      tail.add('stdout', bytes.subarray(0, 1))
      tail.add('stderr', Buffer.from('|'))
      tail.add('stdout', bytes.subarray(1))
    })
    expect(last).toBe('|é')
  })

  test('a flood is told at most 20 times a second', async () => {
    let told = 0
    const outcome = await runProcess({
      file: 'sh',
      args: [program('flood.sh')],
      cwd: process.cwd(),
      timeoutMs: 600,
      captureBytes: 0,
      onTail() {
        told += 1
      }
    })
    expect(told).toBeGreaterThan(1)
    expect(told).toBeLessThanOrEqual(Math.ceil(outcome.durationMs / 50) + 1)
  })
})
