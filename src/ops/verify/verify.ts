/**
 * Checks a data folder: every row of every partition by the table of families (table.ts), each mailbox and its search index as a whole, every file. Read-only.
 * It runs in a separate process beside the daemon, in short reads; a finding may mix two commits, so each is checked again, and only repeated findings
 * are reported.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { type Clock, SECOND } from '../../lib/clock.js'
import { readMailbox } from '../../mailbox/record.js'
import type { WorkQueue } from '../../queue/types.js'
import type { Store } from '../../store/types.js'
import { findOrphans, type ReadableBlobs } from './files.js'
import { verifyMailbox, type Counted } from './mailbox.js'
import { verifyAddresses, verifyOwner, verifyTasksOf } from './references.js'
import { faultOfIndex } from './search.js'
import { FINDINGS, type Finding, type Report, type Verified } from './families/types.js'
import { kindOf, unlessGarbled, walkPartition, type Walked } from './walk.js'

/** Further findings are only counted. */
const MAX_FINDINGS = 10_000
const LOOKS = 3
/** Prefix of partitions with tasks. */
const TASKS = 'queue/'
const PAGE = 500

export interface VerifyDeps {
  store: Store
  queue: WorkQueue
  clock: Clock
  blobs: ReadableBlobs
  /** Counts all entries of the database; undefined if the store has no such count. */
  countEntries?: (() => { counted: number; walked: number }) | undefined
  /** A daemon is writing meanwhile. */
  live: boolean
  /** Skips the contents of files and the words of messages, which take most of the time. */
  quick?: boolean
  /** Partitions that are checked at once, 1 by default: a database on another machine is mostly waited for. */
  partitionsAtOnce?: number
  /** Wait before checking a finding again; by default a second. */
  pauseMs?: number
  onProgress?: (progress: VerifyProgress) => void
}

export interface VerifyProgress {
  /** Partitions of the store. */
  done: number
  total: number
  bytesRead: number
  findings: number
}

export async function verify(deps: VerifyDeps): Promise<Verified> {
  const { store, quick = false, partitionsAtOnce = 1 } = deps
  const done: Verified = {
    ...{ mailboxes: 0, messages: 0, threads: 0, events: 0, files: 0, tasks: 0, rows: 0, hashed: 0 },
    findings: [],
    more: 0,
  }
  const progress: VerifyProgress = { done: 0, total: await countPartitions(store), bytesRead: 0, findings: 0 }
  const tell = (): void => deps.onProgress?.(progress)
  const take = ({ findings, more }: Found): void => {
    const room = Math.max(0, MAX_FINDINGS - done.findings.length)
    done.findings.push(...findings.slice(0, room))
    done.more += more + Math.max(0, findings.length - room)
    progress.findings = done.findings.length + done.more
  }
  const onRead = (bytes: number): void => {
    progress.bytesRead += bytes
    tell()
  }
  take(await lostEntries(deps))
  const partitions = partitionsOf(store)
  const checkNext = async (): Promise<void> => {
    for await (const partition of partitions) {
      let seen: Seen | undefined
      take(
        await stillThere(
          deps,
          async (report) => (seen = await everythingOf({ ...deps, quick, onRead }, partition, report)),
        ),
      )
      done.rows += seen?.rows ?? 0
      if (partition.startsWith(TASKS)) done.tasks += seen?.rows ?? 0
      if (seen?.counted) done.mailboxes++
      for (const what of ['messages', 'threads', 'events', 'files', 'hashed'] as const)
        done[what] += seen?.counted?.[what] ?? 0
      progress.done++
      tell()
    }
  }
  await Promise.all(Array.from({ length: partitionsAtOnce }, checkNext))
  const now = deps.clock.now()
  take(await stillThere(deps, (report) => findOrphans({ ...deps, now, mailboxes: done.mailboxes }, report)))
  return done
}

/**
 * Checks that all entries counted by the database are reachable, in one read snapshot. Repeated twice on failure, in case the library switched snapshots in
 * between.
 */
async function lostEntries({ countEntries, live, pauseMs }: VerifyDeps): Promise<Found> {
  const found: Found = { findings: [], more: 0 }
  for (let looks = 1; countEntries; looks++) {
    const { counted, walked } = countEntries()
    if (counted === walked) break
    if (live && looks < LOOKS) {
      await pause(pauseMs ?? SECOND)
      continue
    }
    const what = `it counts ${counted} entries, and ${walked} can be reached`
    found.findings.push({ kind: 'store-rows', where: 'store', what, repair: FINDINGS['store-rows'].repair })
    break
  }
  return found
}

type Seen = Walked & { counted: Counted | undefined }

async function everythingOf(
  deps: VerifyDeps & { quick: boolean; onRead: (bytes: number) => void },
  partition: string,
  report: Report,
): Promise<Seen> {
  const now = deps.clock.now()
  const walked = await walkPartition({ ...deps, now, report }, partition)
  const { kind, of: id } = kindOf(partition) ?? {}
  let counted: Counted | undefined
  if (kind?.name === 'mailbox' && id !== undefined)
    // The walk has reported unreadable rows; nothing more follows from them.
    await unlessGarbled(async () => (counted = await mailbox(deps, id, report)))
  if (kind?.name === 'search index' && id !== undefined)
    await unlessGarbled(async () => {
      const fault = await faultOfIndex(deps, id)
      if (fault !== undefined) report('index-wrong', id, fault)
    })
  return { ...walked, counted }
}

async function mailbox(
  deps: VerifyDeps & { quick: boolean; onRead: (bytes: number) => void },
  id: string,
  report: Report,
): Promise<Counted | undefined> {
  const { store } = deps
  const record = await readMailbox(store, id)
  if (!record) return undefined
  const counted = await verifyMailbox(deps, id, report)
  await verifyAddresses(store, record, report)
  await verifyOwner(store, record, report)
  await verifyTasksOf({ ...deps, now: deps.clock.now() }, id, report)
  return counted
}

interface Found {
  findings: Finding[]
  more: number
}

/** Findings of repeated checks: with concurrent writes, a single one proves nothing. */
async function stillThere(deps: VerifyDeps, look: (report: Report) => Promise<unknown>): Promise<Found> {
  const once = async (): Promise<Found> => {
    const found: Found = { findings: [], more: 0 }
    await look((kind, where, what, means) => {
      const finding: Finding = { kind, where, what, repair: FINDINGS[kind].repair, ...means }
      if (found.findings.length < MAX_FINDINGS) found.findings.push(finding)
      else found.more++
    })
    return found
  }
  let found = await once()
  for (let looks = 1; deps.live && found.findings.length > 0 && looks < LOOKS; looks++) {
    await pause(deps.pauseMs ?? SECOND)
    const next = await once()
    const again = new Set(next.findings.map((finding) => JSON.stringify(finding)))
    found = { findings: found.findings.filter((finding) => again.has(JSON.stringify(finding))), more: next.more }
  }
  return found
}

async function* partitionsOf(store: Store): AsyncGenerator<string> {
  for (let after = ''; ;) {
    const page = await store.partitions(after, PAGE)
    yield* page
    const last = page.at(-1)
    if (last === undefined || page.length < PAGE) return
    after = last
  }
}

async function countPartitions(store: Store): Promise<number> {
  let count = 0
  for await (const _ of partitionsOf(store)) count++
  return count
}
