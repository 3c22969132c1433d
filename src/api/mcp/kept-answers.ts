/** Caches answers of tools that only read, until their mailbox changes. */
import { mailboxPartition } from '../../mailbox/keys.js'
import type { Store } from '../../store/types.js'
import { createMemory } from '../../store/versioned-cache.js'
import type { KeepAnswer, ToolAnswer } from './tool.js'

/** For all mailboxes. */
const MAX_BYTES = 16 * 1024 * 1024
const MAX_BYTES_EACH = 256 * 1024

interface Kept {
  answer: ToolAnswer
  /** The text around the marks of its fence. What is inside is older than the mark, so it does not contain it. */
  pieces: string[]
  bytes: number
}

export function createKeptToolAnswers(store: Pick<Store, 'version' | 'known' | 'newest' | 'onCommit'>): KeepAnswer {
  const { remember } = createMemory<Kept>({
    store,
    maxBytes: MAX_BYTES,
    maxBytesEach: MAX_BYTES_EACH,
    bytesOf: ({ bytes }) => bytes,
  })
  return async (mailboxId, call, fence, make) => {
    const { answer, pieces } = await remember(mailboxPartition(mailboxId), call, async () => {
      const made = await make()
      // Two bytes a character, once in the text and once in the data.
      const bytes = 2 * (made.text.length + JSON.stringify(made.structured).length)
      return { answer: made, pieces: made.text.split(fence.mark), bytes: made.more ? Infinity : bytes }
    })
    return { ...answer, text: pieces.join(fence.mark) }
  }
}
