import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { cycleSteps } from './cycle-steps.ts'
import { gateSteps } from './gate-steps.ts'
import { remembers, staysBehind } from './memory-steps.ts'
import { fileText, groupGone, numberFrom, prove, run, storeRows } from './proof.ts'
import { cartWithTax, taxedTest } from './sample-files.ts'
import { submit, type TourContext, type TourStep } from './step.ts'

// The stations of the tour. Each does what a visitor would do and then looks for the effect where it must be: on disk, in the
// process table, in the store, or in what the endpoint was sent. A later part of the product adds its station to the list.

const limitMs = 20_000

const readsFirst: TourStep = {
  title: 'asked about the project, it reads before it answers',
  async play(context) {
    await say(context, 'what is this project?')
    const calls = storeRows(context.place, 'SELECT name, status FROM tool_call ORDER BY rowid')
    const done = calls.filter((call) => call.status === 'done').map((call) => call.name)
    prove(done.join() === 'glob,read_file', `finished calls in the store: ${done.join() || 'none'}`)
    const sent = context.requests
      .at(-1)
      ?.body.messages.some((each) => each.role === 'tool' && /# Corner shop/.test(each.content))
    prove(sent === true, 'the readme was not in the last request')
    return 'the store holds the calls of glob and read_file, and the readme went to the model'
  }
}

const editsAndTests: TourStep = {
  title: 'it edits a file, runs the test, sees it fail and mends it',
  async play(context) {
    const { place, watch } = context
    const mark = watch.mark()
    await say(context, 'make the cart total include tax')
    prove((await fileText(place, 'src/cart.js')) === cartWithTax, 'src/cart.js is not what was to be written')
    prove((await fileText(place, 'test/cart.test.js')).includes(taxedTest.after), 'the test was not brought up to date')
    const runs = watch.since(mark, 'tool-ended').filter((each) => each.entry.call.name === 'bash')
    const codes = runs.map((each) => each.entry.meta.exitCode)
    prove(codes.length === 2 && codes[0] !== 0 && codes[1] === 0, `exit codes of the test runs: ${codes.join()}`)
    const own = await run(place, 'node', ['--test'])
    prove(own.exitCode === 0, `node --test exits with ${own.exitCode}`)
    return 'src/cart.js changed on disk; the test failed once, then passed, and passes again when the tour runs it'
  }
}

const runsPrograms: TourStep = {
  title: 'it runs a program',
  async play(context) {
    await say(context, 'print a receipt')
    const receipt = await fileText(context.place, 'receipt.txt')
    prove(/^total\s+7\.32$/m.test(receipt), `receipt.txt holds: ${receipt || 'nothing'}`)
    return 'receipt.txt was written by the process and says 7.32, tax included'
  }
}

const steers: TourStep = {
  title: 'a message sent while it works reaches the same turn',
  async play(context) {
    const { session, watch, place } = context
    const mark = watch.mark()
    submit({ session }, 'tell me a long story')
    await watch.next(mark, 'reply-delta')
    submit({ session }, 'make it short')
    await watch.next(mark, 'turn-ended')
    const turns = storeRows(place, "SELECT turn FROM history WHERE kind = 'user' ORDER BY seq DESC LIMIT 2").map(
      (row) => row.turn
    )
    prove(turns.length === 2 && turns[0] === turns[1], `the two messages are in turns ${turns.join(' and ')}`)
    const roles = context.requests
      .at(-1)
      ?.body.messages.slice(-4)
      .map((each) => each.role)
    prove(roles?.join() === 'user,assistant,tool,user', `the last request ended with ${roles?.join()}`)
    return 'both messages are in one turn of the store, the second behind the tool result'
  }
}

const interrupts: TourStep = {
  title: 'Esc stops a running command and all it started',
  async play({ session, watch, place }) {
    const mark = watch.mark()
    submit({ session }, 'wait for me')
    const leader = await numberFrom(place, '.git/waiting.pid', limitMs)
    session.dispatch({ kind: 'interrupt' })
    const took = await groupGone(leader, 1000)
    const { outcome } = await watch.next(mark, 'turn-ended')
    prove(outcome === 'interrupted', `the turn ended as ${outcome}`)
    const [call] = storeRows(place, 'SELECT status FROM tool_call ORDER BY rowid DESC LIMIT 1')
    prove(call?.status === 'interrupted', `the call is ${call?.status} in the store`)
    return `process group ${leader} was gone after ${took} ms; the store says interrupted`
  }
}

const plans: TourStep = {
  title: '/plan changes what the model is told, /fast takes it back',
  async play(context) {
    const before = systemPrompt(context)
    await command(context, '/plan', 'plan-mode-changed')
    await say(context, 'good morning')
    const planning = systemPrompt(context)
    prove(planning.length > before.length, 'the system prompt did not grow in plan mode')
    await command(context, '/fast', 'plan-mode-changed')
    await say(context, 'good evening')
    prove(systemPrompt(context).length < planning.length, 'the system prompt did not shrink after /fast')
    return `the system prompt grew by ${planning.length - before.length} characters and shrank again`
  }
}

const switchesTiers: TourStep = {
  title: '/deep hands over to the deep model',
  async play(context) {
    await command(context, '/deep', 'model-switched')
    await say(context, 'are you there?')
    const model = context.requests.at(-1)?.body.model
    prove(model === 'scripted-deep', `the request went to ${model}`)
    const anchors = storeRows(context.place, "SELECT id FROM history WHERE kind = 'handoff'")
    prove(anchors.length > 0, 'there is no handoff in the store')
    await command(context, '/fast', 'model-switched')
    return 'the next request named scripted-deep, and the store holds the handoff'
  }
}

const delegates: TourStep = {
  title: 'a sub-agent works with a context of its own',
  async play(context) {
    const first = context.requests.length
    await say(context, 'delegate the counting')
    const own = context.requests.slice(first).filter((each) => each.scene === 'counting')
    prove(own.length === 2, `the sub-agent made ${own.length} requests`)
    const offered = own[0]?.body.tools?.length
    prove(offered === 9, `the sub-agent was offered ${offered} tools`)
    const [row] = storeRows(context.place, "SELECT body FROM history WHERE kind = 'tool' ORDER BY seq DESC LIMIT 1")
    prove(String(row?.body).includes('3 source files'), `its result in the store: ${row?.body}`)
    return 'two requests with nine tools and nothing of the conversation; its answer is in the store'
  }
}

const compacts: TourStep = {
  title: '/compact replaces old turns by a summary',
  async play(context) {
    const before = context.requests.at(-1)?.raw.length ?? 0
    await command(context, '/compact', 'anchored')
    const anchors = storeRows(context.place, "SELECT id FROM history WHERE kind = 'compaction'")
    prove(anchors.length === 1, `${anchors.length} compactions in the store`)
    await say(context, 'still with me?')
    const after = context.requests.at(-1)?.raw.length ?? 0
    prove(after < before, `the request has ${after} bytes, before ${before}`)
    return `the next request shrank from ${before} to ${after} bytes`
  }
}

const commits: TourStep = {
  title: 'it commits, and the commit says who wrote it',
  async play(context) {
    await say(context, 'commit this')
    const { stdout } = await run(context.place, 'git', ['log', '-1', '--format=%s%n%(trailers:only)'])
    prove(stdout.startsWith('Include tax in the cart total'), `the last commit is: ${stdout}`)
    prove(/^Ghyll-Model: scripted-fast$/m.test(stdout), `its trailers are: ${stdout}`)
    const { stdout: left } = await run(context.place, 'git', ['status', '--porcelain'])
    prove(left === '', `not committed: ${left}`)
    return 'git log shows the commit with the trailer Ghyll-Model: scripted-fast; the tree is clean'
  }
}

const leaves: TourStep = {
  title: '/exit closes everything in order',
  async play({ session, place }) {
    prove(existsSync(join(place.project, '.ghyll.lock')), 'there was no lock while the session ran')
    submit({ session }, '/exit')
    const code = await session.ended
    prove(code === 0, `exit code ${code}`)
    prove(!existsSync(join(place.project, '.ghyll.lock')), 'the lock is still there')
    const states = storeRows(place, 'SELECT DISTINCT state FROM session').map((row) => row.state)
    prove(states.join() === 'closed', `sessions in the store are ${states.join()}`)
    const [whole] = storeRows(place, 'PRAGMA integrity_check')
    prove(whole?.integrity_check === 'ok', `integrity_check says ${whole?.integrity_check}`)
    return 'exit code 0, the lock is released, the session is closed in the store and the store is whole'
  }
}

/** All stations of the tour, in the order in which they are played (CLI-035). */
export const tourSteps: readonly TourStep[] = [
  readsFirst,
  editsAndTests,
  runsPrograms,
  steers,
  interrupts,
  plans,
  switchesTiers,
  delegates,
  compacts,
  commits,
  ...gateSteps,
  ...cycleSteps,
  remembers,
  leaves,
  staysBehind
]

/** Says something and waits for the turn to end in order. */
async function say({ session, watch }: TourContext, text: string): Promise<void> {
  const mark = watch.mark()
  submit({ session }, text)
  const { outcome, code } = await watch.next(mark, 'turn-ended')
  prove(outcome === 'completed', `the turn ended as ${outcome}${code === null ? '' : ` (${code})`}`)
}

/** Types a slash command and waits for the event that shows its effect. */
async function command(
  { session, watch }: TourContext,
  line: string,
  effect: 'plan-mode-changed' | 'model-switched' | 'anchored'
): Promise<void> {
  const mark = watch.mark()
  submit({ session }, line)
  await watch.next(mark, effect)
}

function systemPrompt({ requests }: TourContext): string {
  const first = requests.at(-1)?.body.messages[0]
  return first?.role === 'system' ? first.content : ''
}
