/**
 * Drafts that wait for approval: they are returned when nobody has decided in time, and their human is told by a letter. The first letter is sent at once, drafts of
 * the next 15 minutes are collected for the next one. One transaction notes that the letter was sent and posts it, so that of several nodes one
 * sends it; its id follows from its drafts, so that a crash before they are marked repeats none.
 */
import type { Letter, Letters } from '../accounts/letters.js'
import { accountPartition } from '../accounts/record.js'
import type { Accounts } from '../accounts/types.js'
import { type Clock, MINUTE } from '../lib/clock.js'
import { sha256Hex } from '../lib/ids.js'
import { cut, oneLine } from '../lib/text.js'
import type { Mailboxes } from '../mailbox/composition/mailboxes.js'
import type { WaitingDraft } from '../mailbox/drafts/deciding.js'
import { APPROVAL_EXPIRY_KIND, APPROVAL_LETTER_KIND, type ApprovalTask } from '../mailbox/sending/review-tasks.js'
import type { Log } from '../observe/log.js'
import type { Task, TaskOutcome, WorkQueue } from '../queue/types.js'
import { encode, key } from '../store/keys.js'
import type { Store } from '../store/types.js'
import { readValue } from '../store/values.js'

export interface ApprovalsDeps {
  store: Store
  queue: Pick<WorkQueue, 'run'>
  clock: Clock
  accounts: Pick<Accounts, 'get' | 'mailboxes'>
  mailboxes: Pick<Mailboxes, 'deciding' | 'directory'>
  letters: Pick<Letters, 'compose'>
  /** Without a slash at its end. */
  baseUrl: string
  log: Pick<Log, 'error'>
}

/** Time of the last letter to the account's owner, in milliseconds since the epoch. */
const TOLD_AT = key('approval-letter')
const BETWEEN_MS = 15 * MINUTE
/** Max drafts listed in a letter. */
const MAX_LISTED = 20
const MAX_SUBJECT = 200
const MAX_RECIPIENTS = 5

export function startApprovals(deps: ApprovalsDeps): { stop(): Promise<void> } {
  const { queue, mailboxes, log } = deps
  const options = {
    onError: (err: unknown, { id, attempts }: Task<unknown>) =>
      log.error({ err, task_id: id, attempts }, 'task of a waiting draft failed; it is tried again'),
    onQueueError: (err: unknown) => log.error({ err }, 'the work queue failed; it is tried again'),
  }
  const workers = [
    queue.run<ApprovalTask>(APPROVAL_EXPIRY_KIND, ({ payload }) => mailboxes.deciding.expire(payload), {
      ...options,
      concurrency: 4,
    }),
    queue.run<ApprovalTask>(APPROVAL_LETTER_KIND, (task) => tellOfWaiting(deps, task), { ...options, concurrency: 1 }),
  ]
  return { stop: async () => void (await Promise.all(workers.map((worker) => worker.stop()))) }
}

/** Tells the owner of an account about drafts that they were not told of yet, unless the last letter was sent just now. */
export async function tellOfWaiting(
  deps: Omit<ApprovalsDeps, 'queue' | 'log'>,
  { payload: { account_id: accountId } }: Pick<Task<ApprovalTask>, 'payload'>,
): Promise<TaskOutcome<ApprovalTask>> {
  const { store, clock, accounts, mailboxes, letters } = deps
  const account = await accounts.get(accountId)
  if (!account || account.owner === null) return { done: true }
  const untold = (await waitingOf(deps, accountId)).filter(({ isTold }) => !isTold)
  if (untold.length === 0) return { done: true }
  const now = clock.now()
  const lastAt = await store.read(accountPartition(accountId), (view) => readValue<number>(view, TOLD_AT))
  if (lastAt !== undefined && now < lastAt + BETWEEN_MS) return { done: false, retryAt: lastAt + BETWEEN_MS }
  const names = untold.map(({ id, review }) => `${id}:${review?.asked_at ?? ''}`).sort()
  const letter = letterOf(deps, account.owner, untold)
  const post = await letters.compose(`drafts-waiting:${sha256Hex(names.join(' '))}`, letter)
  const toldAt = await store.write(accountPartition(accountId), async (tx) => {
    const found = await readValue<number>(tx, TOLD_AT)
    // Another node was first: its letter may have these drafts.
    if (found !== lastAt) return found
    tx.put(TOLD_AT, encode(now))
    post(tx)
    return undefined
  })
  if (toldAt !== undefined) return { done: false, retryAt: toldAt + BETWEEN_MS }
  for (const { mailbox_id: mailboxId, id } of untold) await mailboxes.deciding.noteTold(mailboxId, id)
  return { done: true }
}

async function waitingOf(
  { accounts, mailboxes }: Pick<ApprovalsDeps, 'accounts' | 'mailboxes'>,
  accountId: string,
): Promise<WaitingDraft[]> {
  const ids = await accounts.mailboxes(accountId)
  return (await Promise.all(ids.map((id) => mailboxes.deciding.waiting(id)))).flat()
}

function letterOf({ baseUrl }: Pick<ApprovalsDeps, 'baseUrl'>, to: string, drafts: readonly WaitingDraft[]): Letter {
  const { host } = new URL(baseUrl)
  const [first] = drafts
  const isOne = drafts.length === 1 && first !== undefined
  const listed = drafts.slice(0, MAX_LISTED)
  const more = drafts.length - listed.length
  const text = (words: string) => ({ kind: 'text', text: words }) as const
  return {
    to,
    subject: isOne ? `${host}: a draft waits for you` : `${host}: ${drafts.length} drafts wait for you`,
    parts: [
      text(
        isOne
          ? 'Your agent wants to send this message. It waits until you decide: read it, change it, send it, discard it, or send it back with a note.'
          : 'Your agents want to send these messages. They wait until you decide: read them, change them, send them, discard them, or send them back with a note.',
      ),
      ...listed.map((draft) => text(lineOf(draft))),
      ...(more > 0 ? [text(`And ${more} more.`)] : []),
      {
        kind: 'link',
        label: isOne ? 'Read and decide' : 'See them all',
        url: isOne ? `${baseUrl}/review/${first.mailbox_id}/${first.id}` : `${baseUrl}/review`,
      },
    ],
  }
}

function lineOf({ subject, to, cc, bcc, review }: WaitingDraft): string {
  const all = [...to, ...cc, ...bcc].map(({ address }) => address)
  const others = all.length - MAX_RECIPIENTS
  const people = all.slice(0, MAX_RECIPIENTS).join(', ') + (others > 0 ? ` and ${others} more` : '')
  const until = review?.expires_at ? ` (until ${review.expires_at.slice(0, 10)})` : ''
  return `“${cut(oneLine(subject), MAX_SUBJECT)}” to ${people}${until}`
}
