/** The retention sweeps (retention-table.ts has what and when), and the results of their last runs. */
import { setImmediate as tick } from 'node:timers/promises'
import type { Audit } from '../audit/types.js'
import { sweepMailSignIns } from '../accounts/sign-in/mail-sign-in.js'
import { SESSION_KIND, type Sessions } from '../accounts/sessions.js'
import { countChallenges, sweepChallenges } from '../lifecycle/claims/challenge.js'
import { sweepInvites } from '../lifecycle/claims/invite-limits.js'
import { countLessons } from '../guard/verdict/correction.js'
import { type Clock, timestamp } from '../lib/clock.js'
import { idTime, isId } from '../lib/ids.js'
import { mailboxIds } from '../mailbox/all-mailboxes.js'
import { sweepTrash } from '../mailbox/retention/purge.js'
import { isBlobReferenced } from '../lifecycle/export/pieces.js'
import { sweepMailbox, type MailboxRetention } from '../mailbox/retention/sweep.js'
import type { Reviewing } from '../mailbox/review/review.js'
import type { OAuth } from '../oauth/oauth.js'
import type { Receipts } from '../receipts/types.js'
import type { Reports } from '../reporting/received/reports.js'
import { countExpiring, sweepExpired } from '../store/expiring.js'
import { decode, encode, key } from '../store/keys.js'
import type { WorkQueue } from '../queue/types.js'
import type { Blobs, Store } from '../store/types.js'
import {
  removalWords,
  retained,
  TIMETABLE,
  type RetainedId,
  type RetentionSettings,
  type SweepName,
} from './retention-table.js'

export interface RetentionDeps {
  store: Store
  blobs: Blobs
  clock: Clock
  receipts: Pick<Receipts, 'sweep'>
  reports?: Pick<Reports, 'sweep'> | undefined
  audit?: Pick<Audit, 'sweep'> | undefined
  reviewing?: Pick<Reviewing, 'sweep'> | undefined
  /** Removes their rows in the account once their tokens have expired. */
  sessions?: Pick<Sessions, 'forget'> | undefined
  /** The same for connections and their codes. */
  oauth?: Pick<OAuth, 'forget'> | undefined
  retention: MailboxRetention
}

export interface Sweep {
  name: string
  /** Minute, hour, day, month, weekday; in UTC. */
  schedule: string
  /** Runs on every node, for the shards that it owns. */
  isLocal?: true
  /** Idempotent, and can be interrupted at any step: the next run continues. Returns counts for the log. */
  run(signal: AbortSignal): Promise<Record<string, number>>
}

export function sweepsOf({
  store,
  blobs,
  clock,
  receipts,
  reports,
  audit,
  reviewing,
  sessions,
  oauth,
  retention,
}: RetentionDeps): Sweep[] {
  const sweep = (name: SweepName, run: Sweep['run']): Sweep => ({ name, schedule: TIMETABLE[name], run })
  return [
    // Events after `retention.events_days`, messages after 7 days in the trash, responses for retries and ids of local deliveries after their own time.
    sweep('mailboxes', async (signal) => {
      let removed = 0
      for await (const id of mailboxIds(store, signal)) {
        removed += await sweepMailbox(store, id, clock.now(), retention)
        removed += await sweepTrash({ store, blobs }, id, clock.now())
      }
      return { removed }
    }),
    sweep('expired', async (signal) => {
      const forget = async (kind: string, record: unknown): Promise<void> => {
        if (kind === SESSION_KIND) await sessions?.forget(record)
        await oauth?.forget(kind, record)
      }
      let removed = 0
      while (!signal.aborted) {
        const some = await sweepExpired(store, clock.now(), forget)
        if (some === 0) break
        removed += some
        await tick()
      }
      return { removed }
    }),
    // Each used challenge, and each counted invite or sign-in link, clears some too.
    sweep('challenges', (signal) => inSteps(signal, () => sweepChallenges(store, clock.now()))),
    sweep('invites', (signal) => inSteps(signal, () => sweepInvites(store, clock.now()))),
    sweep('mail-sign-ins', (signal) => inSteps(signal, () => sweepMailSignIns(store, clock.now()))),
    sweep('trash', async () => ({ removed: await blobs.emptyTrash(clock.now()) })),
    // Reviews interrupted by a crash are finished too.
    sweep('reviews', async (signal) => ({ removed: (await reviewing?.sweep(signal)) ?? 0 })),
    sweep('receipts', async (signal) => ({ removed: await receipts.sweep(signal) })),
    sweep('audit', async (signal) => ({ removed: (await audit?.sweep(signal)) ?? 0 })),
    sweep('reports', async (signal) => ({ removed: (await reports?.sweep(signal)) ?? 0 })),
    // Raw messages without a message and deleted ones, files of drafts, pieces of archives.
    sweep('blobs', async () => ({
      ...(await blobs.sweep(clock.now(), (owner, id) => isBlobReferenced(store, owner, id), await storeBornAt(store))),
    })),
  ]
}

