/** Builds the archive of an export, and announces it. Each step is repeated after an interruption. */
import type { Letters } from '../../accounts/letters.js'
import { DAY, SECOND, timestamp, type Clock } from '../../lib/clock.js'
import { randomBase62 } from '../../lib/ids.js'
import { causesOf } from '../../lib/thrown.js'
import { readMailbox } from '../../mailbox/record.js'
import { appendOnce } from '../../mailbox/settings/one-time-events.js'
import type { MailboxRecord } from '../../mailbox/mailbox-record.js'
import type { Accounts } from '../../accounts/types.js'
import type { Disk } from '../../observe/disk.js'
import { S3Error } from '../../store/blobs/s3/errors.js'
import { isStorageError, isUnreachable } from '../../store/errors.js'
import type { Blobs, Store } from '../../store/types.js'
import { contentsOf, type ContentsDeps } from './contents.js'
import { createPieceWriter, discardPieces, sizeOf } from './pieces.js'
import { changeExport, type StoredExport } from './record.js'

/** Retention of archive and link. */
export const KEPT_MS = 7 * DAY
const PROGRESS_MS = SECOND
/** Compressed metadata per message, for the estimate. */
const METADATA_BYTES = 4 * 1024

export interface BuildingDeps extends ContentsDeps {
  store: Store
  blobs: Pick<Blobs, 'put' | 'size' | 'stream' | 'discard'>
  clock: Clock
  accounts: ContentsDeps['accounts'] & Pick<Accounts, 'mailboxes'>
  /** Bytes of a piece of an archive; smaller in tests. */
  pieceBytes?: number | undefined
  disk: Pick<Disk, 'hasRoomFor' | 'isLow'>
  /** Without it no mail is sent. */
  letters: Pick<Letters, 'post'> | undefined
  /** The whole URL of a link. */
  urlOf: (record: StoredExport) => string
}

/** A permanent failure, with a message for the owner. */
export class ExportFailed extends Error {}

export async function mailboxesOf(
  { store, accounts }: Pick<BuildingDeps, 'store' | 'accounts'>,
  accountId: string,
): Promise<MailboxRecord[]> {
  const found: MailboxRecord[] = []
  for (const id of await accounts.mailboxes(accountId)) {
    const mailbox = await readMailbox(store, id)
    if (mailbox) found.push(mailbox)
  }
  return found
}

/** Approximate max size of the archive. */
export function estimate(mailboxes: readonly MailboxRecord[]): number {
  return mailboxes.reduce((sum, { usedBytes, messageCount }) => sum + usedBytes + METADATA_BYTES * messageCount, 0)
}

/**
 * Builds the archive; complete and durable when this resolves. The pieces of a build that is cut off are removed by the next one, or with the export.
 *
 * @returns its record, `ready`; undefined if the export was removed
 * @throws ExportFailed, or an error that another try may fix
 */
export async function build(
  deps: BuildingDeps,
  record: StoredExport,
  signal: AbortSignal,
): Promise<StoredExport | undefined> {
  const { store, blobs, clock, disk } = deps
  const mailboxes = await mailboxesOf(deps, record.accountId)
  if (record.archive) await discardPieces(blobs, record, record.archive)
  if (!(await disk.hasRoomFor(estimate(mailboxes)))) throw noRoom()

  const unwanted = new AbortController()
  const archive = { build: randomBase62(8), pieces: [] }
  const isOurs = (stored: StoredExport): boolean =>
    stored.state === 'building' && stored.archive?.build === archive.build
  const progress = {
    messages: 0,
    messagesTotal: mailboxes.reduce((sum, { messageCount }) => sum + messageCount, 0),
    bytes: 0,
  }
  const report = async (): Promise<void> => {
    if (await disk.isLow()) throw noRoom()
    if (!(await changeExport(store, record, { progress }, isOurs))) unwanted.abort()
  }
  if (!(await changeExport(store, record, { state: 'building', progress, archive }, isUnfinished))) return undefined
  let reportedAt = clock.now()
  const stop = AbortSignal.any([signal, unwanted.signal])
  try {
    // With the package that writes zip files, which most starts never need.
    const { writeArchive } = await import('./archive.js')
    const pieces = createPieceWriter(blobs, record, archive.build, deps.pieceBytes)
    const contents = contentsOf(deps, {
      accountId: record.accountId,
      mailboxes,
      at: clock.now(),
      signal: stop,
      async onMessage(rawBytes) {
        progress.messages++
        progress.bytes += rawBytes
        if (clock.now() - reportedAt < PROGRESS_MS) return
        reportedAt = clock.now()
        await report()
      },
    })
    await writeArchive((bytes) => pieces.write(bytes), contents, { at: clock.now(), signal: stop })
    const whole = await pieces.end()
    const now = clock.now()
    const times = { readyAt: now, expiresAt: now + KEPT_MS }
    const ready = await changeExport(
      store,
      record,
      { state: 'ready', progress, ...times, sizeBytes: sizeOf(whole), archive: whole },
      isOurs,
    )
    if (!ready) await discardPieces(blobs, record, whole)
    return ready
  } catch (error) {
    if (!unwanted.signal.aborted) throw isOfDisk(error) ? noRoom() : error
    await discardPieces(blobs, record, archive)
    return undefined
  }
}

export function isUnfinished({ state }: StoredExport): boolean {
  return state === 'queued' || state === 'building'
}

/** True if a disk refused a write; a bucket or a database that is away may be back for the next try. */
function isOfDisk(error: unknown): boolean {
  return isStorageError(error) && !isUnreachable(error) && !causesOf(error).some((each) => each instanceof S3Error)
}

/** Notifies every mailbox and the owner, each once. */
export async function announce(deps: BuildingDeps, record: StoredExport, signal: AbortSignal): Promise<void> {
  const { store, clock, accounts, letters } = deps
  const { accountId, id, expiresAt, sizeBytes } = record
  if (expiresAt === null) return
  // No link: access to one mailbox does not permit downloading all of them.
  const data = { export_id: id, size_bytes: sizeBytes, expires_at: timestamp(expiresAt) }
  for (const mailboxId of await accounts.mailboxes(accountId)) {
    signal.throwIfAborted()
    await appendOnce(store, mailboxId, id, { type: 'export.ready', data }, clock.now())
  }
  const owner = (await accounts.get(accountId))?.owner
  if (owner && letters) {
    await letters.post(`export-ready/${id}`, {
      to: owner,
      subject: 'Your export is ready',
      notAfter: expiresAt,
      parts: [
        { kind: 'text', text: 'The archive with all mail and data of your account can be downloaded now.' },
        {
          kind: 'facts',
          rows: [
            ['Size', sizeText(sizeBytes ?? 0)],
            ['Available until', `${timestamp(expiresAt).slice(0, 16).replace('T', ' ')} UTC`],
          ],
        },
        { kind: 'link', label: 'Download the archive', url: deps.urlOf(record) },
        {
          kind: 'text',
          text: 'Anyone with this link can download everything, so keep it secret. If you did not request this export, sign in and check the keys and sessions of your account.',
        },
      ],
    })
  }
  await changeExport(store, record, { announced: true })
}

function noRoom(): ExportFailed {
  return new ExportFailed(
    'The disk of this server has not enough space for the archive. Request it again once its operator has freed some.',
  )
}

function sizeText(bytes: number): string {
  if (bytes < 1_000_000) return `${Math.ceil(bytes / 1000)} kB`
  return bytes < 1_000_000_000 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(1)} GB`
}
