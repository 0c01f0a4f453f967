import { describe, expect, it } from 'vitest'
import { composePrompt, fitInstructions } from '../../../src/agent/workflow/compose.ts'
import { fc } from '../../support/laws.ts'

const words = (text: string) => text.split(/\s+/).filter(Boolean).length
const text = (count: number, perLine = 10) =>
  Array.from({ length: count }, (_, n) => `w${n}${n % perLine === perLine - 1 ? '\n' : ' '}`)
    .join('')
    .trim()

describe('the system prompt (CTX-105)', () => {
  it('is base, global, project and overlay, joined by blank lines', () => {
    const parts = { base: 'base', overlay: 'plan', instructions: { global: 'g', project: 'p' }, count: words }
    expect(composePrompt(parts, 100)).toEqual({ prompt: 'base\n\ng\n\np\n\nplan', warnings: [] })
    const bare = { ...parts, overlay: null, instructions: { global: '', project: '' } }
    expect(composePrompt(bare, 100).prompt).toBe('base')
  })
})

describe('the instruction budget (CTX-106)', () => {
  it('keeps both while they fit', () => {
    const instructions = { global: text(300), project: text(200) }
    expect(fitInstructions(instructions, 500, words)).toEqual({ instructions, warnings: [] })
  })

  it('drops global as a whole and keeps the project whole: budget 500, global 300, project 400', () => {
    const project = text(400)
    expect(fitInstructions({ global: text(300), project }, 500, words)).toEqual({
      instructions: { global: '', project },
      warnings: ['global instructions dropped to fit budget']
    })
  })

  it('cuts the project at a line boundary', () => {
    expect(fitInstructions({ global: '', project: text(400) }, 55, words)).toEqual({
      instructions: { global: '', project: text(50) },
      warnings: ['instructions truncated to fit budget (50 of 400 tokens kept)']
    })
    expect(fitInstructions({ global: 'g', project: text(400) }, 55, words).warnings).toHaveLength(2)
  })

  it('has no limit at 0', () => {
    const instructions = { global: text(3000), project: text(4000) }
    expect(fitInstructions(instructions, 0, words).instructions).toEqual(instructions)
  })

  it('never exceeds the budget and keeps a beginning of the project', () => {
    fc.assert(
      fc.property(
        fc.nat(60),
        fc.nat(200),
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 1, max: 150 }),
        (global, project, perLine, budget) => {
          const whole = { global: text(global), project: text(project, perLine) }
          const { instructions } = fitInstructions(whole, budget, words)
          expect(words(instructions.global) + words(instructions.project)).toBeLessThanOrEqual(budget)
          expect(whole.project.startsWith(instructions.project)).toBe(true)
          expect([whole.global, '']).toContain(instructions.global)
          // Not a line less than could be kept.
          const lines = instructions.project === '' ? 0 : instructions.project.split('\n').length
          const next = whole.project.split('\n').slice(0, lines + 1)
          if (instructions.project !== whole.project) expect(words(next.join('\n'))).toBeGreaterThan(budget)
        }
      )
    )
  })
})
