import type { VerdictQueue } from '../verdicts/queue.ts'
import type { RiskPrompt } from './ports.ts'

/** The operator's answer by way of the queue: the question is answered, or passed over, when its item is gone (RUN-633, OPUI-540). */
export function riskPrompt(queue: VerdictQueue): RiskPrompt {
  return {
    answered(findingId, signal) {
      const isGone = () => queue.get(`risk:${findingId}`) === null
      if (isGone() || signal.aborted) return Promise.resolve()
      return new Promise((resolve) => {
        const end = () => {
          stop()
          signal.removeEventListener('abort', end)
          resolve()
        }
        const stop = queue.observe(() => {
          if (isGone()) end()
        })
        signal.addEventListener('abort', end, { once: true })
      })
    }
  }
}
