import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import type { InferenceSession, Tensor } from 'onnxruntime-node'
import { pool } from './pool.ts'
import { createTokenizer, type TokenizerName } from './tokenizer.ts'

export type ModelSettings = {
  readonly modelPath: string
  /** 64 hex digits that the file must have, or null. */
  readonly modelSha256: string | null
  readonly dimensions: number
  readonly tokenizer: TokenizerName
}

export type Model = {
  /** 64 lower-case hex digits. */
  readonly sha256: string
  embed(text: string): Promise<Float32Array>
  close(): Promise<void>
}

const output = 'last_hidden_state'

/**
 * Loads the ONNX model and embeds one word with it, so that a model of other dimensions or inputs is found out at once (MEM-110,
 * MEM-117). Rejects with an error whose message says what is wrong; meant for a worker.
 */
export async function loadModel({ modelPath, modelSha256, dimensions, tokenizer }: ModelSettings): Promise<Model> {
  const bytes = await readFile(modelPath)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  if (modelSha256 !== null && sha256 !== modelSha256)
    throw new Error(`model_sha256 mismatch: expected ${modelSha256}, got ${sha256}; not loaded`)

  const { default: runtime } = await import('onnxruntime-node')
  const tokenize = createTokenizer(tokenizer)
  const session = await runtime.InferenceSession.create(bytes, {
    executionProviders: ['cpu'],
    intraOpNumThreads: Math.max(1, Math.min(4, availableParallelism() - 1)),
    logSeverityLevel: 3
  })

  const embed = async (text: string) => {
    const ids = tokenize(text)
    const mask = ids.map(() => 1)
    const inputs = {
      input_ids: int64(runtime.Tensor, ids),
      attention_mask: int64(runtime.Tensor, mask),
      token_type_ids: int64(runtime.Tensor, new Array<number>(ids.length).fill(0))
    }
    const { [output]: hidden } = await session.run(wanted(session, inputs))
    return pool(checked(hidden, ids.length, dimensions), mask, dimensions)
  }
  try {
    await embed('hello')
  } catch (error) {
    await session.release()
    throw error
  }
  return { sha256, embed, close: () => session.release() }
}

function int64(TensorOf: typeof Tensor, values: readonly number[]): Tensor {
  return new TensorOf('int64', BigInt64Array.from(values, BigInt), [1, values.length])
}

/** Exports exist that leave out the constant third input. */
function wanted(session: InferenceSession, inputs: Readonly<Record<string, Tensor>>): Record<string, Tensor> {
  return Object.fromEntries(Object.entries(inputs).filter(([name]) => session.inputNames.includes(name)))
}

function checked(hidden: Tensor | undefined, length: number, dimensions: number): Float32Array {
  if (hidden === undefined) throw new Error(`the model has no output ${output}`)
  const [batch, rows, found] = hidden.dims
  if (hidden.dims.length !== 3 || batch !== 1 || rows !== length || !(hidden.data instanceof Float32Array))
    throw new Error(`the model's ${output} is ${hidden.type}[${hidden.dims}], not float32[1,n,${dimensions}]`)
  if (found !== dimensions) throw new Error(`the model has ${found} dimensions, ${dimensions} are configured`)
  return hidden.data
}
