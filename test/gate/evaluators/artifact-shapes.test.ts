import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type ContractClause, contracts } from '../../../src/gate/runner/contracts/index.ts'
import type { Args } from '../../../src/protocol/grid.ts'
import { catalogue, evaluate, projects } from './bench.ts'

// specs/architecture/artifacts.md shows people what the default clauses look for (ROLE-9…11). Its examples are held to those clauses.

const project = projects()
const text = readFileSync(new URL('../../../specs/architecture/artifacts.md', import.meta.url), 'utf8')

/** The examples: a path in code marks on a line of its own, and the block below it. */
const examples: Readonly<Record<string, string>> = Object.fromEntries(
  [...text.matchAll(/^`([^`]+)`\n```\n([\s\S]*?)^```$/gm)].map(([, path = '', content = '']) => [path, content])
)

const inShop = (args: Args): Args =>
  Object.fromEntries(
    Object.entries(args).map(([name, value]) => [
      name,
      typeof value === 'string' ? value.replaceAll('{context}', 'shop') : value
    ])
  )

/** Clauses that read what roles write, without a program of the project's. */
const readsArtifacts = ({ concept, args }: ContractClause) =>
  concept !== null &&
  catalogue.get(concept)?.languageBound === false &&
  Object.values(args).some(
    (value) => typeof value === 'string' && /^(specs|architecture|implementation|integration)\//.test(value)
  )

const clauses = Object.values(contracts).flatMap(({ role, clauses }) =>
  clauses.filter(readsArtifacts).map((clause) => [`${role} ${clause.id}`, clause] as const)
)

describe('the shapes of artifacts (ROLE-9, ROLE-10, ROLE-11)', () => {
  it('are shown for every role', () => {
    expect(Object.keys(examples).length).toBeGreaterThan(18)
    expect(clauses.map(([name]) => name)).toHaveLength(18)
  })

  it.each(clauses)('the examples pass %s, and none of them vacuously', async (_, { concept, args }) => {
    const { dir } = await project(examples)
    const result = await evaluate(dir, concept ?? '', inShop(args))
    expect(result).toMatchObject({ status: 'pass' })
    expect(result.details.vacuous).toBeUndefined()
  })

  it('an open entry of a ledger keeps the arrow closed', async () => {
    const opened = Object.fromEntries(
      Object.entries(examples).map(([path, content]) => [path, content.replace('status: resolved', 'status: open')])
    )
    const { dir } = await project(opened)
    const ledgers = clauses.filter(([, { args }]) => String(args.query).includes('status'))
    expect(ledgers.map(([name]) => name)).toEqual(['analyst C9', 'implementer C9', 'integrator C9'])
    for (const [, { concept, args }] of ledgers)
      expect((await evaluate(dir, concept ?? '', inShop(args))).status).toBe('fail')
  })
})
