// The sample project of the demo and its changed pieces; the scenes quote them, so that an edit always finds its place.

/** Every file of the project, by path. Prices are in cents; `node --test` passes. */
export const files = {
  'README.md': `# Corner shop

A till for a very small shop. Amounts are in cents.

- \`src/cart.js\` adds up a cart
- \`src/tax.js\` knows the tax
- \`src/receipt.js\` prints a receipt

Run the tests with \`node --test\`.
`,
  'package.json': `{
  "name": "corner-shop",
  "private": true,
  "type": "module",
  "scripts": { "test": "node --test" }
}
`,
  'src/cart.js': `/** What a cart costs, in cents. */
export function total(lines) {
  return lines.reduce((sum, line) => sum + line.quantity * line.price, 0)
}
`,
  'src/tax.js': `const rate = 0.2

/** The tax on a net amount, in whole cents. */
export function taxOn(net) {
  return Math.round(net * rate)
}
`,
  'src/receipt.js': `import { total } from './cart.js'

const lines = [
  { name: 'apple', quantity: 3, price: 120 },
  { name: 'bread', quantity: 1, price: 250 }
]

const money = cents => (cents / 100).toFixed(2).padStart(8)
for (const line of lines) {
  console.log(\`\${line.quantity} x \${line.name.padEnd(12)}\${money(line.quantity * line.price)}\`)
}
console.log(\`\${'total'.padEnd(16)}\${money(total(lines))}\`)
`,
  'test/cart.test.js': `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { total } from '../src/cart.js'

test('a cart costs what is in it', () => {
  const lines = [
    { name: 'apple', quantity: 3, price: 120 },
    { name: 'bread', quantity: 1, price: 250 }
  ]
  assert.equal(total(lines), 610)
})

test('an empty cart costs nothing', () => {
  assert.equal(total([]), 0)
})
`
} as const

/** What an analyst has written down about it; with this the machine clauses of the first real arrow pass. */
export const specs = {
  'specs/context-map.md': `# Context map

## Contexts

- default
`,
  'specs/default/ubiquitous-language.md': `# Words

## Cart

What a customer means to buy, line by line.

## Receipt

What a customer takes home.
`,
  'specs/default/invariants.md': `# Rules

## Invariants

- total >= 0
- tax on 0 == 0
`,
  'specs/default/features/total.feature': `@id:total
Feature: total of a cart

  Scenario: apples and a loaf
    When a cart holds 3 apples at 1.20 and a loaf at 2.50
    Then the total is 6.10

@id:taxOn
Feature: taxOn a net amount

  Scenario: a fifth of the net amount
    Then the tax on 6.10 is 1.22
`,
  'specs/default/divergences.md': `# Divergences

None is open.
`,
  'specs/default/coverage-claim.md': `# What the features cover

Totals and tax. The look of a receipt is not covered.
`,
  'specs/default/failure-modes.md': `# Failures

## Failure modes

- FM-power: the till has no power
`,
  'architecture/default/modules.md': `# Modules

## Modules

- cart
- tax
`,
  'architecture/default/interfaces/cart.md': `# cart

total(lines) in cents.
`,
  'architecture/default/interfaces/tax.md': `# tax

taxOn(net) in cents.
`,
  'architecture/default/module-feature-map.md': `# Map

## Map

- total: cart
- taxOn: tax
`,
  'architecture/default/error-model.md': `# Errors

## Treatments

- FM-power: nothing is sold
`,
  // What somebody found who put the till to work beside a warehouse.
  'integration/warehouse/findings.md': `# Findings

- F1 what the till tells the warehouse is written nowhere
  type: missing-cross-context-spec
  status: open
`
} as const

/** The gap that the demo's adversary finds, until somebody writes it down. */
export const shopFlaw = {
  path: 'architecture/default/error-model.md',
  missing: 'A cart that was begun is kept on paper.',
  title: 'what becomes of a cart that was begun is not said',
  basis: 'a treatment says what happens to work in progress'
} as const

/** `src/cart.js` once the total includes tax. */
export const cartWithTax = `import { taxOn } from './tax.js'

/** What a cart costs with tax, in cents. */
export function total(lines) {
  const net = lines.reduce((sum, line) => sum + line.quantity * line.price, 0)
  return net + taxOn(net)
}
`

/** The line of the test that must follow. */
export const taxedTest = {
  before: 'assert.equal(total(lines), 610)',
  after: 'assert.equal(total(lines), 732)'
} as const
