import { writeFileSync } from 'node:fs'
import onnxProto from 'onnx-proto'

const { onnx } = onnxProto
const float = onnx.TensorProto.DataType.FLOAT
const int64 = onnx.TensorProto.DataType.INT64

export type TinyModelOptions = {
  readonly dimensions?: number
  /** Rows of the table; a token's row is its number modulo this. */
  readonly rows?: number
  readonly output?: string
}

/**
 * Writes an ONNX model with the inputs and the output of the real one and next to no weights: each token's row of a fixed table, and
 * zeros where the mask is 0. Texts with words in common come out alike.
 */
export function writeTinyModel(path: string, options: TinyModelOptions = {}): void {
  const { dimensions = 384, rows = 64, output = 'last_hidden_state' } = options
  const model = onnx.ModelProto.create({
    irVersion: 7,
    opsetImport: [{ domain: '', version: 13 }],
    graph: {
      name: 'tiny',
      node: [
        { opType: 'Mod', input: ['input_ids', 'rows'], output: ['row'] },
        { opType: 'Gather', input: ['table', 'row'], output: ['embedded'] },
        {
          opType: 'Cast',
          input: ['attention_mask'],
          output: ['mask'],
          attribute: [{ name: 'to', type: onnx.AttributeProto.AttributeType.INT, i: float }]
        },
        { opType: 'Unsqueeze', input: ['mask', 'axes'], output: ['mask3'] },
        { opType: 'Mul', input: ['embedded', 'mask3'], output: [output] }
      ],
      initializer: [
        {
          name: 'table',
          dataType: float,
          dims: [rows, dimensions],
          rawData: Buffer.from(tinyTable(rows, dimensions).buffer)
        },
        { name: 'rows', dataType: int64, dims: [], int64Data: [rows] },
        { name: 'axes', dataType: int64, dims: [1], int64Data: [2] }
      ],
      input: ['input_ids', 'attention_mask', 'token_type_ids'].map((name) => value(name, int64, [1, 'n'])),
      output: [value(output, float, [1, 'n', dimensions])]
    }
  })
  writeFileSync(path, onnx.ModelProto.encode(model).finish())
}

/** The model's weights, the same every time: numbers between -0.5 and 0.5. */
export function tinyTable(rows: number, dimensions: number): Float32Array {
  let state = 1
  return Float32Array.from({ length: rows * dimensions }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return state / 0x7fffffff - 0.5
  })
}

function value(name: string, elemType: number, shape: readonly (number | string)[]) {
  const dim = shape.map((size) => (typeof size === 'string' ? { dimParam: size } : { dimValue: size }))
  return { name, type: { tensorType: { elemType, shape: { dim } } } }
}
