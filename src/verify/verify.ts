/**
 * Walks a data folder and checks every reference. Nothing is written. It reads beside a running daemon, from a process of its own, in short reads; what
 * is found while others write may be half of one commit and half of the next, so it is looked for again, and only what is found each time is told.
 */
import { opendir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { hasCode, messageOf } from '../lib/caught.js'
import type { Clock } from '../lib/clock.js'
import { HOUR, SECOND } from '../lib/clock.js'
import { mailboxIds } from '../mailbox/list.js'
import { isRawReferenced } from '../mailbox/raw.js'
import { readMailbox } from '../mailbox/record.js'
import { blobPath, isName } from '../store/blob-files.js'
import type { Store, WorkQueue } from '../store/types.js'
import { verifyMailbox } from './mailbox.js'
import type { Counted } from './mailbox.js'
import { verifyAddresses, verifyOwner, verifyTasks, verifyTasksOf } from './references.js'
import { FINDINGS } from './types.js'
import type { Finding, Report, Verified } from './types.js'

/** What is beyond is only counted. */
const MAX_FINDINGS = 10_000
const LOOKS = 3

export interface VerifyDeps {
  store: Store
  queue: WorkQueue
  clock: Clock
  blobsDir: string
  /** Others write meanwhile. */
  live: boolean
  /** Between two looks at what may have moved; a second when not given. */
  pauseMs?: number
  onProgress?: (mailboxes: number, findings: number) => void
}

export async function verify(deps: VerifyDeps): Promise<Verified> {
  const { store } = deps
  const done: Verified = { mailboxes: 0, messages: 0, threads: 0, events: 0, files: 0, tasks: 0, findings: [], more: 0 }
  const take = (findings: Finding[]): void => {
    const room = Math.max(0, MAX_FINDINGS - done.findings.length)
    done.findings.push(...findings.slice(0, room))
    done.more += Math.max(0, findings.length - room)
  }
  for await (const id of mailboxIds(store)) {
    let counted: Counted | undefined
    take(await stillThere(deps, async (report) => (counted = await everythingOf(deps, id, report))))
    done.mailboxes++
    for (const what of ['messages', 'threads', 'events', 'files'] as const) done[what] += counted?.[what] ?? 0
    deps.onProgress?.(done.mailboxes, done.findings.length + done.more)
  }
  const now = deps.clock.now()
  take(await stillThere(deps, async (report) => (done.tasks = await verifyTasks({ ...deps, now }, report))))
  take(await stillThere(deps, (report) => orphans(deps, report)))
  return done
}

async function everythingOf(deps: VerifyDeps, id: string, report: Report): Promise<Counted | undefined> {
  const { store, blobsDir } = deps
  try {
    const counted = await verifyMailbox(
      { store, fileSize: (owner, blob) => sizeOf(blobPath(blobsDir, owner, blob)) },
      id,
      report,
    )
    const mailbox = await readMailbox(store, id)
    if (!mailbox || !counted) {
      report(
        'mailbox-missing',
        id,
        'it is listed and has no record; a new claim, or its removal, is finished by its task',
      )
      return undefined
    }
    await verifyAddresses(store, mailbox, report)
    await verifyOwner(store, mailbox, report)
    await verifyTasksOf({ ...deps, now: deps.clock.now() }, id, report)
    return counted
  } catch (error) {
    if (!(error instanceof SyntaxError) && !(error instanceof RangeError)) throw error
    report('unreadable', id, messageOf(error))
    return undefined
  }
}

/** What is found each time: with others writing, one look proves nothing. */
async function stillThere(deps: VerifyDeps, look: (report: Report) => Promise<unknown>): Promise<Finding[]> {
  const once = async (): Promise<Finding[]> => {
    const findings: Finding[] = []
    await look((kind, where, what) => void findings.push({ kind, where, what, repair: FINDINGS[kind].repair }))
    return findings
  }
  let findings = await once()
  for (let looks = 1; deps.live && findings.length > 0 && looks < LOOKS; looks++) {
    await pause(deps.pauseMs ?? SECOND)
    const again = new Set((await once()).map((finding) => JSON.stringify(finding)))
    findings = findings.filter((finding) => again.has(JSON.stringify(finding)))
  }
  return findings
}

async function orphans({ store, blobsDir, clock }: VerifyDeps, report: Report): Promise<void> {
  for await (const folder of await openFolder(blobsDir)) {
    if (!folder.isDirectory() || !isName(folder.name)) continue
    for await (const { name } of await openFolder(join(blobsDir, folder.name))) {
      if (!isName(name) || (await isRawReferenced(store, folder.name, name))) continue
      const changed = await changedAt(blobPath(blobsDir, folder.name, name))
      if (changed <= clock.now() - HOUR) report('file-orphan', folder.name, name)
    }
  }
}

async function openFolder(dir: string): Promise<AsyncIterable<{ name: string; isDirectory(): boolean }>> {
  try {
    return await opendir(dir)
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return nothing()
    throw error
  }
}

async function* nothing(): AsyncGenerator<never> {
  // A folder that is gone holds nothing.
}

async function sizeOf(path: string): Promise<number | undefined> {
  return (await statOf(path))?.size
}

async function changedAt(path: string): Promise<number> {
  return (await statOf(path))?.ctimeMs ?? Infinity
}

async function statOf(path: string) {
  try {
    return await stat(path)
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}
