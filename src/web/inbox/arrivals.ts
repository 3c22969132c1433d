/**
 * Server-sent events that say that mail has come, and nothing about it: the page loads its list again. They end with the session, when the account is suspended
 * or about to be deleted, and after a while; the browser then connects again.
 */
import { z } from 'zod'
import { SECOND } from '../../lib/clock.js'
import { decodeCursor, encodeCursor, place } from '../../lib/cursor.js'
import { invalidRequest, ServiceError } from '../../lib/errors.js'
import type { EventFilter } from '../../mailbox/event-filter.js'
import { tagOf } from './merge.js'
import { PATHS } from '../page/person-frame.js'
import type { Visitor } from '../page/page.js'
import { MAX_MERGED, requireActiveAccount, type InboxDeps, type InboxPage } from './deps.js'

export const EVENTS_PATH = `${PATHS.inbox}/events`

/** Max silence; the session is looked for as often. */
const HEARTBEAT_MS = 15 * SECOND
const RETRY_MS = 2000
const EVENTS_READ = 100
/** Max open streams of one session. A page closes its own while it is not seen. */
const MAX_STREAMS = 4

const ARRIVALS: EventFilter = { types: new Set(['message.received']), withoutSpam: true }

/** Last event seen, by the tag of a mailbox. */
const sinceSchema = z
  .array(z.tuple([z.string().max(10), place]))
  .min(1)
  .max(MAX_MERGED)

export const arrivalsPage = (): InboxPage => {
  const places = createPlaces()
  return {
    method: 'GET',
    path: EVENTS_PATH,
    access: 'session',
    isHeld: true,
    async answer({ query, visitor, request }, deps) {
      const { accountId, id } = visitor.session
      await requireActiveAccount(accountId, deps)
      const given = request.headers['last-event-id'] || query.get('since') || undefined
      const since = decodeCursor(given, sinceSchema) ?? []
      const own = new Map((await deps.accounts.mailboxes(accountId)).map((mailboxId) => [tagOf(mailboxId), mailboxId]))
      const seen = new Map<string, number>()
      for (const [tag, seq] of since) {
        const mailboxId = own.get(tag)
        if (mailboxId !== undefined) seen.set(mailboxId, seq)
      }
      if (seen.size === 0) throw noMailbox()
      places.take(id)
      request.onEnd(() => places.release(id))
      return {
        status: 200,
        headers: {
          'Content-Type': 'text/event-stream',
          'Cache-Control': 'no-store',
          'X-Accel-Buffering': 'no',
          'X-Content-Type-Options': 'nosniff',
        },
        body: arrivals(seen, visitor, request.holdSignal, deps),
      }
    },
  }
}

/** Counts open streams by session. */
function createPlaces() {
  const open = new Map<string, number>()
  return {
    /** @throws ServiceError `rate_limited` */
    take(sessionId: string): void {
      const count = open.get(sessionId) ?? 0
      if (count >= MAX_STREAMS) {
        throw new ServiceError('rate_limited', 'The inbox is open in too many windows.', 'Close some of them.', {
          retryAfterSeconds: 30,
        })
      }
      open.set(sessionId, count + 1)
    },
    release(sessionId: string): void {
      const count = (open.get(sessionId) ?? 1) - 1
      if (count > 0) open.set(sessionId, count)
      else open.delete(sessionId)
    },
  }
}

const noMailbox = (): ServiceError =>
  invalidRequest('There is no mailbox to follow.', 'Load the inbox again.', [
    { field: 'since', problem: 'must come from a page of the inbox' },
  ])

async function* arrivals(
  seen: Map<string, number>,
  visitor: Visitor,
  signal: AbortSignal,
  deps: InboxDeps,
): AsyncGenerator<Uint8Array> {
  const end = performance.now() + deps.eventStreamSeconds * SECOND
  yield Buffer.from(`retry: ${RETRY_MS}\n\n`)
  while (!signal.aborted && performance.now() < end) {
    const hasCome = await nextOf(seen, signal, deps)
    if (signal.aborted || !(await isAdmitted(visitor, deps))) return
    const id = encodeCursor([...seen].map(([mailboxId, seq]) => [tagOf(mailboxId), seq]))
    yield Buffer.from(hasCome ? `id: ${id}\nevent: mail\ndata: {}\n\n` : `id: ${id}\n\n`)
  }
}

/** Waits until one of the mailboxes has new mail, or for a heartbeat; notes in `seen` how far each was read. */
async function nextOf(
  seen: Map<string, number>,
  signal: AbortSignal,
  { mailboxes }: Pick<InboxDeps, 'mailboxes'>,
): Promise<boolean> {
  const round = new AbortController()
  const stop = (): void => round.abort()
  signal.addEventListener('abort', stop, { once: true })
  if (signal.aborted) stop()
  let hasCome = false
  try {
    const waits = [...seen].map(async ([mailboxId, after]) => {
      const query = { after, limit: EVENTS_READ, waitMs: HEARTBEAT_MS, filter: ARRIVALS, gone: 'skip' as const }
      const { data, next_after: next } = await mailboxes.events(mailboxId, query, round.signal)
      seen.set(mailboxId, next)
      if (data.length > 0) hasCome = true
    })
    await Promise.race(waits)
    // The first to answer, with mail or after the heartbeat, ends the round; the others say how far they came.
    stop()
    await Promise.all(waits)
    return hasCome
  } finally {
    stop()
    signal.removeEventListener('abort', stop)
  }
}

async function isAdmitted({ session: { accountId, id } }: Visitor, deps: InboxDeps): Promise<boolean> {
  const account = await deps.accounts.get(accountId)
  return account?.status === 'active' && (await deps.sessions.list(accountId)).some((each) => each.id === id)
}
