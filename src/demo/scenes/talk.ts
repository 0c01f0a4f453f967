import type { Conversation, Reply, Scene } from '../script.ts'

/** A request without tools wants text about the conversation: a compaction. */
export const summary: Scene = {
  name: 'summary',
  play(conversation) {
    if (conversation.tools.size > 0) return null
    return {
      text: `Task: the operator tries ghyll on the sample shop.\nState: see the working tree; what was changed is in git.\nOpen: whatever the operator asks next.`,
      pace: 400
    }
  }
}

/** The answer to free text: says what it is, what it heard, and what can be tried. */
export function freeText(scenes: readonly Scene[]): (conversation: Conversation) => Reply {
  const invitations = scenes.flatMap((scene) => (scene.invite === undefined ? [] : [`- ${scene.invite}`]))
  return ({ said, step }) => ({
    text:
      step > 0
        ? 'That is done.'
        : `I am a script, not a model, and have no answer prepared for "${shorten(said)}". What I can show:\n\n${invitations.join('\n')}\n\nEverything I do on the way is real: files, commands, commits.`,
    pace: 120
  })
}

function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ')
  return line.length <= 60 ? line : `${[...line].slice(0, 59).join('')}…`
}
