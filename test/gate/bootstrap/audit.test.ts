import { describe, expect, test } from 'vitest'
import { assembleGrid } from '../../../src/gate/bootstrap/assemble.ts'
import { auditGrid } from '../../../src/gate/bootstrap/audit.ts'
import { divergenceText, findDivergences } from '../../../src/gate/bootstrap/divergence.ts'
import { readSettings } from '../../../src/gate/bootstrap/settings.ts'
import { decideAutomatically, startVerdicts } from '../../../src/gate/bootstrap/verdicts.ts'
import type { Grid } from '../../../src/protocol/grid.ts'
import { monorepo, pythonService } from '../../support/project.ts'
import { catalogue, proposalFor, rules } from '../../support/proposal.ts'

async function gridFor(files: Readonly<Record<string, string>>) {
  const proposal = await proposalFor(files)
  const verdicts = decideAutomatically(startVerdicts(proposal.arrows), rules)
  const grid = assembleGrid(
    {
      verdicts,
      contexts: proposal.contexts,
      facts: proposal.facts,
      settings: readSettings([]),
      bindings: {},
      refusalOverride: null,
      residue: [],
      opId: 'a',
      createdAt: '2026-01-01T00:00:00Z'
    },
    catalogue
  )
  return {
    ...proposal,
    grid,
    audit: (changed: Grid = grid) =>
      auditGrid(changed, proposal.arrows, { dir: proposal.dir, profile: proposal.profile }, catalogue)
  }
}

describe('INIT-110: the audit', () => {
  test('a grid from the automatic path has lost nothing', async () => {
    for (const files of [{}, monorepo, pythonService]) expect((await gridFor(files)).audit().errors).toEqual([])
  })

  test('a contract clause that is gone without residue is an error', async () => {
    const { grid, audit } = await gridFor({})
    const arrows = grid.arrows.map((arrow, n) => (n === 1 ? { ...arrow, clauses: arrow.clauses.slice(1) } : arrow))
    expect(audit({ ...grid, arrows }).errors).toEqual([
      'analyst→architect/default C1 is neither recorded, deferred nor in residue'
    ])
  })

  test('advisories: missing bindings, contexts left out, requirements, scopes', async () => {
    expect((await gridFor(monorepo)).audit().advisories).toEqual([
      'not taken for contexts: packages/shared',
      'no requirement with a minimum depth is declared anywhere',
      expect.stringMatching(/^scopes that match nothing yet: specs\/billing\/\*\*/),
      'typescript has no binding for lint-clean, compiles, every-step-bound'
    ])
    const { grid, audit } = await gridFor(monorepo)
    const contexts = grid.boundedContexts.filter(({ id }) => id !== 'catalog')
    expect(audit({ ...grid, boundedContexts: contexts }).advisories[0]).toBe('no context covers packages/catalog')
  })

  test('a whole file watched although its entries bear ids', async () => {
    const { audit } = await gridFor({ 'specs/default/invariants.md': '# Invariants\n- id: INV-001\n  total >= 0\n' })
    expect(audit().advisories).toContain(
      'depended on as a whole although entries bear ids: specs/default/invariants.md'
    )
  })

  test('commands that will run as shell', async () => {
    const { grid, audit } = await gridFor({})
    const arrows = grid.arrows.map((arrow) => ({
      ...arrow,
      clauses: arrow.clauses.map((clause) =>
        clause.concept === 'kill-server-fails-integration'
          ? { ...clause, args: { ...clause.args, 'kill-commands': { db: 'stop db' } } }
          : clause
      )
    }))
    expect(audit({ ...grid, arrows }).advisories).toContain(
      'implementer→integrator/default C8 will run kill-commands as shell: {"db":"stop db"}'
    )
  })
})

describe('INIT-111: divergence candidates', () => {
  test('exported names that no specification mentions as a whole word', async () => {
    const { dir, profile, contexts } = await proposalFor({
      ...monorepo,
      'specs/billing/domain-model.md': 'An Invoice is issued once. issueInvoices is something else.\n',
      'packages/billing/src/more.ts':
        'export { a as renamed, plain } from "./x"\nexport async function load() {}\nfunction hidden() {}\n  export const indented = 1\n'
    })
    const found = findDivergences(dir, profile, contexts)
    expect(found.candidates.map(({ context, symbol }) => `${context} ${symbol}`).toSorted()).toEqual([
      'billing issueInvoice',
      'billing load',
      'billing plain',
      'billing renamed',
      'catalog Catalog',
      'checkout Cart'
    ])
    expect(divergenceText(found)).toContain('## billing\n\n- `issueInvoice` in packages/billing/src/invoice.ts\n')
  })

  test('sources that look like one long export are gone through all the same', async () => {
    const { dir, profile } = await proposalFor({
      'src/a/a.ts': `${'export { x\n'.repeat(100_000)}export const seen = 1\n`,
      'src/a/b.go': `${'func (t\n'.repeat(100_000)}func Seen() {}\n`,
      'src/a/c.rs': `${'\n'.repeat(1_000_000)}pub fn seen_too() {}\n`
    })
    const found = findDivergences(dir, profile, [{ id: 'a', description: null }])
    expect(found.candidates.map(({ symbol }) => symbol).toSorted()).toEqual(['Seen', 'seen', 'seen_too'])
  })

  test('Go, Python and Rust by what they call exported; other languages are a gap', async () => {
    const { dir, profile } = await proposalFor({
      'src/a/a.go': 'func Open() {}\nfunc (t *T) Close() {}\nfunc hidden() {}\ntype Thing struct{}\n',
      'src/a/b.py': 'def quote(): pass\ndef _load(): pass\n    def inner(): pass\nclass Rate: pass\n',
      'src/a/c.rs': 'pub fn run() {}\nfn own() {}\npub struct Tide;\n',
      'src/a/d.kt': 'fun x() {}\n'
    })
    const found = findDivergences(dir, profile, [{ id: 'a', description: null }])
    expect(found.candidates.map(({ symbol }) => symbol).toSorted()).toEqual([
      'Close',
      'Open',
      'Rate',
      'Thing',
      'Tide',
      'quote',
      'run'
    ])
    expect(found.gaps).toEqual(['kotlin'])
    expect(divergenceText(found)).toContain('Not looked at, for want of an extractor: kotlin.')
  })
})