/** Time of the first start, from the id of the operator's mailbox. Undefined if there is none. */
async function storeBornAt(store: Store): Promise<number | undefined> {
  for await (const id of mailboxIds(store)) return isId('mbx', id) ? idTime(id) : undefined
  return undefined
}

/** Runs bounded steps that let others run in between. */
async function inSteps(
  signal: AbortSignal,
  step: () => Promise<{ removed: number; more: boolean }>,
): Promise<{ removed: number }> {
  let removed = 0
  while (!signal.aborted) {
    const some = await step()
    removed += some.removed
    if (!some.more) break
    await tick()
  }
  return { removed }
}

export interface SweepRecord {
  at: number
  done: Record<string, number>
}

/** Partition with the last result (`sweep`) and the next run (`due`, missed-runs.ts) of each sweep. */
export const SWEEPS_PARTITION = 'sweeps'
const recordKey = (name: string): Uint8Array => key('sweep', name)

export async function noteSweep(store: Store, name: string, record: SweepRecord): Promise<void> {
  await store.write(SWEEPS_PARTITION, (tx) => tx.put(recordKey(name), encode(record)))
}

export async function readSweep(store: Store, name: string): Promise<SweepRecord | undefined> {
  const bytes = await store.read(SWEEPS_PARTITION, (view) => view.get(recordKey(name)))
  return bytes && decode<SweepRecord>(bytes)
}

export interface RetentionState {
  what: string
  kept: string
  setting: string | null
  removed_by: string
  /** Null if counting would take long; with `at_least` the count stopped there. */
  amount: { count: number; unit: string; at_least: boolean } | null
  last_swept_at: string | null
  /** Total removed by the last run of its sweep. */
  last_removed: number | null
}

export interface RetentionReportDeps {
  store: Store
  blobs: Pick<Blobs, 'countTrash'>
  queue: Pick<WorkQueue, 'counts'>
  receipts: Pick<Receipts, 'count'>
  reports?: Pick<Reports, 'count'> | undefined
  audit?: Pick<Audit, 'count'> | undefined
  settings: RetentionSettings
  /** Days with counts of TLS; undefined if none are made. */
  tlsDays?: (() => Promise<number>) | undefined
  /** The same for DMARC. */
  dmarcDays?: (() => Promise<number>) | undefined
}

type Amount = NonNullable<RetentionState['amount']>

const COUNTED_AT_MOST = 10_000

/** @returns a function that reads what is kept, its amount, and the time of its last sweep */
export function createRetentionReport(deps: RetentionReportDeps): () => Promise<RetentionState[]> {
  const { store, blobs, queue, receipts } = deps
  const exactly = (count: number, unit: string): Amount => ({ count, unit, at_least: false })
  const upTo = (count: number, unit: string): Amount => ({ count, unit, at_least: count === COUNTED_AT_MOST })
  const tasks = async (kind: string, unit: string): Promise<Amount> => {
    const { waiting, ready, leased, held } = await queue.counts(kind)
    return exactly(waiting + ready + leased + held, unit)
  }
  const counts: Partial<Record<RetainedId, () => Promise<Amount>>> = {
    receipts: async () => upTo(await receipts.count(COUNTED_AT_MOST), 'receipts'),
    ...(deps.reports && { reports: async () => exactly((await deps.reports?.count()) ?? 0, 'reports') }),
    ...(deps.audit && { audit: async () => upTo((await deps.audit?.count(COUNTED_AT_MOST)) ?? 0, 'entries') }),
    unclaimed: () => tasks('claim', 'claims of the last day'),
    challenges: async () => upTo(await countChallenges(store, COUNTED_AT_MOST), 'challenges'),
    lessons: async () => exactly(await countLessons(store), 'lessons'),
    tokens: async () => upTo(await countExpiring(store, COUNTED_AT_MOST), 'records'),
    exports: () => tasks('export', 'exports of the last 30 days'),
    trash: async () => exactly(await blobs.countTrash(), 'files'),
    deletions: () => tasks('deletion', 'accounts'),
    ...(deps.dmarcDays && { dmarc: async () => exactly((await deps.dmarcDays?.()) ?? 0, 'days') }),
    ...(deps.tlsDays && { tls: async () => exactly((await deps.tlsDays?.()) ?? 0, 'days') }),
  }

  return () =>
    Promise.all(
      retained(deps.settings).map(async ({ id, what, kept, setting, removal }) => {
        const swept = removal.by === 'sweep' ? await readSweep(store, removal.sweep) : undefined
        return {
          what,
          kept,
          setting,
          removed_by: removalWords(removal),
          amount: (await counts[id]?.()) ?? null,
          last_swept_at: swept ? timestamp(swept.at) : null,
          last_removed: swept ? (swept.done['removed'] ?? null) : null,
        }
      }),
    )
}
