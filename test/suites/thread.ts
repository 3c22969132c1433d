/**
 * Mailboxes with known conversations, put through our threading in the order they arrived. Wanted is who is in one tree in the suite's own
 * tests (t/1.t to 4.t, and 7.t); ours are flat conversations, so trees are compared by their members. Of the other mailboxes its tests only
 * demand that reading them ends; there RFC 5256 §2.2 says who belongs together (References, In-Reply-To, messages that nobody has in
 * between, and the base subject).
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { insertMessage } from '../../src/mailbox/delivery/insert.js'
import { contentOf } from '../../src/mailbox/message.js'
import { parseMessage } from '../../src/mime/parse/parse.js'
import type { ParsedMessage } from '../../src/mime/types.js'
import { baseSubject } from '../../src/mime/subject.js'
import { newId } from '../../src/lib/ids.js'
import { createStore } from '../../src/store/store.js'
import { limits } from '../mime/support.js'
import { mailboxRecord } from '../support/store/mailbox-record.js'
import { memoryEngine } from '../support/store/memory-engine.js'
import type { Difference, Suite, SuiteRun } from './suite.js'

/** The trees of the suite's tests, each by the numbers of its messages in the mailbox. */
const TREES: Record<string, number[][]> = {
  testbox: [
    [1, 2, 3, 9, 10],
    [4, 5],
    [6, 7, 8],
  ],
  'testbox-2': [[1, 2, 3]],
  'testbox-3': [[1, 2, 3]],
  'testbox-4': [[5], [1, 2, 3, 4, 6, 7]],
  'testbox-7': [[1]],
}

export const threadSuite: Suite = {
  folder: 'thread-mail-thread',
  title: 'Mail::Thread: messages of one conversation are in one thread',
  rule: 'RFC 5256 §2.2, DESIGN §6',
  size: 43,
  source:
    'The trees for testbox, -2, -3, -4 and -7 are from the tests of the suite; for -5 and -6 these only require termination, and -8 and -9 have none: there RFC 5256 §2.2 applies.',
  explanations: Object.fromEntries([
    ...[1, 2, 3, 4].map((n) => [
      `testbox-5 #${n}`,
      'replies that arrive before the original: each begins a thread, and threads are never rearranged',
    ]),
    ...[1, 2, 3, 4, 5, 6, 7].map((n) => [
      `testbox-4 #${n}`,
      'message 5 is "Re:" and the subject of the others, without References: RFC 5256 §2.2, step 5, puts it in their conversation',
    ]),
  ]),
  run: async (dir): Promise<SuiteRun> => {
    let total = 0
    const differences: Difference[] = []
    for (const name of readdirSync(join(dir, 't')).sort()) {
      const messages = await readMailbox(join(dir, 't', name))
      const got = partition(await threaded(messages))
      const trees = TREES[name]
      const wanted = partition(trees ? byTree(trees, messages.length) : byReferences(messages))
      total += messages.length
      for (const [i, members] of wanted.entries()) {
        const ours = got[i] ?? ''
        if (ours !== members) differences.push({ case: `${name} #${i + 1}`, got: ours, wanted: members })
      }
    }
    return { total, differences }
  },
}

async function readMailbox(path: string): Promise<ParsedMessage[]> {
  const text = readFileSync(path, 'latin1')
  const raws = text.split(/^From .*\n/m).filter((raw) => raw.trim() !== '')
  return Promise.all(raws.map((raw) => parseMessage(Buffer.from(raw, 'latin1'), limits)))
}

/** The thread of each message as the mailbox gives it. */
async function threaded(messages: ParsedMessage[]): Promise<string[]> {
  const store = createStore(memoryEngine({ lateness: 0, conflicts: 0 }))
  const mailbox = mailboxRecord({ address: 'reader@agents.example' })
  const threads: string[] = []
  let now = 0
  for (const message of messages) {
    now = Math.max(now + 1, message.date ?? 0)
    const at = now
    await store.write(`mailbox/${mailbox.id}`, async (tx) => {
      mailbox.seq++
      const state = {
        id: newId('msg', at),
        direction: 'inbound' as const,
        status: 'received' as const,
        labels: [],
        unread: true,
        rawBytes: 1,
        rawIn: 'store' as const,
        recipients: [],
        check: null,
        holdReasons: [],
        newRecipientCount: 0,
        sentAt: null,
        createdAt: at,
        updatedAt: at,
      }
      const room = { storageBytes: 1e9, pendingStorageBytes: 1e9 }
      const { threadId } = await insertMessage(
        tx,
        mailbox,
        { state, content: contentOf(message, at), raw: undefined },
        room,
      )
      threads.push(threadId)
    })
  }
  return threads
}

/** @throws when the mailbox has other messages than those of the trees */
function byTree(trees: number[][], messages: number): string[] {
  const groups = new Map(trees.flatMap((tree, i) => tree.map((number) => [number, `tree ${i}`])))
  if (groups.size !== messages) throw new Error(`${messages} messages, and ${groups.size} in trees`)
  return Array.from({ length: messages }, (_, i) => groups.get(i + 1) ?? '')
}

/** Groups by what messages refer to, those in between that nobody has included, and then by base subject. */
function byReferences(messages: ParsedMessage[]): string[] {
  const parent = new Map<string, string>()
  const root = (id: string): string => {
    const up = parent.get(id)
    return up === undefined || up === id ? id : root(up)
  }
  const join = (a: string, b: string): void => void parent.set(root(a), root(b))
  messages.forEach((message, i) => {
    const ids = [message.messageId, ...message.references, message.inReplyTo].filter((id) => id !== null)
    ids.forEach((id) => join(`message ${i}`, id))
    const subject = baseSubject(message.subject)
    if (subject !== '') join(`message ${i}`, `subject ${subject}`)
  })
  return messages.map((_, i) => root(`message ${i}`))
}

/** For each message, the numbers of those in its group. */
function partition(groups: string[]): string[] {
  return groups.map((group) => groups.flatMap((other, i) => (other === group ? [i + 1] : [])).join(' '))
}
