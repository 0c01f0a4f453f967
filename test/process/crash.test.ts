import { existsSync } from 'node:fs'
import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { openGhyll, runGhyll } from '../support/ghyll.ts'
import { keys } from '../support/keys.ts'
import { startModelServer } from '../support/model-server.ts'
import { fileWith, makePlace, type Place, twoModels } from '../support/place.ts'
import { promptShown, send } from '../support/prompt.ts'
import type { TerminalDriver } from '../support/terminal.ts'

/** Rows of the session store; none while it is not there, since it is opened behind the first frame. */
function rows(place: Place, sql: string): Record<string, unknown>[] {
  if (!existsSync(place.at('.ghyll/session.db'))) return []
  const database = new Database(place.at('.ghyll/session.db'), { readonly: true })
  try {
    return database.prepare<[], Record<string, unknown>>(sql).all()
  } finally {
    database.close()
  }
}

function open(place: Place): TerminalDriver {
  const terminal = openGhyll(place)
  onTestFinished(() => terminal.close())
  return terminal
}

test('killed during a tool call: the next start settles the call, offers the unsent input and sends a well-formed request (SESS-100…103)', async () => {
  const server = await startModelServer()
  onTestFinished(() => server.close())
  const place = await makePlace({ config: twoModels(server.url) })
  onTestFinished(place.remove)

  const first = open(place)
  await promptShown(first)
  server.reply({ calls: [{ tool: 'bash', args: { command: 'echo $$ > leader.pid; sleep 600' } }], pace: 0 })
  await send(first, 'wait for it')
  const leader = Number(await fileWith(place, 'leader.pid', /^\d+\n$/))
  onTestFinished(() => void process.kill(-leader, 'SIGKILL')) // It survives, as nobody was left to end it.
  await first.until(
    () => rows(place, "SELECT 1 FROM tool_call WHERE status = 'running'").length === 1,
    'the running call'
  )
  await send(first, 'and afterwards this', keys.tab)
  await first.until(() => rows(place, 'SELECT 1 FROM inbox WHERE promoted_at IS NULL').length === 1, 'the queued row')
  first.kill('SIGKILL')
  await first.exited()

  const second = open(place)
  await second.untilText('1 unsent input')
  expect(rows(place, 'SELECT status FROM tool_call')).toEqual([{ status: 'interrupted' }])
  expect(rows(place, "SELECT 1 FROM history WHERE status = 'open'")).toEqual([])
  expect(rows(place, "SELECT 1 FROM session WHERE state = 'active'")).toHaveLength(1)
  await send(second, '/restore')
  await send(second, 'bench 5 0 alive')
  await second.untilText('■ alive')
  const later = server.requests.slice(1)
  expect(later.every((request) => request.scene !== null)).toBe(true)
  expect(rows(place, 'PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }])
})

test('killed between two turns: --resume goes on from where it was killed (SESS-020, SESS-102, SESS-120)', async () => {
  const server = await startModelServer()
  onTestFinished(() => server.close())
  const place = await makePlace({ config: twoModels(server.url) })
  onTestFinished(place.remove)

  const first = open(place)
  await promptShown(first)
  server.reply({ text: 'It is about apples.', pace: 0 })
  await send(first, 'what is it about')
  await first.untilText('about apples')
  await first.until(
    () => rows(place, "SELECT 1 FROM journal WHERE kind = 'turn-ended'").length === 1,
    'the end of the turn'
  )
  first.kill('SIGKILL')
  await first.exited()

  server.reply({ text: 'Apples it was.', pace: 0 })
  const next = await runGhyll(place, ['exec', '--resume', 'go on'])
  expect(next).toMatchObject({ code: 0, stdout: 'Apples it was.\n' })
  expect(next.stderr).toContain('ℹ resumed from previous session (turn 1)')
  expect(server.requests.at(-1)?.body.messages[0]?.content).toContain('It is about apples.')
})
