import type { Conversation, Reply, Scene } from '../script.ts'

// What models do for the gate, played by script: the adversary that attacks, the one that looks again, the producer that mends, who
// points a person to places, the analyst called back for an amendment, and who completes a declaration. Each looks at what it was given.

/** A gap that stays until somebody writes the missing words down. */
export type Flaw = {
  /** The file in which they are missing. */
  readonly path: string
  readonly missing: string
  readonly title: string
  /** The rule that it breaks. */
  readonly basis: string
}

export type GatePlay = {
  readonly flaw: Flaw
  /** What the producer does about it; by default it writes the words down. */
  readonly producer?: 'fixes' | 'claims' | 'proposes-risk' | 'cannot' | 'babbles'
  /** What it runs besides, before it answers. */
  readonly also?: string
}

/** Scenes for all errands of the gate. */
export function gateScenes({ flaw, producer = 'fixes', also = 'true' }: GatePlay): readonly Scene[] {
  return [
    errand('gate-sweep', /^Look for defects that no clause names/, ({ said }) => sweep(flaw, said)),
    errand('gate-falsify', /^Try to refute one promise/, ({ said }) =>
      json({ clause_id: clauseOf(said), falsified: false })
    ),
    errand('gate-recheck', /^Somebody claims that the work at hand has this defect/, (talk) => recheck(flaw, talk)),
    errand('gate-hint', /^A person will decide on one clause/, ({ said }) =>
      json({
        clause_id: clauseOf(said),
        locations: [`${flaw.path}:1`],
        basis: 'the first line of the file the clause speaks about',
        residue: 'everything below it'
      })
    ),
    errand('gate-fix', /^\d+ defects were found:/, (talk) => fix(flaw, { producer, also }, talk)),
    errand('gate-amend', /^Close the gap in the specifications/, (talk) => amend(talk)),
    errand('gate-define', /^Work is to be handed from the/, ({ said }) => ({
      text: /\{"id": [\s\S]*?"dependencies": \[\]\}/.exec(said)?.[0] ?? 'no hand-off was named'
    }))
  ]
}

function errand(name: string, task: RegExp, reply: (conversation: Conversation) => Reply): Scene {
  return { name, play: (conversation) => (task.test(conversation.said) ? { pace: 0, ...reply(conversation) } : null) }
}

function json(value: object): Reply {
  return { text: JSON.stringify(value) }
}

function clauseOf(said: string): string {
  return /The clause `([^`]+)` says/.exec(said)?.[1] ?? ''
}

/** One finding while the file is part of the work and the words are not in it. */
function sweep({ path, missing, title, basis }: Flaw, said: string): Reply {
  const content = said.slice(said.indexOf(`--- ${path} `)).split('\n--- end ')[0] ?? ''
  const isGap = said.includes(`--- ${path} `) && !content.includes(missing)
  const finding = { title, severity: 'high', basis, locations: [`${path}:1`], evidence: 'nothing there speaks of it' }
  return json({ findings: isGap ? [finding] : [], artifact_read: [path] })
}

/** Reads the file before it says anything. */
function recheck({ path, missing }: Flaw, { said, step, exchanges }: Conversation): Reply {
  if (step === 0) return { calls: [{ tool: 'read_file', args: { path } }] }
  const isThere = exchanges.some(({ result }) => result.includes(missing))
  const id = /"finding_id": "([^"]+)"/.exec(said)?.[1] ?? ''
  return json({ finding_id: id, reproduced: isThere ? 'no' : 'yes', evidence: `${path} as it is now` })
}

function fix(
  { path, missing }: Flaw,
  { producer: how, also }: Required<Pick<GatePlay, 'producer' | 'also'>>,
  { said, step }: Conversation
): Reply {
  if (how === 'babbles') return { text: 'Everything is in order now, gate passed.' }
  if (how === 'fixes' && step === 0)
    return { calls: [{ tool: 'bash', args: { command: `printf '%s\\n' '${missing}' >> ${path}; ${also}` } }] }
  const action = { fixes: 'fixed', claims: 'fixed', 'proposes-risk': 'propose-accepted-risk', cannot: 'cannot-fix' }[
    how
  ]
  const dispositions = [...said.matchAll(/^finding (\S+) \(/gm)].map(([, id]) => ({
    finding_id: id,
    action,
    rationale: how === 'fixes' ? `${path} says it now` : 'nobody sells below nothing',
    inspected_context: path,
    files_changed: how === 'fixes' ? [path] : []
  }))
  return json({ dispositions, summary: 'dealt with' })
}

const contract = 'specs/default/cross-context/till.md'

/** Writes what was missing between the contexts, then names the file. */
function amend({ step }: Conversation): Reply {
  if (step === 0)
    return {
      calls: [
        {
          tool: 'write_file',
          args: { path: contract, content: '# Till\n\nid: till-1\n\nA till reports to context:default alone.\n' }
        }
      ]
    }
  return json({
    new_arrows: [],
    new_language_bindings: {},
    changed_artifacts: [contract],
    rationale: 'what the till tells others was written nowhere'
  })
}
