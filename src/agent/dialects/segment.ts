import type { SegmentEvent, Segmenter } from './types.ts'

// Segmenters find a family's own grammar in the content channel, where an inference server leaves it that runs without its parser
// flags (MODEL-070). A sentinel may arrive in any number of pieces, so the end of the text is held back while it could still
// become one (MODEL-071). Text is looked at once: long sections cost linear time, however small their pieces.

/** For families whose servers need no help: everything is text. */
export function passthrough(): Segmenter {
  return {
    feed: (text) => (text === '' ? [] : [{ kind: 'text', text }]),
    flush: () => []
  }
}

const thinkOpen = '<think>'
const thinkClose = '</think>'
const eitherThink = sentinelSet(thinkOpen, thinkClose)
const beginsThink = sentinelSet(thinkOpen)
const endsThink = sentinelSet(thinkClose)

/**
 * glm: `<think>` … `</think>` is reasoning. Some templates open the section in the prompt, so a `</think>` that comes first turns
 * everything before it into reasoning, also what was shown already (MODEL-072). A later stray one is text like any other.
 */
export function thinkSegmenter(): Segmenter {
  let place: 'start' | 'thinking' | 'text' = 'start'
  let shown = 0
  const sentinels = () => {
    if (place === 'start') return eitherThink
    return place === 'thinking' ? endsThink : beginsThink
  }
  const say = (text: string): SegmentEvent[] => {
    if (text === '') return []
    if (place === 'start') shown += text.length
    return [{ kind: place === 'thinking' ? 'reasoning' : 'text', text }]
  }
  const scanner = newScanner(sentinels, say, (sentinel, before) => {
    if (place !== 'start' || sentinel === thinkOpen) {
      const said = say(before)
      place = sentinel === thinkOpen ? 'thinking' : 'text'
      return said
    }
    const moved: SegmentEvent[] = shown > 0 ? [{ kind: 'reclassify', count: shown }] : []
    place = 'text'
    return before === '' ? moved : [...moved, { kind: 'reasoning', text: before }]
  })
  return { feed: scanner.feed, flush: () => say(scanner.rest()) }
}

const sectionBegin = '<|tool_calls_section_begin|>'
const sectionEnd = '<|tool_calls_section_end|>'
const callBegin = '<|tool_call_begin|>'
const argumentBegin = '<|tool_call_argument_begin|>'
const callEnd = '<|tool_call_end|>'
const beginsSection = sentinelSet(sectionBegin)
const withinSection = sentinelSet(callBegin, sectionEnd)
const withinCall = sentinelSet(callEnd, sectionEnd)

/** kimi, kimi-code: a section of calls, each an id and a JSON text between sentinels. */
export function toolSectionSegmenter(): Segmenter {
  let place: 'text' | 'section' | 'call' = 'text'
  let body: string[] = []
  let finished = 0
  const sentinels = () => {
    if (place === 'text') return beginsSection
    return place === 'section' ? withinSection : withinCall
  }
  const say = (text: string): SegmentEvent[] => {
    // Between calls there is nothing to say; a call is told as a whole.
    if (place === 'call') body.push(text)
    return place === 'text' && text !== '' ? [{ kind: 'text', text }] : []
  }
  const dropped = (): SegmentEvent[] => [{ kind: 'refused', reason: 'the response ended inside a tool call' }]
  const scanner = newScanner(sentinels, say, (sentinel, before) => {
    const events = say(before)
    switch (sentinel) {
      case sectionBegin:
        place = 'section'
        finished = 0
        return events
      case callBegin:
        place = 'call'
        body = []
        return events
      case callEnd: {
        place = 'section'
        finished += 1
        return [callEvent(body.join(''))]
      }
      default: {
        const isHalf = place === 'call'
        place = 'text'
        return isHalf ? dropped() : events
      }
    }
  })
  return {
    feed: scanner.feed,
    flush() {
      const events = say(scanner.rest())
      return place === 'call' || (place === 'section' && finished === 0) ? dropped() : events
    }
  }
}

function callEvent(body: string): SegmentEvent {
  const at = body.indexOf(argumentBegin)
  if (at === -1) return { kind: 'refused', reason: 'a tool call without arguments marker' }
  const id = body.slice(0, at).trim()
  return { kind: 'call', call: { id, name: calledName(id), arguments: body.slice(at + argumentBegin.length).trim() } }
}

/** What stands between `functions.` and `:`; without one of them, up to the end that is there. */
function calledName(id: string): string {
  return id.replace(/^functions\./, '').replace(/:.*$/s, '')
}

/**
 * Runs text through `onSentinel` and `onText`. `sentinels` is asked again after each one found, for what counts depends on the
 * place. `rest` yields what is still held back.
 */
function newScanner(
  sentinels: () => SentinelSet,
  onText: (text: string) => readonly SegmentEvent[],
  onSentinel: (sentinel: string, before: string) => readonly SegmentEvent[]
) {
  let held = ''
  return {
    feed(chunk: string): readonly SegmentEvent[] {
      const events: SegmentEvent[] = []
      let text = held + chunk
      for (let found = firstOf(text, sentinels()); found !== null; found = firstOf(text, sentinels())) {
        events.push(...onSentinel(found.sentinel, text.slice(0, found.at)))
        text = text.slice(found.at + found.sentinel.length)
      }
      const keep = heldBack(text, sentinels())
      held = text.slice(text.length - keep)
      events.push(...onText(text.slice(0, text.length - keep)))
      return events
    },
    rest(): string {
      const rest = held
      held = ''
      return rest
    }
  }
}

function firstOf(text: string, { pattern }: SentinelSet): { readonly sentinel: string; readonly at: number } | null {
  const found = pattern.exec(text)
  return found === null ? null : { sentinel: found[0], at: found.index }
}

/** Sentinels that count at one place, and the pattern that finds the first of them in one pass. */
type SentinelSet = { readonly all: readonly string[]; readonly pattern: RegExp }

function sentinelSet(...all: readonly string[]): SentinelSet {
  return { all, pattern: new RegExp(all.map((sentinel) => sentinel.replaceAll('|', '\\|')).join('|')) }
}

/** Length of the longest end of `text` that begins a sentinel. */
function heldBack(text: string, { all }: SentinelSet): number {
  const longest = Math.max(...all.map((sentinel) => sentinel.length))
  for (let length = Math.min(text.length, longest - 1); length > 0; length -= 1) {
    const end = text.slice(text.length - length)
    if (all.some((sentinel) => sentinel.startsWith(end))) return length
  }
  return 0
}
