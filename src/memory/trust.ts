import { setImmediate } from 'node:timers/promises'
import { hashMatches } from './canonical.ts'
import { type ChainFindings, chainNotice, examineChain, type Link } from './chain.ts'
import { MemoryFailure, type MemoryFailureCode } from './errors.ts'
import type { Checkpoint } from './record.ts'
import type { ChainId, MemoryStore } from './store.ts'
import { type DistrustReason, distrust } from './verify.ts'

export type Verdict =
  | { readonly trusted: true }
  /** `brokenAt`: the record at fault, when the chain is (MEM-053). */
  | { readonly trusted: false; readonly reason: DistrustReason; readonly brokenAt?: string }

/** Whether stored checkpoints can be trusted by the keys known now, whatever was found when they came in (MEM-045, MEM-055). */
export interface Trust {
  /** Of a record as it stands in the store, or one from elsewhere that would continue a stored chain. */
  verdictOn(record: Checkpoint): Promise<Verdict>
  findings(chain: ChainId): Promise<ChainFindings>
  /** The stored links of a chain by time. */
  links(chain: ChainId): Promise<readonly Link[]>
  /** The same verdict from findings that are at hand, for whoever looks at a whole chain. */
  judge(record: Checkpoint, findings: ChainFindings): Verdict
}

/** Records looked at before others may run. */
const breath = 200

/** Remembers which records were intact, since their rows never change; everything else is looked at anew (MEM-045, MEM-055). */
export function createTrust(store: MemoryStore): Trust {
  const intact = new Set<string>()

  async function linksOf(chain: ChainId): Promise<readonly Link[]> {
    const links: Link[] = []
    for (const { hash, parent } of store.links(chain)) {
      if (!intact.has(hash)) {
        const record = store.get(hash)
        if (record !== null && hashMatches(record)) intact.add(hash)
        if (links.length % breath === 0) await setImmediate()
      }
      links.push({ hash, parent, intact: intact.has(hash) })
    }
    return links
  }

  function judge(record: Checkpoint, { broken }: ChainFindings): Verdict {
    const reason = distrust(record, store.keys.keyFor)
    if (reason !== null) return { trusted: false, reason }
    const brokenAt = broken.get(record.hash)
    return brokenAt === undefined ? { trusted: true } : { trusted: false, reason: 'broken_chain', brokenAt }
  }

  return {
    async verdictOn(record) {
      const { device, repo, hash, parent } = record
      const links = await linksOf({ device, repo })
      const here = links.some((link) => link.hash === hash) ? links : [...links, { hash, parent, intact: true }]
      return judge(record, examineChain(here))
    },
    findings: async (chain) => examineChain(await linksOf(chain)),
    links: linksOf,
    judge
  }
}

type Distrust = Verdict & { readonly trusted: false }
type Named = Pick<Checkpoint, 'hash' | 'device'>

const codes = {
  unknown_key: 'unknown-key',
  bad_signature: 'signature-invalid',
  hash_mismatch: 'hash-mismatch',
  unverifiable_version: 'hash-mismatch',
  broken_chain: 'chain-broken'
} as const satisfies Record<DistrustReason, MemoryFailureCode>

/**
 * Why a checkpoint is not used. The message is the line an operator reads, without glyph; nothing throws this, since the others are used
 * all the same (CTX-046, MEM-021, MEM-053).
 */
export function distrustFailure({ hash, device }: Named, verdict: Distrust): MemoryFailure {
  return new MemoryFailure(codes[verdict.reason], lineOf({ hash, device }, verdict), { hash, device })
}

function lineOf({ hash, device }: Named, verdict: Distrust): string {
  switch (verdict.reason) {
    case 'unknown_key':
      return `unverified checkpoint from @${device} (unknown key)`
    case 'bad_signature':
      return `unverified checkpoint from @${device} (bad signature)`
    case 'unverifiable_version':
      return `unverified checkpoint from @${device} (unverifiable version)`
    case 'hash_mismatch':
      return `unverified checkpoint from @${device} (hash mismatch)`
    case 'broken_chain':
      return chainNotice('broken', verdict.brokenAt ?? hash, device)
  }
}
