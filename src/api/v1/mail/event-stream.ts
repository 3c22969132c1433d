/** Server-sent events (HTML Living Standard §9.2). Events are read only as the client takes them, so a slow client costs no memory. */
import type { Event } from '../../../mailbox/objects/objects.js'
import type { EventPage } from '../../../mailbox/events.js'

export interface EventStreamOptions {
  /** The first page, read before the stream starts. */
  first: EventPage
  /** Later pages; waits for an event until then or until the signal aborts. */
  read(after: number, waitMs: number, signal: AbortSignal): Promise<EventPage>
  /** Max silence, so that proxies keep the connection and dead clients are noticed. */
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
    // Events found while access ended are not sent.
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

/** JSON has no raw line breaks. */
function frameOf(event: Event): string {
  return `id: ${event.seq}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`
}
