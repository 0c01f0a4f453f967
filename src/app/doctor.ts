import { existsSync } from 'node:fs'
import type { DoctorCheck } from '../cli/index.ts'
import type { Config } from '../config/index.ts'
import { messageOf } from '../lib/error.ts'
import { openEmbedder } from '../memory/index.ts'

/** The checks of `ghyll doctor` that need more than the files around: a model that is there has to load and answer (CLI-022, MEM-117). */
export function doctorChecks({ memory: { embedder } }: Config): readonly DoctorCheck[] {
  return existsSync(embedder.modelPath) ? [{ name: 'embedder model', run: () => checkModel(embedder) }] : []
}

async function checkModel(settings: Config['memory']['embedder']): ReturnType<DoctorCheck['run']> {
  const trouble: string[] = []
  const embedder = await openEmbedder(settings, { onTrouble: (failure) => trouble.push(messageOf(failure)) })
  try {
    const vector = await embedder.embed('hello')
    if (vector === null) return { status: 'failed', text: trouble.join('; ') }
    return { status: 'ok', text: `loads and answers with ${vector.length} dimensions (${settings.tokenizer})` }
  } finally {
    await embedder.close()
  }
}
