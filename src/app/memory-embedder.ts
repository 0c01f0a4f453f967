import type { CliIo } from '../cli/io.ts'
import { loadEmbedderConfig } from '../config/index.ts'
import { fetchModel, outcomeText, progressText } from '../memory/index.ts'
import { untilInterrupted } from './memory-place.ts'

/** `ghyll memory fetch-embedder` (MEM-120…127); resolves to the exit code. */
export async function fetchEmbedder(force: boolean, io: CliIo): Promise<number> {
  const { modelUrl: url, modelPath: path, modelSha256: sha256 } = loadEmbedderConfig(io.env)
  const isTty = process.stdout.isTTY === true
  return untilInterrupted(async (signal) => {
    try {
      const outcome = await fetchModel(
        { url, path, sha256, force },
        (progress) => io.out(progressText(progress, isTty)),
        signal
      )
      io.out(outcomeText(outcome, path, isTty))
      return 0
    } catch (error) {
      if (!signal.aborted) throw error
      io.err('ghyll: interrupted; nothing was installed\n')
      return 130
    }
  })
}
