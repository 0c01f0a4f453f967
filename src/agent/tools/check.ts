import type { z } from 'zod'
import { messageOf } from '../../lib/error.ts'
import type { CheckedCall, ToolAudience, ToolCall, ToolName } from '../../protocol/tool.ts'
import type { Tool } from './tool.ts'

const aliases: Readonly<Record<string, ToolName>> = { execute_bash: 'bash' }

/** Checks a call's name and arguments (MODEL-074, TOOL-005); `offered` are the tools its maker was told of (CTX-080). */
export function checkCall(
  call: ToolCall,
  tools: ReadonlyMap<string, Tool>,
  offered: ReadonlySet<ToolName>,
  audience: ToolAudience
): CheckedCall {
  const tool = tools.get(Object.hasOwn(aliases, call.name) ? (aliases[call.name] as ToolName) : call.name)
  if (tool === undefined) return refuse('unknown-tool', `unknown tool: ${shortName(call.name)}`)
  if (audience === 'sub-agent' && !offered.has(tool.name))
    return refuse('unknown-tool', `tool "${tool.name}" is not available to sub-agents`)

  const object = parseObject(call.arguments)
  if ('fault' in object) return refuse('invalid-args', `failed to parse tool arguments: ${object.fault}`)
  const parsed = tool.schema.safeParse(object.value, { reportInput: true })
  if (!parsed.success)
    return refuse('invalid-args', `invalid arguments for ${tool.name}: ${parsed.error.issues.map(problem).join('; ')}`)
  return { ok: true, name: tool.name, args: parsed.data as Record<string, unknown> }
}

const maxNameLength = 200

/** A name that is no name must not fill the context with itself. */
const shortName = (name: string) =>
  name.length <= maxNameLength ? name : `${name.slice(0, maxNameLength).toWellFormed()}… (${name.length} characters)`

const refuse = (kind: 'unknown-tool' | 'invalid-args', error: string): CheckedCall => ({ ok: false, kind, error })

function parseObject(text: string): { readonly value: object } | { readonly fault: string } {
  if (text.trim() === '') return { value: {} }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (thrown) {
    return { fault: messageOf(thrown).replaceAll('\n', ' ') }
  }
  const type = value === null ? 'null' : Array.isArray(value) ? 'an array' : typeof value
  return type === 'object' ? { value: value as object } : { fault: `expected a JSON object, got ${type}` }
}

/** `<path> <problem>` of one fault. */
function problem(issue: z.core.$ZodIssue): string {
  const path = issue.path.join('.')
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? `${path} is missing` : `${path} must be ${article(issue.expected)}`
    case 'too_small':
      return issue.origin === 'string' ? `${path} must not be empty` : `${path} must be at least ${issue.minimum}`
    default:
      return `${path} ${issue.message}`
  }
}

const article = (type: string) => (type === 'int' ? 'an integer' : type === 'number' ? 'a number' : `a ${type}`)
