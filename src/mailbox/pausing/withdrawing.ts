/**
 * Withdrawing what waits in a pause: each message is cancelled as its sender could cancel it, in a commit of its own. A crash leaves the rest waiting, and the next
 * call goes on. Mail that the human sent stays.
 */
import { ServiceError } from '../../lib/errors.js'
import type { Store, View } from '../../store/types.js'
import { mailboxPartition } from '../keys.js'
import { oldestListed, statusList } from '../lists.js'
import type { MailboxRecord } from '../mailbox-record.js'
import { readStates } from '../message-rows.js'
import type { MessageState } from '../message.js'
import { requireMailbox } from '../record.js'

/** Max messages that one call cancels. */
const MAX_WITHDRAWN = 500
/** Messages read at a time. */
const STEP = 100
/** Max messages on their way that are counted, of each status. */
const MAX_COUNTED = 500

/** In this order a message that changes meanwhile is still found. */
const WAITING = ['scheduled', 'checking', 'held', 'queued'] as const
/** Some of their recipients may be tried again after the pause. */
const ON_THEIR_WAY = ['sending', 'sent'] as const
type Listed = (typeof WAITING | typeof ON_THEIR_WAY)[number]

export const WITHDRAWN = { code: 'withdrawn', detail: 'Withdrawn with a pause of the mailbox' }

export interface Withdrawn {
  withdrawn: number
  /** Too late: their delivery has begun. At most 500 of each status are counted. */
  on_their_way: number
  /** There is more that waits: call again. */
  has_more: boolean
}

export interface WithdrawingDeps {
  store: Store
  /** @throws ServiceError `not_found`, `too_late` */
  cancel: (mailboxId: string, messageId: string, how: { why: typeof WITHDRAWN }) => Promise<unknown>
}

/** @param atMost messages that one call cancels */
export function createWithdrawing({ store, cancel }: WithdrawingDeps, atMost = MAX_WITHDRAWN) {
  return {
    /** Cancels what agents sent before the pause; nothing where the mailbox is not paused. @throws ServiceError `not_found` */
    async withdraw(mailboxId: string): Promise<Withdrawn> {
      const late = new Set<string>()
      let withdrawn = 0
      for (const status of WAITING)
        for (let from: number | undefined = 0; from !== undefined;) {
          const { ids, next }: Found = await found(mailboxId, status, from, STEP)
          for (const id of ids) {
            if (withdrawn === atMost) return answer(mailboxId, withdrawn, late, true)
            const outcome = await cancelled(mailboxId, id)
            if (outcome === 'done') withdrawn++
            if (outcome === 'too_late') late.add(id)
          }
          from = next
        }
      return answer(mailboxId, withdrawn, late, false)
    },
  }

  /** The agents' messages with a status, from a place on. */
  function found(mailboxId: string, status: Listed, from: number, limit: number): Promise<Found> {
    return store.read(mailboxPartition(mailboxId), async (view) =>
      foundIn(view, await requireMailbox(view), status, { from, limit }),
    )
  }

  async function cancelled(mailboxId: string, messageId: string): Promise<'done' | 'too_late' | 'gone'> {
    try {
      await cancel(mailboxId, messageId, { why: WITHDRAWN })
      return 'done'
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      if (error.code === 'too_late') return 'too_late'
      if (error.code === 'not_found') return 'gone'
      throw error
    }
  }

  async function answer(mailboxId: string, withdrawn: number, late: Set<string>, hasMore: boolean): Promise<Withdrawn> {
    for (const status of ON_THEIR_WAY)
      for (const id of (await found(mailboxId, status, 0, MAX_COUNTED)).ids) late.add(id)
    return { withdrawn, on_their_way: late.size, has_more: hasMore }
  }
}

interface Found {
  ids: string[]
  /** Place to go on from; undefined after the last one. */
  next: number | undefined
}

async function foundIn(
  view: View,
  { paused }: MailboxRecord,
  status: Listed,
  { from, limit }: { from: number; limit: number },
): Promise<Found> {
  const listed = await oldestListed(view, statusList(status), 'message', from, limit)
  const seqs = listed.filter((seq) => paused && seq <= paused.seq)
  const last = seqs.at(-1)
  const ids = (await readStates(view, seqs)).filter(isOfAgent).map(({ id }) => id)
  return { ids, next: seqs.length < limit || last === undefined ? undefined : last + 1 }
}

const isOfAgent = ({ requestedBy, composedBy }: MessageState): boolean =>
  requestedBy ? requestedBy.type !== 'session' : composedBy !== 'human'
