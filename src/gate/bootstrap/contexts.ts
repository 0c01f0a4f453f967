import type { BoundedContext } from '../../protocol/grid.ts'
import { isContextId } from '../runner/arrow-id.ts'
import { InitFailure } from './errors.ts'
import type { DetectedContexts } from './profile.ts'

const maxContexts = 256

/** The one context of a project that shows none (INIT-37). */
export const defaultContext: BoundedContext = {
  id: 'default',
  description: 'auto-declared by ghyll init (no bounded contexts detected)'
}

/** Reads declared contexts, each `<id>[=<description>]` (INIT-36). Throws `InitFailure`. */
export function declaredContexts(declarations: readonly string[]): readonly BoundedContext[] {
  const contexts = declarations.map((text) => {
    const equals = text.indexOf('=')
    const id = equals === -1 ? text : text.slice(0, equals)
    const description = equals === -1 ? null : text.slice(equals + 1).trim()
    return { id, description: description === '' ? null : description }
  })
  return checkContexts(contexts)
}

/** The contexts a profile proposes, or the default one (INIT-36, INIT-37). Throws `InitFailure` when there are too many. */
export function proposedContexts({ root, ids }: DetectedContexts): readonly BoundedContext[] {
  if (ids.length === 0) return [defaultContext]
  return checkContexts(ids.map((id) => ({ id, description: `Proposed from ${root}/${id}/` })))
}

function checkContexts(contexts: readonly BoundedContext[]): readonly BoundedContext[] {
  const seen = new Set<string>()
  for (const { id } of contexts) {
    if (id.trim() === '') throw new InitFailure('profile-context-id-empty')
    if (!isContextId(id)) throw new InitFailure(`profile-context-id-invalid: ${JSON.stringify(id)}`)
    if (seen.has(id)) throw new InitFailure(`profile-context-id-duplicate: "${id}"`)
    seen.add(id)
  }
  if (contexts.length > maxContexts)
    throw new InitFailure(`profile-too-many-bounded-contexts: ${contexts.length} (cap ${maxContexts})`)
  return contexts
}
