import { type Ending, type Reply, type Scene, whenSaid } from '../script.ts'

// Replies of a chosen size, pace and ending, for benchmarks and for trying how a client bears what real servers do.

/** `bench <tokens> <tokens a second> [tag]`; a pace of 0 is as fast as they are read. */
const bench: Scene = {
  name: 'bench',
  invite: 'bench 2000 200 (a reply of 2,000 tokens at 200 a second)',
  play: whenSaid(/^bench (\d{1,7}) (\d{1,6})(?: (\w+))?$/, (_, [, tokens, pace, tag]) => ({
    text: prose(Number(tokens), tag),
    pace: Number(pace)
  }))
}

/** `lines <n> [tag]`: n numbered lines as fast as they are read. */
const lines: Scene = {
  name: 'lines',
  invite: 'lines 1000 (a reply of 1,000 lines at once)',
  play: whenSaid(/^lines (\d{1,6})(?: (\w+))?$/, (_, [, count, tag]) => ({
    text: numberedLines(Number(count), tag),
    pace: 0
  }))
}

const reasoning: Scene = {
  name: 'reasoning',
  invite: 'think 300 (reasoning before the answer)',
  play: whenSaid(/^think (\d{1,6})(?: (\d{1,6}))?$/, (_, [, tokens, pace]) => ({
    reasoning: prose(Number(tokens)),
    text: `I thought for ${tokens} tokens and found nothing that speaks against it.`,
    pace: pace === undefined ? 100 : Number(pace)
  }))
}

const slow: Scene = {
  name: 'slow',
  invite: 'slow 5 (the first token comes after 5 seconds)',
  play: whenSaid(/^slow (\d{1,3}(?:\.\d)?)$/, (_, [, seconds]) => ({
    firstTokenMs: Number(seconds) * 1000,
    text: `That took ${seconds} s to begin.`
  }))
}

/** `fail <how> [n]`: the endings a client must survive. */
const failing: Scene = {
  name: 'failing',
  invite: 'fail cut 20, fail silence 20, fail error 20, fail length, fail status 503',
  play: whenSaid(/^fail (cut|silence|error|length|status)(?: (\d{1,4}))?$/, (_, [, how, number]) => ({
    text: prose(200),
    pace: 200,
    ending: endingOf(how as string, Number(number ?? 0))
  }))
}

function endingOf(how: string, number: number): Ending {
  switch (how) {
    case 'cut':
      return { kind: 'cut', afterTokens: number }
    case 'silence':
      return { kind: 'silence', afterTokens: number }
    case 'error':
      return { kind: 'error-event', afterTokens: number, message: 'the scripted server failed as asked' }
    case 'length':
      return { kind: 'length' }
    default:
      return { kind: 'status', status: number >= 400 && number <= 599 ? number : 500, message: 'refused as asked' }
  }
}

/** `call <tool> <arguments>`: one call exactly as given, then its result in short. The arguments need not be JSON. */
const anyCall: Scene = {
  name: 'any-call',
  invite: 'call bash {"command":"git status"} (any tool, with any arguments)',
  play: whenSaid(/^call (\w+)(?: (.+))?$/s, ({ step, exchanges }, [, tool, args]): Reply => {
    if (step === 0) return { calls: [{ tool: tool as string, args: args ?? '{}' }], pace: 400 }
    const result = exchanges.at(-1)?.result ?? ''
    return { text: `\`${tool}\` answered:\n\n\`\`\`\n${head(result, 12)}\n\`\`\``, pace: 200 }
  })
}

/** `repeat <n> <shell command>`: n calls one after the other, for the ceiling of a chain and for tool depth. */
const repeated: Scene = {
  name: 'repeated',
  invite: 'repeat 3 git status (three calls in a row)',
  play: whenSaid(/^repeat (\d{1,3}) (.+)$/, ({ step }, [, times, command]): Reply => {
    if (step < Number(times)) return { calls: [{ tool: 'bash', args: { command: command as string } }], pace: 400 }
    return { text: `Ran \`${command}\` ${times} times.` }
  })
}

/** Scenes for trying what is long, slow or broken. */
export const loadScenes: readonly Scene[] = [bench, lines, reasoning, slow, failing, anyCall, repeated]

const sentence =
  'The reader keeps up as long as every frame costs no more than what it shows , whatever lies behind it .'.split(' ')

/** The last line of a load reply, so that whoever looks at a screen knows that all of it is there; a tag tells it from others. */
export const endMark = (tag = ''): string => `■ ${tag}`.trimEnd()

/** Markdown of exactly `tokens` tokens: paragraphs of about sixty words, with a short list and a block of code now and then. */
export function* prose(tokens: number, tag?: string): Generator<string> {
  let inCode = false
  for (let index = 0; index < tokens - 1; index += 1) {
    const place = index % 400
    if (place === 370) {
      inCode = true
      yield '\n\n```js\nconst'
    } else if (index > 0 && place === 0) {
      inCode = false
      yield '\n```\n\nAfter'
    } else if (inCode) yield place % 6 === 5 ? '\nconst' : ` value${place}`
    else if (place >= 200 && place < 230) yield place % 10 === 0 ? `\n${place === 200 ? '\n' : ''}- point` : ` ${place}`
    else if (place % 60 === 50) yield '\n\nThen'
    else yield `${index === 0 ? '' : ' '}${sentence[index % sentence.length]}`
  }
  yield `${inCode ? '\n```' : ''}${tokens > 1 ? '\n\n' : ''}${endMark(tag)}`
}

/** A list, since every item of one has a row of its own. */
function* numberedLines(count: number, tag?: string): Generator<string> {
  for (let line = 1; line <= count; line += 1) {
    yield `- line ${line} of ${count}: the quick brown fox jumps over the lazy dog\n`
  }
  yield `\n${endMark(tag)}`
}

function head(text: string, lines: number): string {
  const all = text.trimEnd().split('\n')
  return all.length <= lines ? all.join('\n') : [...all.slice(0, lines), `… ${all.length - lines} more`].join('\n')
}
