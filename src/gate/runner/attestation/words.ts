import type { Verdict } from '../../../protocol/gate.ts'

const commandWords: Readonly<Record<string, Verdict>> = {
  pass: 'pass',
  p: 'pass',
  ok: 'pass',
  fail: 'fail',
  f: 'fail',
  no: 'fail',
  'insufficient-basis': 'insufficient-basis',
  insufficient: 'insufficient-basis',
  ib: 'insufficient-basis'
}

const promptWords: Readonly<Record<string, Verdict | 'skip'>> = {
  pass: 'pass',
  p: 'pass',
  fail: 'fail',
  f: 'fail',
  'insufficient-basis': 'insufficient-basis',
  ib: 'insufficient-basis',
  i: 'insufficient-basis',
  skip: 'skip',
  s: 'skip'
}

/** A verdict as `/attest` takes it, any case; null for anything else (ATT-330). */
export function verdictOfCommand(word: string): Verdict | null {
  return lookUp(commandWords, word)
}

/** An answer as the prompt takes it; `skip` is no verdict (ATT-330, OPUI-422). */
export function answerOfPrompt(word: string): Verdict | 'skip' | null {
  return lookUp(promptWords, word)
}

function lookUp<Word>(words: Readonly<Record<string, Word>>, typed: string): Word | null {
  const word = typed.trim().toLowerCase()
  return Object.hasOwn(words, word) ? (words[word] ?? null) : null
}
