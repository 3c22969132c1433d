/** THREAD=ORDEREDSUBJECT (RFC 5256 §3): messages of one base subject, all below the first of them. */
import type { TimedTurns } from '../../mailbox/search/turns.js'
import { sortInTurns } from './sort-in-turns.js'
import type { ThreadFacts } from './thread-facts.js'
import type { ThreadNode } from './thread-nodes.js'

/** @param messages in the order of the folder */
export async function orderedSubjectThreads(
  messages: readonly ThreadFacts[],
  turns: TimedTurns,
): Promise<ThreadNode[]> {
  const sentMs = (at: number): number => messages[at]?.sentMs ?? 0
  const order = await sortInTurns([...messages.keys()], (a, b) => sentMs(a) - sentMs(b), turns)
  // By the date of the first message, as the first one of each subject comes.
  const threads = new Map<string, ThreadNode>()
  for (const at of order) {
    const { subject = '', position } = messages[at] ?? {}
    const thread = threads.get(subject)
    const node: ThreadNode = { position, children: [] }
    if (thread) thread.children.push(node)
    else threads.set(subject, node)
  }
  return [...threads.values()]
}
