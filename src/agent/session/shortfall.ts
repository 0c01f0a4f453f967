import type { ModelReply } from '../../protocol/model.ts'

/**
 * What a whole reply is short of, in words for the operator; null when it is as it should be. The server ended it early (MODEL-043), or
 * it says nothing and asks for nothing, which on the screen looks like no reply at all.
 */
export function shortfall({ finishReason }: Pick<ModelReply, 'finishReason'>, said: Said): string | null {
  const isEmpty = said.text.trim() === '' && said.calls === 0
  if (finishReason === 'length') return "response cut off at the model's output limit"
  if (finishReason === 'content_filter')
    return isEmpty
      ? "answer withheld by the endpoint's content filter"
      : "response cut off by the endpoint's content filter"
  if (!isEmpty) return null
  return said.reasoning.trim() === ''
    ? 'the model answered with nothing'
    : 'the model reasoned, but answered with nothing'
}

type Said = { readonly text: string; readonly reasoning: string; readonly calls: number }
