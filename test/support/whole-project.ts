import { analysis } from './gate-place.ts'

// A till of forty lines with everything its five roles hand on, so that the default grid can be walked from its first arrow to its last.
// The bindings really check: a linter, a compiler, a mutator and a test runner of a few lines each.

/** Keys of language bindings and what they run. */
export const wholeBindings: Readonly<Record<string, string>> = {
  'compiles.javascript': 'ls src/*.js | xargs -n 1 node --check',
  'lint-clean.javascript': '! grep -rn debugger src',
  'every-step-bound.javascript': '! grep -rnE "\\(\\) => \\{\\}" test',
  'tests-pass.javascript': 'node --test test/*.test.js',
  'mutation-score.javascript': 'node tools/mutate.js',
  'acyclic-dependency-graph.javascript': 'node tools/imports.js'
}

/** The one that is left to be declared when a pass needs it. */
export const lateBinding = ['no-orphan-symbol.javascript', 'node tools/orphans.js'] as const

/** What the deferred integration clause lacks after init: its dependency is a price list that can be taken away. */
export const integrationArgs = [
  'critical-deps=[prices]',
  'test-command=node --test test/integration/prices.test.js',
  'kill-commands={prices: mv data/prices.json data/prices.off}',
  'restore-commands={prices: mv data/prices.off data/prices.json}'
]

export const wholeProject: Readonly<Record<string, string>> = {
  ...analysis,
  'package.json': '{ "name": "till", "private": true, "type": "module" }\n',
  'data/prices.json': '{ "apple": 100 }\n',
  'src/cart.js': `/** What a cart costs, in cents. */
export function total(lines) {
  return lines.reduce((sum, { quantity, price }) => sum + quantity * price, 0)
}
`,
  'src/till.js': `import { readFileSync } from 'node:fs'
import { total } from './cart.js'

/** The sum of what was bought, at the prices of today. */
export function ring(bought) {
  const prices = JSON.parse(readFileSync('data/prices.json', 'utf8'))
  return total(bought.map(({ name, quantity }) => ({ quantity, price: prices[name] })))
}
`,
  'test/cart.test.js': `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { total } from '../src/cart.js'

test('two apples and a loaf', () => {
  assert.equal(total([{ quantity: 2, price: 100 }, { quantity: 1, price: 250 }]), 450)
})
`,
  'test/integration/prices.test.js': `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ring } from '../../src/till.js'

test('the till knows the price of an apple', () => {
  assert.equal(ring([{ name: 'apple', quantity: 3 }]), 300)
})
`,
  'tools/mutate.js': `import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'

const path = 'src/cart.js'
const source = readFileSync(path, 'utf8')
const mutants = [['sum + quantity', 'sum - quantity'], ['quantity * price', 'quantity + price'], [', 0)', ', 1)']]
let killed = 0
try {
  for (const [from, to] of mutants) {
    writeFileSync(path, source.replace(from, to))
    if (spawnSync(process.execPath, ['--test', 'test/cart.test.js']).status !== 0) killed += 1
  }
} finally {
  writeFileSync(path, source)
}
console.log(JSON.stringify({ pass: killed === mutants.length, details: { killed, survived: mutants.length - killed } }))
`,
  'tools/imports.js': `import { readdirSync, readFileSync } from 'node:fs'

for (const name of readdirSync('src'))
  for (const [, to] of readFileSync('src/' + name, 'utf8').matchAll(/from '\\.\\/(.+)'/g)) console.log('src/' + name + ' src/' + to)
`,
  'tools/orphans.js': `import { readdirSync, readFileSync } from 'node:fs'

const told = readFileSync('specs/default/features/total.feature', 'utf8')
const names = readdirSync('src').flatMap((name) =>
  [...readFileSync('src/' + name, 'utf8').matchAll(/export function (\\w+)/g)].map(([, symbol]) => symbol)
)
const orphans = names.filter((name) => !told.includes('@id:' + name)).map((symbol) => ({ symbol }))
console.log(JSON.stringify({ pass: orphans.length === 0, details: { orphans } }))
`,
  'specs/default/features/total.feature': `@id:total
Feature: total
  Scenario: two apples and a loaf cost 4.50

@id:ring
Feature: ring
  Scenario: three apples at 1.00 cost 3.00
`,
  'specs/default/divergences.md': '# Divergences\n\nNone is open.\n',
  'specs/default/failure-modes.md': '# Failures\n\n## Failure modes\n\n- FM-prices: the price list is gone\n',
  'architecture/default/modules.md': '# Modules\n\n## Modules\n\n- cart\n- till\n',
  'architecture/default/interfaces/cart.md': '# cart\n\n`total(lines)` in cents.\n',
  'architecture/default/interfaces/till.md': '# till\n\n`ring(bought)` in cents.\n',
  'architecture/default/module-feature-map.md': '# Map\n\n## Map\n\n- total: cart\n- ring: till\n',
  'architecture/default/error-model.md': '# Errors\n\n## Treatments\n\n- FM-prices: the till refuses to ring\n',
  'implementation/default/coverage-map.md':
    '# Coverage\n\n## Coverage\n\n- total: test/cart.test.js\n- ring: test/integration/prices.test.js\n',
  'implementation/default/deviations.md': '# Deviations\n\nNone.\n'
}
