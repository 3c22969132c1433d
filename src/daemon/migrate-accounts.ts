/**
 * Version 6: what became of mail is counted by its account alone. Each mailbox had a count of its own (`outcomes`), and its account how much of that it
 * had counted (`counted`): what is left is added to the account's days.
 */
import { addToDay } from '../accounts/counting.js'
import { NO_OUTCOMES, minus } from '../accounts/outcomes.js'
import type { DayCounts } from '../accounts/outcomes.js'
import { accountPartition } from '../accounts/record.js'
import { mailboxListKey, mailboxListRange, mailboxPartition, META_PARTITION } from '../mailbox/keys.js'
import { readMailbox } from '../mailbox/record.js'
import { decode, key, keyAfter, keyParts, prefixRange } from '../store/keys.js'
import type { Store } from '../store/types.js'

const TALLY = key('outcomes')
const countedKey = (mailboxId: string): Uint8Array => key('counted', mailboxId)
const COUNTED = prefixRange('counted')

/** Rows that one commit takes away, and mailboxes of one step. */
const STEP = 200

/** @param cursor '' at the beginning, `mailbox ` and the id of the one that was settled last, then `account ` and the name of the last partition */
export async function countByAccount(store: Store, cursor: string): Promise<string | undefined> {
  const [stage = '', last = ''] = cursor.split(' ')
  return stage === 'account' ? clearAccount(store, last) : settleMailboxes(store, last)
}

async function settleMailboxes(store: Store, last: string): Promise<string> {
  const { gte, lt } = mailboxListRange
  const from = last === '' ? gte : keyAfter(mailboxListKey(last))
  const rows = await store.read(META_PARTITION, (view) => view.range({ gte: from, lt, limit: STEP }))
  let next = last
  for (const [row] of rows) {
    next = String(keyParts(row)[1])
    await settleTally(store, next)
  }
  return rows.length < STEP ? 'account ' : `mailbox ${next}`
}

async function settleTally(store: Store, mailboxId: string): Promise<void> {
  const partition = mailboxPartition(mailboxId)
  if (!(await store.read(partition, (view) => view.get(TALLY)))) return
  const accountId = (await readMailbox(store, mailboxId))?.accountId ?? null
  const account = accountId === null ? undefined : accountPartition(accountId)
  await store.write(account === undefined ? partition : [partition, account], async (tx) => {
    const tally = await tx.get(TALLY)
    if (!tally) return
    tx.delete(TALLY)
    if (account === undefined) return
    const of = tx.in(account)
    const bytes = await of.get(countedKey(mailboxId))
    const counted = bytes ? decode<DayCounts[]>(bytes) : []
    for (const { day, ...counts } of decode<DayCounts[]>(tally)) {
      const already = counted.find((each) => each.day === day) ?? NO_OUTCOMES
      await addToDay(of, { day, ...minus(counts, already) })
    }
    of.delete(countedKey(mailboxId))
  })
}

/** Of mailboxes that are gone. */
async function clearAccount(store: Store, last: string): Promise<string | undefined> {
  const [partition] = await store.partitions(last === '' ? 'account/' : last, 1)
  if (!partition?.startsWith('account/')) return undefined
  const isMore = await store.write(partition, async (tx) => {
    const rows = await tx.range({ ...COUNTED, limit: STEP })
    for (const [row] of rows) tx.delete(row)
    return rows.length === STEP
  })
  return isMore ? `account ${last}` : `account ${partition}`
}
