import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { WorkflowPort } from '../../../src/agent/session/ports.ts'
import { openWorkflow } from '../../../src/agent/workflow/index.ts'

describe('where instructions come from', () => {
  it('reads the global and the project level and says so (CTX-100, CTX-104)', async () => {
    const { open } = project({ 'home/instructions.md': 'mine', 'repo/.ghyll/instructions.md': 'ours' })
    const workflow = await open()
    expect(workflow.instructions()).toEqual({ global: 'mine', project: 'ours' })
    expect(workflow.notices()).toEqual([{ level: 'info', text: 'workflow loaded from .ghyll/' }])
  })

  it('says nothing when there is nothing', async () => {
    const { open } = project({})
    const workflow = await open()
    expect(workflow.instructions()).toEqual({ global: '', project: '' })
    expect([workflow.notices(), workflow.commands()]).toEqual([[], []])
  })

  it.each([
    ['instructions.md before CLAUDE.md', { 'instructions.md': 'a', 'CLAUDE.md': 'b' }, 'a'],
    ['CLAUDE.md alone', { 'CLAUDE.md': 'b' }, 'b'],
    ['CLAUDE.md beside an empty instructions.md', { 'instructions.md': ' \n', 'CLAUDE.md': 'b' }, 'b']
  ])('takes from a fallback folder %s (CTX-101)', async (_, files, text) => {
    // A grid and logs in `.ghyll/` do not suppress the fallback.
    const inRepo = Object.fromEntries(Object.entries(files).map(([name, content]) => [`repo/.claude/${name}`, content]))
    const { open } = project({ 'repo/.ghyll/ghyll.log': 'x', ...inRepo })
    const workflow = await open()
    expect(workflow.instructions().project).toBe(text)
    expect(workflow.notices()[0]?.text).toBe('workflow loaded from .claude/')
  })

  it('takes no fallback when `.ghyll/` has instructions or commands (CTX-101)', async () => {
    const { open } = project({ 'repo/.ghyll/commands/go.md': 'go', 'repo/.claude/CLAUDE.md': 'other' })
    const workflow = await open()
    expect(workflow.instructions().project).toBe('')
    expect(workflow.commands().map(({ name }) => name)).toEqual(['go'])
  })

  it('does not claim to have loaded what was refused or is empty (CTX-103, CTX-104)', async () => {
    const { open } = project({
      'repo/.ghyll/instructions.md': '\xff'.repeat(200_000),
      'repo/.ghyll/commands/.keep': ''
    })
    const workflow = await open()
    expect(workflow.notices()).toEqual([
      { level: 'warning', text: '.ghyll/instructions.md not read: larger than 256 KiB' }
    ])
  })

  it('tries the fallback folders in order', async () => {
    const { open } = project({ 'repo/.b/CLAUDE.md': 'b', 'repo/.c/CLAUDE.md': 'c' })
    const workflow = await open({ fallbackFolders: ['.a', '.b', '.c'] })
    expect(workflow.instructions().project).toBe('b')
  })

  it('has no project level in the home directory (CTX-100)', async () => {
    const { root, open } = project({ 'repo/.ghyll/instructions.md': 'mine', 'repo/.claude/CLAUDE.md': 'other' })
    const workflow = await open({ globalFolder: join(root, 'repo/.ghyll') })
    expect(workflow.instructions()).toEqual({ global: 'mine', project: '' })
    expect(workflow.notices()).toEqual([])
  })

  it('never reads a roles folder (CTX-102)', async () => {
    const { open } = project({ 'repo/.ghyll/roles/analyst.md': 'be someone else' })
    const workflow = await open()
    expect([workflow.instructions().project, workflow.commands(), workflow.notices()]).toEqual(['', [], []])
  })
})

