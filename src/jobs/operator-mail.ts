/**
 * Mail to the operator about problems that need action: suspensions, a full disk, a failed backup, certificates. The first notice is sent at once, those within
 * the next hour are collected for the next mail. A notice is a row before anything is sent, and the id of a mail follows from its number, so a crash neither
 * loses nor repeats one.
 */
import type { Letters } from '../accounts/letters.js'
import { type Clock, DAY, HOUR, timestamp } from '../lib/clock.js'
import { cut, oneLine } from '../lib/text.js'
import type { Log } from '../observe/log.js'
import { decode, encode, key, keyParts, prefixRange } from '../store/keys.js'
import type { Task, WorkQueue } from '../queue/types.js'
import type { Store, Transaction } from '../store/types.js'

export interface OperatorNotice {
  /** Id of the problem: repeated within a week, it is sent once. */
  id: string
  /** A sentence without any content of mail. */
  text: string
}

export type OperatorMail = Awaited<ReturnType<typeof startOperatorMail>>

export interface OperatorMailDeps {
  store: Store
  queue: Pick<WorkQueue, 'enqueue' | 'run'>
  clock: Clock
  letters: Pick<Letters, 'post'>
  to: string
  /** URL of the web pages, without a final slash. */
  baseUrl: string
  log: Pick<Log, 'warn' | 'error'>
}

/** `digest` is the number of its mail; null while it waits. */
interface NoticeRow {
  at: number
  text: string
  digest: number | null
}

/** `next` is the number of the next mail; `left` is the number of notices dropped for lack of space. */
interface DigestState {
  next: number
  lastAt: number
  left: number
}

interface DigestTask {
  digest: number
}

const KIND = 'operator-mail'
export const OPERATOR_MAIL_PARTITION = 'operator-mail'
const STATE = key('digest-state')
const NOTICES = prefixRange('notice')
const noticeKey = (id: string): Uint8Array => key('notice', id)
const BETWEEN_MS = HOUR
const REMEMBERED_MS = 7 * DAY
/** Max stored notices, including those sent within a week. */
const MAX_NOTICES = 500
const MAX_TEXT = 500
const MAX_ID = 200

export async function startOperatorMail(deps: OperatorMailDeps) {
  const { store, queue, clock, log } = deps

  const enqueue = ({ next, lastAt }: DigestState): Promise<void> =>
    queue.enqueue<DigestTask>(KIND, {
      id: `digest:${next}`,
      payload: { digest: next },
      due: Math.max(clock.now(), lastAt + BETWEEN_MS),
    })

  const worker = queue.run<DigestTask>(KIND, (task) => send(deps, task), {
    concurrency: 1,
    onError: (err, { id, attempts }) =>
      log.error({ err, task_id: id, attempts }, 'mail to the operator failed; it is tried again'),
    onQueueError: (err) => log.error({ err }, 'the work queue failed; it is tried again'),
  })

  // A process that died may have written a notice, but not the task for its mail.
  const waiting = await store.read(OPERATOR_MAIL_PARTITION, async (view) => {
    const rows = await view.range({ ...NOTICES, limit: MAX_NOTICES })
    const isWaiting = rows.some(([, value]) => decode<NoticeRow>(value).digest === null)
    return isWaiting ? stateOf(await view.get(STATE)) : undefined
  })
  if (waiting) await enqueue(waiting)

  return {
    /** Durable when it resolves; the mail is sent within the hour. */
    async tell({ id, text }: OperatorNotice): Promise<void> {
      const state = await store.write(OPERATOR_MAIL_PARTITION, async (tx) => {
        const row = noticeKey(cut(id, MAX_ID))
        const state = stateOf(await tx.get(STATE))
        if (await tx.get(row)) return state
        if ((await tx.range({ ...NOTICES, limit: MAX_NOTICES })).length === MAX_NOTICES) {
          tx.put(STATE, encode({ ...state, left: state.left + 1 } satisfies DigestState))
          return state
        }
        const notice: NoticeRow = { at: clock.now(), text: cut(oneLine(text), MAX_TEXT), digest: null }
        tx.put(row, encode(notice))
        return state
      })
      log.warn({ notice: cut(id, MAX_ID) }, 'notice to the operator')
      await enqueue(state)
    },
    stop: (): Promise<void> => worker.stop(),
  }
}

async function send(deps: OperatorMailDeps, { payload: { digest } }: Task<DigestTask>): Promise<{ done: true }> {
  const { store, clock, letters, to, baseUrl } = deps
  const { notices, left } = await store.write(OPERATOR_MAIL_PARTITION, (tx) => assignNotices(tx, digest, clock.now()))
  if (notices.length === 0) return { done: true }
  const { host } = new URL(baseUrl)
  const more = left === 0 ? '' : ` ${left} more were left out; the log has them.`
  await letters.post(`operator-digest:${digest}`, {
    to,
    subject: notices.length === 1 ? `${host}: something needs you` : `${host}: ${notices.length} things need you`,
    parts: [
      {
        kind: 'text',
        text: `The mail server ${host} reports what may need your attention. At most one such mail is sent per hour.${more}`,
      },
      ...notices.map(({ at, text }) => ({ kind: 'text', text: `${timestamp(at)}: ${text}` }) as const),
      {
        kind: 'text',
        text: 'On the server, "restante doctor" checks everything, and "restante audit" shows who did what.',
      },
    ],
  })
  return { done: true }
}

/** Assigns all waiting notices to a mail. Idempotent: run again, it finds the same notices. Removes those sent a week ago. */
async function assignNotices(
  tx: Transaction,
  digest: number,
  now: number,
): Promise<{ notices: NoticeRow[]; left: number }> {
  const state = stateOf(await tx.get(STATE))
  const rows = (await tx.range({ ...NOTICES, limit: MAX_NOTICES })).map(([row, value]) => ({
    id: String(keyParts(row)[1]),
    notice: decode<NoticeRow>(value),
  }))
  const isFirst = state.next === digest
  const notices: NoticeRow[] = []
  for (const { id, notice } of rows) {
    if (notice.digest !== null && notice.at < now - REMEMBERED_MS) tx.delete(noticeKey(id))
    else if (notice.digest === digest) notices.push(notice)
    else if (isFirst && notice.digest === null) {
      notices.push(notice)
      tx.put(noticeKey(id), encode({ ...notice, digest } satisfies NoticeRow))
    }
  }
  if (isFirst && notices.length > 0)
    tx.put(STATE, encode({ next: digest + 1, lastAt: now, left: 0 } satisfies DigestState))
  return { notices: notices.sort((a, b) => a.at - b.at), left: isFirst ? state.left : 0 }
}

function stateOf(bytes: Uint8Array | undefined): DigestState {
  return bytes ? decode<DigestState>(bytes) : { next: 1, lastAt: 0, left: 0 }
}
