/**
 * Folders and messages of a mailbox on another IMAP server (RFC 9051), read and never changed. Messages come one at a time, in the order of their UIDs: the
 * server is asked for some at once, and the next one is read when the one before is stored.
 */
import { createHash } from 'node:crypto'
import { ImapFlow, type FetchMessageObject, type ListResponse } from 'imapflow'
import { MINUTE } from '../../lib/clock.js'
import { folderNamed } from './folder-names.js'
import { MAX_READ_BYTES, tooLarge, type OldFolder, type OldMessage, type UnreadMessage } from './old-message.js'

export interface ImapAccount {
  host: string
  /** 143 begins with STARTTLS, every other one with TLS. */
  port: number
  user: string
  password: string
  /** Larger messages are named and not fetched. */
  maxBytes: number
}

export interface OpenImap {
  folders: OldFolder[]
  close(): void
}

const STARTTLS_PORT = 143
/** Messages asked for at once, and numbers of a folder. */
const BATCH = 100
const RESPONSE_MS = 5 * MINUTE
const BYTES_AROUND_A_MESSAGE = 1024 * 1024

/** RFC 6154 §2, by the names that this mailbox has for them. */
const BY_USE = new Map([
  ['\\Inbox', 'INBOX'],
  ['\\Drafts', 'Drafts'],
  ['\\Sent', 'Sent'],
  ['\\Junk', 'Junk'],
  ['\\Trash', 'Trash'],
  ['\\Archive', 'Archive'],
  ['\\All', 'Archive'],
])
/** Their messages are in other folders. */
const VIEWS = new Set(['\\Flagged', '\\Important'])

/** @throws Error that says what the server or the connection said */
export async function openImap({ host, port, user, password, maxBytes }: ImapAccount): Promise<OpenImap> {
  const hasStartTls = port === STARTTLS_PORT
  const client = new ImapFlow({
    ...{ host, port, auth: { user, pass: password } },
    // No password goes out in clear, and certificates are checked as Node.js does it.
    secure: !hasStartTls,
    ...(hasStartTls && { doSTARTTLS: true }),
    ...{ logger: false, disableAutoIdle: true, maxLockHoldTime: false },
    socketTimeout: RESPONSE_MS,
    maxLineLength: 64 * BYTES_AROUND_A_MESSAGE,
    maxLiteralSize: MAX_READ_BYTES,
    maxResponseSize: MAX_READ_BYTES + BYTES_AROUND_A_MESSAGE,
  })
  // The error of a connection also rejects the command in progress, which reports it.
  client.on('error', () => undefined)
  try {
    await client.connect()
    return { folders: foldersOf(client, await client.list(), maxBytes), close: () => client.close() }
  } catch (error) {
    client.close()
    throw told(error)
  }
}

/** The folder with all mail (`\\All`) comes last, and only its messages that are in no other folder are imported. */
function foldersOf(client: ImapFlow, listed: readonly ListResponse[], maxBytes: number): OldFolder[] {
  const usable = listed.filter(
    ({ flags, specialUse = '' }) => !flags.has('\\Noselect') && !flags.has('\\NonExistent') && !VIEWS.has(specialUse),
  )
  const isAll = ({ specialUse }: ListResponse): boolean => specialUse === '\\All'
  const all = usable.filter(isAll)
  const seen = all.length > 0 ? new Set<string>() : undefined
  return [...usable.filter((folder) => !isAll(folder)), ...all].map((folder) => ({
    name: nameOf(folder),
    messages: () => messagesOf(client, folder.path, { maxBytes, seen, isAll: isAll(folder) }),
  }))
}

function nameOf({ path, delimiter, specialUse }: ListResponse): string {
  const name = delimiter === '' ? path : path.split(delimiter).join('/')
  return (specialUse === undefined ? undefined : BY_USE.get(specialUse)) ?? folderNamed(name)
}

async function* messagesOf(
  client: ImapFlow,
  path: string,
  { maxBytes, seen, isAll }: { maxBytes: number; seen: Set<string> | undefined; isAll: boolean },
): AsyncGenerator<OldMessage | UnreadMessage> {
  try {
    await client.mailboxOpen(path, { readOnly: true })
    const found = await client.search({ deleted: false }, { uid: true })
    const uids = (found || []).sort((a, b) => a - b)
    for (let from = 0; from < uids.length; from += BATCH)
      for await (const message of batchOf(client, path, uids.slice(from, from + BATCH), maxBytes)) {
        if (seen && 'raw' in message) {
          const sum = createHash('sha256').update(message.raw).digest('base64')
          if (isAll && seen.has(sum)) continue
          seen.add(sum)
        }
        yield message
      }
  } catch (error) {
    throw told(error)
  }
}

async function* batchOf(
  client: ImapFlow,
  path: string,
  uids: readonly number[],
  maxBytes: number,
): AsyncGenerator<OldMessage | UnreadMessage> {
  const small: number[] = []
  for (const { uid, size = 0 } of await client.fetchAll(uids.join(','), { uid: true, size: true }, { uid: true })) {
    if (size > maxBytes) yield tooLarge(placeOf(path, uid), maxBytes)
    else small.push(uid)
  }
  if (small.length === 0) return
  const wanted = { uid: true, flags: true, internalDate: true, source: true }
  for await (const message of client.fetch(small.join(','), wanted, { uid: true })) yield oldMessage(path, message)
}

function oldMessage(path: string, message: FetchMessageObject): OldMessage | UnreadMessage {
  const { uid, flags = new Set<string>(), internalDate, source } = message
  const where = placeOf(path, uid)
  if (!source) return { where, problem: 'The server did not give it.' }
  const receivedAt = internalDate === undefined ? NaN : new Date(internalDate).getTime()
  return {
    where,
    raw: source,
    flags: [
      ...(flags.has('\\Seen') ? (['seen'] as const) : []),
      ...(flags.has('\\Flagged') ? (['flagged'] as const) : []),
      ...(flags.has('\\Answered') ? (['answered'] as const) : []),
    ],
    keywords: [...flags].filter((flag) => /^[!-[\]-~]{1,60}$/.test(flag)),
    receivedAt: Number.isNaN(receivedAt) ? undefined : receivedAt,
  }
}

const placeOf = (path: string, uid: number): string => `${path}, UID ${uid}`

/** The library's errors say "Command failed" and have what the server said beside it. */
function told(error: unknown): Error {
  if (!(error instanceof Error)) return new Error(String(error))
  const { responseText } = error as Error & { responseText?: unknown }
  return typeof responseText === 'string' && responseText !== '' ? new Error(responseText, { cause: error }) : error
}
