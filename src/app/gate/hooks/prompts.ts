import adversary from './prompts/adversary.md'
import analyst from './prompts/analyst.md'
import classify from './prompts/classify.md'
import definer from './prompts/definer.md'
import falsify from './prompts/falsify.md'
import hint from './prompts/hint.md'

import openSweep from './prompts/open-sweep.md'
import producer from './prompts/producer.md'
import reader from './prompts/reader.md'
import recheck from './prompts/recheck.md'
import reminder from './prompts/reminder.md'

/** What the models are told, one text per errand; `{{name}}` is filled in. */
export const prompts = {
  adversary,
  analyst,
  classify,
  definer,
  falsify,
  hint,
  reader,
  openSweep,
  producer,
  recheck,
  reminder
} as const
