import * as z from 'zod'
import { hasUserInfo, httpUrl, isLoopback } from './urls.ts'

// The keys of the file, their defaults and what each must be by itself. What takes two keys to judge, or has a wording of
// its own, is in `checks.ts` and `models.ts`.

/** Model file of the embedder and its digest; another URL has no digest unless one is configured (MEM-121). */
export const defaultEmbedder = {
  url: 'https://huggingface.co/Xenova/gte-small/resolve/main/onnx/model.onnx',
  sha256: '398a29991324e0b383afa13375d681ced3079c83e097fb1ebd9290d7498523b3'
} as const

/** Where checkpoints are exchanged unless the configuration names another branch. */
export const defaultMemoryBranch = 'ghyll/memory'

const text = z.string('must be a string')
const flag = z.boolean('must be true or false')
const whole = z.int('must be a whole number')
const number = z.number('must be a number')

function between(least: number, most?: number) {
  const range = most === undefined ? `must be at least ${least}` : `must be between ${least} and ${most}`
  return whole.refine((value) => value >= least && value <= (most ?? Number.MAX_SAFE_INTEGER), range)
}
const seconds = between(1, 3600)
const price = number.refine((value) => value >= 0, 'must be at least 0').optional()
const address = text
  .refine((value) => httpUrl(value) !== null, 'must be an http or https URL')
  .refine((value) => !hasUserInfo(value), 'must not contain a user name or password')
const clean = text.refine((value) => !hasControl(value), 'must not contain control characters')

/** Whether a text holds C0 or C1 control characters or DEL. */
export function hasControl(value: string): boolean {
  return /[\u0000-\u001f\u007f-\u009f]/.test(value)
}

/** A table `[models.<name>]`. */
export const modelSchema = z.object({
  endpoint: text.optional(),
  dialect: text.optional(),
  max_context: between(1024).default(128_000),
  model: text.optional(),
  api_key: text.optional(),
  stamp_label: text.optional(),
  max_request_bytes: between(0).default(0),
  price_input: price,
  price_output: price,
  price_cached: price
})

/** Default of `tools.max_result_bytes`; whatever is neither a size nor -1 (off) means it as well. */
const resultBytes = 8192

/** The other tables by name; `embedder` lies inside `memory`. */
export const sections = {
  routing: z.object({
    default_model: text.default('m25'),
    deep_model: text.optional(),
    context_depth_threshold: between(1).default(32_000),
    tool_depth_threshold: between(1, 50).default(5),
    enable_auto_routing: flag.default(true),
    gate_floor_escalate_at_rank: whole.default(2),
    gate_floor_disabled: flag.default(false)
  }),
  memory: z.object({
    branch: text.refine(isRefName, 'must be a valid branch name').default(defaultMemoryBranch),
    auto_sync: flag.default(true),
    sync_interval_seconds: between(5).default(60),
    checkpoint_interval_turns: between(1).default(5),
    drift_check_interval_turns: between(1).default(5),
    drift_threshold: number.refine((value) => value > 0 && value <= 1, 'must be above 0 and at most 1').default(0.7)
  }),
  embedder: z.object({
    model_url: address
      .refine(isSafeDownload, 'must be https, or http on a loopback address')
      .default(defaultEmbedder.url),
    model_sha256: text
      .regex(/^[0-9a-f]{64}$/i, 'must be 64 hexadecimal digits')
      .transform((value) => value.toLowerCase())
      .optional(),
    model_path: text.default('~/.ghyll/models/gte-small.onnx'),
    dimensions: between(1, 4096).default(384),
    tokenizer: z.enum(['wordpiece', 'hash'], 'must be "wordpiece" or "hash"').default('wordpiece')
  }),
  tools: z.object({
    bash_timeout_seconds: seconds.default(30),
    file_timeout_seconds: seconds.default(5),
    web_timeout_seconds: seconds.default(30),
    web_max_response_tokens: between(1).default(10_000),
    web_search_backend: text.default('duckduckgo'),
    web_search_url: address.default('https://html.duckduckgo.com'),
    prefer_ripgrep: flag.default(true),
    max_result_bytes: whole.transform((value) => (value === -1 || value > 0 ? value : resultBytes)).default(resultBytes)
  }),
  sub_agent: z.object({
    default_model: text.optional(),
    max_turns: between(1, 200).default(20),
    token_budget: between(1000).default(50_000),
    timeout_seconds: seconds.default(300)
  }),
  workflow: z.object({
    instruction_budget_tokens: between(0).default(2000),
    fallback_folders: z
      .array(text, 'must be a list of strings')
      .refine((folders) => folders.every(isRelativeInside), 'must be relative paths without ".."')
      .default(['.claude'])
  }),
  vault: z.object({
    url: address.optional(),
    token: clean.optional(),
    keys_dir: clean.optional(),
    listen: clean.optional(),
    allow_segments: flag.default(true)
  }),
  ui: z.object({
    mouse: flag.default(true),
    screen_reader: flag.default(false),
    notify: z.enum(['bell', 'osc9', 'none'], 'must be "bell", "osc9" or "none"').default('bell')
  })
}

/** Sections with a reader of their own elsewhere; nothing is said about them here. */
export const foreignSections: ReadonlySet<string> = new Set([
  'workbench',
  'commands',
  'hooks',
  'remote_control',
  'approval'
])

function isSafeDownload(value: string): boolean {
  const url = httpUrl(value)
  return url !== null && (url.protocol === 'https:' || isLoopback(url))
}

function isRelativeInside(folder: string): boolean {
  return folder !== '' && !/^[/\\~]/.test(folder) && !folder.split(/[/\\]/).includes('..') && !hasControl(folder)
}

/** git's rules for the name of a branch, as far as they concern the name alone. */
function isRefName(name: string): boolean {
  if (name === '' || name === '@' || name.startsWith('-') || name.endsWith('.')) return false
  if (hasControl(name) || /[ ~^:?*[\\]|\.\.|@\{/.test(name)) return false
  return name.split('/').every((part) => part !== '' && !part.startsWith('.') && !part.endsWith('.lock'))
}
