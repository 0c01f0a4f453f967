import { expect, test } from 'vitest'
import type { TourContext, TourStep } from '../../src/demo/step.ts'
import { playTour } from '../../src/demo/tour.ts'

const context = {} as TourContext
const holds = (title: string): TourStep => ({ title, play: async () => `proof of ${title}` })
const fails = (title: string): TourStep => ({ title, play: () => Promise.reject(new Error(`no effect of ${title}`)) })

test('prints every step with its proof and holds when all do', async () => {
  const lines: string[] = []
  expect(await playTour([holds('a'), holds('b')], context, (line) => lines.push(line))).toBe(true)
  expect(lines).toEqual([' 1 ✓ a', '     proof of a', ' 2 ✓ b', '     proof of b', 'all 2 steps did what they should'])
})

test('ends at the first step without its effect and says how many were not reached', async () => {
  const lines: string[] = []
  expect(await playTour([holds('a'), fails('b'), holds('c')], context, (line) => lines.push(line))).toBe(false)
  expect(lines.slice(2)).toEqual([' 2 ✗ b', '     no effect of b', '     1 more step not reached'])
})
