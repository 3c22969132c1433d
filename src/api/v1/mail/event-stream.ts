/**
 * Events as server-sent events (HTML Living Standard §9.2). Nothing is made before the client has taken what was made before: what it has not
 * read yet is a number, and not memory.
 */
import type { Event } from '../../../mailbox/objects/objects.js'
import type { EventPage } from '../../../mailbox/events.js'

export interface EventStreamOptions {
  /** The first page, which showed that the stream can begin. */
  first: EventPage
  /** Pages behind the first; waits so long for an event, unless the signal is aborted. */
  read(after: number, waitMs: number, signal: AbortSignal): Promise<EventPage>
  /** Something is sent at least so often, so that proxies keep the connection and a client that is gone is noticed. */
  heartbeatMs: number
  endsAfterMs: number
  signal: AbortSignal
  /** True once the client's access has ended. */
  accessEnded(): boolean
}

/** Reconnection delay sent to clients. */
const RETRY_MS = 2000

export async function* eventStream(options: EventStreamOptions): AsyncGenerator<Uint8Array> {
  const { read, heartbeatMs, endsAfterMs, signal, accessEnded } = options
  const end = performance.now() + endsAfterMs
  let page = options.first
  let after = page.next_after
  if (accessEnded()) return
  yield Buffer.from(`retry: ${RETRY_MS}\n${blockOf(page, after)}`)
  for (;;) {
    const left = end - performance.now()
    if (left <= 0 || signal.aborted || accessEnded()) return
    page = await read(after, Math.min(heartbeatMs, left), signal)
    // Access ended during the read, so the client must not get these events.
    if (signal.aborted || accessEnded()) return
    yield Buffer.from(blockOf(page, after))
    after = page.next_after
  }
}

/** An id without data only sets where the client resumes; it also skips events that do not match. */
function blockOf({ data, next_after }: EventPage, after: number): string {
  const events = data.map(frameOf).join('')
  const isBehind = next_after !== (data.at(-1)?.seq ?? after)
  if (isBehind) return `${events}id: ${next_after}\n\n`
  return events === '' ? ': nothing new\n\n' : events
}

/** Data fits on one line, as JSON escapes line breaks in strings. */
function frameOf(event: Event): string {
  return `id: ${event.seq}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`
}
