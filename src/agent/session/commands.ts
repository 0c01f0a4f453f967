import { countText } from '../../lib/count-text.ts'
import { hasDeepTier } from '../dialects/index.ts'
import { type Item, notice } from './facts.ts'
import { output, type SlashCommand } from './slash.ts'
import type { SessionState } from './state.ts'

/** What the built-in commands may ask the session to do. */
export type Actions = {
  /** Queues a compaction as a barrier row (SESS-034). */
  compact(): readonly Item[]
  leave(): void
  /** Queues the predecessor's unsent inputs; how many there were (SESS-103). */
  restore(): number
  /** Reads instructions and commands again; the notices to show. */
  reload(): Promise<readonly Item[]>
}

/** The commands every session has. Each is a line of the table; what it does to the session is in the items it returns. */
export function builtInCommands(actions: Actions): readonly SlashCommand[] {
  return [
    { name: 'deep', description: 'use the deep model from now on', when: 'idle', run: (_, { state }) => deep(state) },
    {
      name: 'fast',
      description: 'back to automatic routing, plan mode off',
      when: 'idle',
      run: (_, { state }) => fast(state)
    },
    {
      name: 'plan',
      description: 'think before acting; tools stay available',
      when: 'idle',
      run: (_, { state }) =>
        state.planMode
          ? [output('plan', 'plan mode already active')]
          : [{ kind: 'plan-mode-changed', on: true }, output('plan', 'plan mode activated')]
    },
    {
      name: 'status',
      description: 'model, modes, turn and tool depth',
      when: 'always',
      run: (_, { state }) => [output('status', ...statusLines(state))]
    },
    {
      name: 'compact',
      description: 'summarise all but the last turns',
      when: 'always',
      run: () => actions.compact()
    },
    {
      name: 'retry',
      description: 'run the last turn again if it did not complete',
      when: 'idle',
      run: (_, { state }) =>
        state.lastTurn === null || state.lastTurn.outcome === 'completed'
          ? [notice('info', 'nothing to retry')]
          : [{ fact: 'retry-asked' }]
    },
    {
      name: 'restore',
      description: 'queue what the previous session did not send',
      when: 'idle',
      run: () => {
        const count = actions.restore()
        return [notice('info', count === 0 ? 'nothing to restore' : `queued ${countText(count, 'input')}`)]
      }
    },
    {
      name: 'reload',
      description: 'read instructions and commands again',
      when: 'idle',
      run: () => actions.reload()
    },
    {
      name: 'help',
      description: 'list the commands',
      when: 'always',
      run: (_, { commands }) => [
        output('help', ...commands().map(({ name, description }) => `/${name}  ${description}`))
      ]
    },
    ...['exit', 'quit'].map(
      (name): SlashCommand => ({
        name,
        description: 'end the session',
        when: 'always',
        run: () => {
          actions.leave()
          return []
        }
      })
    )
  ]
}

/** SESS-110: the override, and an evaluation at once. */
function deep(state: SessionState): readonly Item[] {
  const { routing, locked } = state.rules
  if (locked) return [notice('info', '/deep ignored, model locked via --model flag')]
  if (!hasDeepTier(routing)) return [notice('info', '/deep ignored, no deep_model configured')]
  if (!routing.enableAutoRouting) return [notice('info', '/deep ignored, auto-routing is off')]
  return [
    { kind: 'deep-override-changed', on: true },
    output('deep', 'switched to deep tier'),
    { fact: 'reroute-asked', deescalate: false }
  ]
}

/** SESS-111: override and plan mode off; the deep model is left at once if nothing but the override held it. */
function fast(state: SessionState): readonly Item[] {
  const { deepModel } = state.rules.routing
  const plan: readonly Item[] = state.planMode ? [{ kind: 'plan-mode-changed', on: false }] : []
  if (state.rules.locked) return [...plan, notice('info', '/fast ignored, model locked via --model flag')]
  const override: readonly Item[] = state.deepOverride ? [{ kind: 'deep-override-changed', on: false }] : []
  return [
    ...plan,
    ...override,
    output('fast', 'auto-routing restored, plan mode off'),
    ...(state.model === deepModel ? [{ fact: 'reroute-asked', deescalate: true } as const] : [])
  ]
}

/** SESS-114. */
export function statusLines(state: SessionState): readonly string[] {
  const onOff = (on: boolean) => (on ? 'on' : 'off')
  const { model, rules, deepOverride, planMode, turn, toolDepth } = state
  return [
    `model: ${model} (locked: ${onOff(rules.locked)}, deep: ${onOff(deepOverride)}, plan: ${onOff(planMode)})`,
    `turn: ${turn}, tool_depth: ${toolDepth}`
  ]
}
