import { findApiKey } from '../config/api-key.ts'
import type { Environment } from '../config/paths.ts'
import { templateEndpoints } from '../config/template.ts'
import type { ModelConfig } from '../config/types.ts'
import { networkReasonOf } from '../lib/error.ts'
import type { DoctorResult } from './handlers.ts'

const patienceMs = 5_000

/** Asks a model server for its list of models. The key is sent, never shown, and follows no redirect (MODEL-067). */
export async function checkEndpoint(model: ModelConfig, env: Environment): Promise<DoctorResult> {
  if (templateEndpoints.has(model.endpoint))
    return { status: 'failed', text: `${model.endpoint} is the template's endpoint` }
  const found = findApiKey(model, env)
  const key = found === null ? 'no key' : `key from ${found.variable ?? 'the file'}`
  const url = `${model.endpoint.replace(/\/+$/, '')}/models`
  const answer = await get(url, found === null ? {} : { authorization: `Bearer ${found.key}` })
  if ('trouble' in answer) return { status: 'failed', text: `${model.endpoint}: ${answer.trouble}` }
  const text = `${model.endpoint} answers HTTP ${answer.status} (${key})`
  if (answer.status < 300) return { status: 'ok', text }
  // A server need not have a list of models to serve one.
  return { status: answer.status === 404 || answer.status === 405 ? 'note' : 'failed', text }
}

/** Asks the team's vault for its health, which needs no token. */
export async function checkVault(vault: string): Promise<DoctorResult> {
  const answer = await get(`${vault.replace(/\/+$/, '')}/v1/health`, {})
  if ('trouble' in answer) return { status: 'failed', text: answer.trouble }
  return { status: answer.status === 200 ? 'ok' : 'failed', text: `answers HTTP ${answer.status}` }
}

async function get(
  url: string,
  headers: Readonly<Record<string, string>>
): Promise<{ readonly status: number } | { readonly trouble: string }> {
  try {
    const response = await fetch(url, { headers, redirect: 'manual', signal: AbortSignal.timeout(patienceMs) })
    await response.body?.cancel()
    return { status: response.status }
  } catch (error) {
    if (error instanceof DOMException && error.name === 'TimeoutError')
      return { trouble: `no answer within ${patienceMs / 1000} s` }
    return { trouble: networkReasonOf(error) }
  }
}