describe('reading safely (CTX-103)', () => {
  it('removes the byte-order mark and carriage returns and trims', async () => {
    const { open } = project({ 'repo/.ghyll/instructions.md': '\ufeff\r\n one\r\ntwo \r\n' })
    expect((await open()).instructions().project).toBe('one\ntwo')
  })

  it.each([
    ['text that is not UTF-8', (path: string) => writeFileSync(path, Buffer.from([0x61, 0xff, 0xfe])), 'not UTF-8'],
    ['more than 256 KiB', (path: string) => writeFileSync(path, 'x'.repeat(256 * 1024 + 1)), 'larger than 256 KiB'],
    ['a symbolic link', (path: string) => symlinkSync('/etc/hostname', path), 'a symbolic link'],
    ['a folder', (path: string) => mkdirSync(path), 'not a plain file'],
    ['a named pipe', (path: string) => execFileSync('mkfifo', [path]), 'not a plain file']
  ])('refuses %s with a warning and takes no other file instead', async (_, make, reason) => {
    const { root, open } = project({ 'repo/.claude/CLAUDE.md': 'other', 'repo/.ghyll/x': '' })
    make(join(root, 'repo/.ghyll/instructions.md'))
    const workflow = await open()
    expect(workflow.instructions().project).toBe('')
    expect(workflow.notices()).toContainEqual({
      level: 'warning',
      text: `.ghyll/instructions.md not read: ${reason}`
    })
  })

  it('reads a file of exactly 256 KiB', async () => {
    const { open } = project({ 'repo/.ghyll/instructions.md': 'x'.repeat(256 * 1024) })
    expect((await open()).instructions().project).toHaveLength(256 * 1024)
  })

  it('follows no link to a folder outside', async () => {
    const { root, open } = project({ 'outside/commands/go.md': 'go', 'repo/.ghyll/instructions.md': 'ours' })
    symlinkSync(join(root, 'outside/commands'), join(root, 'repo/.ghyll/commands'))
    const workflow = await open()
    expect(workflow.commands()).toEqual([])
    expect(workflow.notices().at(-1)?.text).toBe('.ghyll/commands not read: a symbolic link')
  })

  it('reads again on reload', async () => {
    const { root, open } = project({ 'repo/.ghyll/instructions.md': 'old' })
    const workflow = await open()
    const port: WorkflowPort = workflow
    writeFileSync(join(root, 'repo/.ghyll/instructions.md'), 'new')
    expect(workflow.instructions().project).toBe('old')
    await port.reload()
    expect(port.notices().map(({ text }) => text)).toEqual(['workflow loaded from .ghyll/'])
    expect(workflow.instructions().project).toBe('new')
  })
})

describe('commands from files', () => {
  it('lists them by name with their first line; a project file hides a global one (CTX-120, CTX-121, CTX-127)', async () => {
    const { open } = project({
      'home/commands/Ship.md': 'Ship it globally',
      'home/commands/zap.md': 'Zap\nmore',
      'repo/.claude/commands/ship.md': 'Ship this project'
    })
    const workflow = await open()
    expect(workflow.commands()).toEqual([
      { name: 'ship', description: 'Ship this project', source: 'project', from: '.claude/commands' },
      { name: 'zap', description: 'Zap', source: 'global', from: '~/.ghyll/commands' }
    ])
    expect(workflow.expand('SHIP', '')).toBe('Ship this project')
    expect(workflow.notices().at(-1)?.text).toBe('command /ship from ~/.ghyll/commands is shadowed by .claude/commands')
  })

  it('logs file names that make no command (CTX-120)', async () => {
    const { open, lines } = project({
      'repo/.ghyll/commands/-x.md': 'a',
      'repo/.ghyll/commands/two words.md': 'a',
      [`repo/.ghyll/commands/${'n'.repeat(65)}.md`]: 'a',
      [`repo/.ghyll/commands/${'n'.repeat(64)}.md`]: 'a',
      'repo/.ghyll/commands/notes.txt': 'a',
      'repo/.ghyll/commands/empty.md': ' '
    })
    const workflow = await open()
    expect(workflow.commands().map(({ name }) => name)).toEqual(['n'.repeat(64)])
    expect(lines).toHaveLength(3)
    expect(lines.join('\n')).toContain('.ghyll/commands/two words.md')
  })

  it.each([
    ['Fix it.', '', 'Fix it.'],
    ['Fix it.', ' issue 7 ', 'Fix it.\n\nArguments: issue 7'],
    ['Fix $ARGUMENTS now, $ARGUMENTS!', '7', 'Fix 7 now, 7!'],
    ['Fix $ARGUMENTS.', '', 'Fix .'],
    ['Fix $ARGUMENTS.', "$& $1 $'", "Fix $& $1 $'."]
  ])('fills %j with %j (CTX-124)', async (text, args, expected) => {
    const { open } = project({ 'repo/.ghyll/commands/fix.md': text })
    expect((await open()).expand('fix', args)).toBe(expected)
  })

  it('knows no other names (CTX-125)', async () => {
    const { open } = project({ 'repo/.ghyll/commands/fix.md': 'x' })
    expect((await open()).expand('constructor', '')).toBeNull()
  })
})

/** A home and a repository with these files below one temporary root. */
function project(files: Record<string, string>) {
  const root = mkdtempSync(join(tmpdir(), 'ghyll-workflow-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  mkdirSync(join(root, 'repo'))
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), content)
  }
  const lines: string[] = []
  const open = (over: { globalFolder?: string; fallbackFolders?: string[] } = {}) =>
    openWorkflow({
      globalFolder: join(root, 'home'),
      repository: join(root, 'repo'),
      fallbackFolders: ['.claude'],
      budgetTokens: 2000,
      log: (line) => lines.push(line),
      ...over
    })
  return { root, open, lines }
}
