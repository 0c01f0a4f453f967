import { type Reply, resultOf, type Scene, whenSaid } from '../script.ts'

const recall: Scene = {
  name: 'recall',
  invite: 'what do you remember about the receipt?',
  play: whenSaid(/\bremember about (?:the |a )?([\w -]+)/i, (conversation, [, words = '']): Reply => {
    if (conversation.step === 0)
      return { calls: [{ tool: 'bash', args: { command: `ghyll memory search ${words.trim()}` } }] }
    const found = resultOf(conversation, 'bash').trimEnd()
    // A hash at the beginning of a line is a checkpoint.
    if (!/^[0-9a-f]{12} /m.test(found))
      return { text: 'Nothing yet. A checkpoint is made every few turns, by `/compact`, and when you leave.' }
    return { text: `These checkpoints speak of it, best first:\n\n\`\`\`\n${found}\n\`\`\`` }
  })
}

/** Scenes that look into what the session remembers. */
export const memoryScenes: readonly Scene[] = [recall]
