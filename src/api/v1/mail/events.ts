/** Event history, and waiting for new events. */
import { z } from 'zod'
import { invalidRequest } from '../../../lib/errors.js'
import type { EventFilter } from '../../../mailbox/event-filter.js'
import { eventSchema, eventTypeSchema, type EventType } from '../../../mailbox/objects/objects.js'
import { prefersEventStream } from '../../../http/answers/accept.js'
import { SECOND } from '../../../lib/clock.js'
import { eventStream } from './event-stream.js'
import { wholeNumber } from '../../../http/whole-number.js'
import { defineMailRoute, forKeys } from '../parts.js'
import { flagQuery } from '../schemas.js'

const HEARTBEAT_MS = 15 * SECOND

const eventListSchema = z
  .object({
    data: z.array(eventSchema).describe('Oldest first'),
    has_more: z.boolean().describe('There are events after `next_after`, not checked against the filters yet'),
    next_after: z.int().describe('`after` for the next call; it also skips events that do not match'),
  })
  .meta({ id: 'EventList' })

const typesQuery = z
  .string()
  .max(500)
  .transform((list, context): ReadonlySet<EventType> => {
    const names = list.split(',').map((name) => name.trim())
    const unknown = names.filter((name) => !isEventType(name))
    if (unknown.length === 0) return new Set(names.filter(isEventType))
    context.addIssue({
      code: 'custom',
      message: `There is no event type ${unknown.map((name) => JSON.stringify(name.slice(0, 50))).join(', ')}. There are: ${eventTypeSchema.options.join(', ')}.`,
    })
    return z.NEVER
  })
  .optional()
  .describe(
    'Only events of these types, such as `message.received,message.status`; without it all but `message.imported`',
  )

function isEventType(name: string): name is EventType {
  return eventTypeSchema.safeParse(name).success
}

const EXAMPLE_EVENT = {
  seq: 42,
  id: 'evt_01K7E8GQ5M1T9Q4Y7RZV3B2XNB',
  object: 'event' as const,
  type: 'message.received' as const,
  timestamp: '2026-03-04T10:15:30.123Z',
  mailbox_id: 'mbx_01K7E8GQ5M1T9Q4Y7RZV3B2XNC',
  data: {
    message_id: 'msg_01K7E8GQ5M1T9Q4Y7RZV3B2XNA',
    thread_id: 'thr_01K7E8GQ5M1T9Q4Y7RZV3B2XND',
    direction: 'inbound',
    from: { address: 'ada@example.org', name: 'Ada' },
    subject: 'Your invoice 2026-17',
    preview: 'Please find the invoice attached.',
    labels: ['inbox'],
    unread: true,
    automation: null,
    untrusted: true,
  },
}

export const eventRoutes = [
  defineMailRoute({
    method: 'GET',
    path: '/v1/events',
    operationId: 'listEvents',
    summary: 'Read events, or wait for one',
    description: [
      'Events after `after` that fit `types`, `from`, `subject_contains` and `thread_id`, all of those that are given; what is about spam is left out unless `include_spam=1` asks for it. A message that came as spam and is cleared later is also reported to requests for `message.received`, as `message.updated` with `newly_visible`. With `wait` the request is held open until there is one, or until that many seconds have passed; then `data` is empty: call again with `after` set to `next_after`.',
      'Events are kept for 30 days unless the operator has set otherwise. When events after `after` are no longer kept, the error is `events_expired` with the oldest seq that is kept; likewise when `after` is past the last event, as after a restore from a backup. `after=0` starts with the oldest event that is kept.',
      'With `Accept: text/event-stream` the events come as server-sent events: `id` is the seq, `event` the type, `data` the event. The stream ends after a while; `Last-Event-ID`, which takes precedence over `after`, resumes it. A stream counts as one waiting request of the key.',
    ].join('\n\n'),
    ...forKeys('Events', 'mail:read'),
    query: z.strictObject({
      after: wholeNumber(0)
        .default(0)
        .describe('`seq` of the last event you have; 0 reads from the oldest that is kept'),
      wait: wholeNumber(0)
        .default(0)
        .describe('Seconds to wait for an event; at most 60 unless the operator has set less'),
      limit: wholeNumber(1, 100).default(25).describe('Events in one answer'),
      types: typesQuery,
      from: z
        .string()
        .min(1)
        .max(320)
        .optional()
        .describe('Only mail from this address, or from this domain when it begins with @'),
      subject_contains: z
        .string()
        .min(1)
        .max(200)
        .optional()
        .describe('Only mail with these words in its subject, in any case'),
      thread_id: z.string().min(1).max(64).optional().describe('Only what happens in this conversation'),
      include_spam: flagQuery('1: also what is about spam, which is left out otherwise'),
    }),
    headers: {
      'Last-Event-ID': {
        description: 'For an event stream: the `id` of the last event received',
        schema: wholeNumber(0).optional(),
      },
    },
    example: { query: { after: '41', wait: '30', types: 'message.received' } },
    responses: {
      200: {
        description: 'Events, or none',
        schema: eventListSchema,
        example: { data: [EXAMPLE_EVENT], has_more: false, next_after: 42 },
        stream: {
          contentType: 'text/event-stream',
          example: `id: 42\nevent: message.received\ndata: ${JSON.stringify(EXAMPLE_EVENT)}\n\n`,
        },
      },
    },
    errors: ['events_expired'],
    async handler({ query, caller, request }, { mailboxes, holds, limits }) {
      const { after, wait, limit, types, from, subject_contains: subjectContains, thread_id: threadId } = query
      const withoutSpam = query.include_spam !== true
      const filter: EventFilter = { types, from, subjectContains, threadId, withoutSpam }
      const read = (after: number, waitMs: number, signal: AbortSignal) =>
        mailboxes.events(caller.mailboxId, { after, limit, waitMs, filter }, signal)
      const held = request.holdSignal

      if (prefersEventStream(request.headers)) {
        if (wait > 0) throw waitOnStream()
        const place = holds.take(caller, held)
        try {
          const first = await read(lastEventId(request.headers) ?? after, 0, place.signal)
          const body = eventStream({
            first,
            read,
            heartbeatMs: HEARTBEAT_MS,
            endsAfterMs: limits.eventStreamSeconds * SECOND,
            signal: place.signal,
            accessEnded: () => place.accessEnded,
          })
          return { status: 200, body: releasing(body, place.release), headers: STREAM_HEADERS }
        } catch (error) {
          place.release()
          throw error
        }
      }

      if (wait > limits.longPollSeconds) {
        throw invalidRequest(
          '`wait` is too long.',
          'Use a shorter `wait`, and call again when the response is empty.',
          [{ field: 'wait', problem: `It must be at most ${limits.longPollSeconds}.` }],
        )
      }
      const json = await (wait > 0
        ? holds.hold(caller, held, (signal) => read(after, wait * SECOND, signal))
        : read(after, 0, held))
      return { status: 200, json, headers: { Vary: 'Accept' } }
    },
  }),
]

/** `X-Accel-Buffering: no` stops nginx from buffering the stream. */
const STREAM_HEADERS = { 'Content-Type': 'text/event-stream', Vary: 'Accept', 'X-Accel-Buffering': 'no' }

function waitOnStream(): Error {
  return invalidRequest('An event stream waits anyway.', 'Leave `wait` out, or ask for application/json.', [
    { field: 'wait', problem: 'It goes with JSON only.' },
  ])
}

function lastEventId(headers: Readonly<Record<string, string>>): number | undefined {
  const given = headers['last-event-id']
  if (given === undefined || given === '') return undefined
  const seq = Number(given)
  if (/^\d{1,16}$/.test(given) && Number.isSafeInteger(seq)) return seq
  throw invalidRequest('Last-Event-ID is not the id of an event.', 'Send the `id` of the last event that came.', [
    { field: 'Last-Event-ID', problem: 'It must be a whole number from 0.' },
  ])
}

/** A stream that is never read still releases its place. */
function releasing(stream: AsyncGenerator<Uint8Array>, release: () => void): AsyncIterable<Uint8Array> {
  return {
    [Symbol.asyncIterator]: () => ({
      async next() {
        try {
          const step = await stream.next()
          if (step.done) release()
          return step
        } catch (error) {
          release()
          throw error
        }
      },
      async return() {
        release()
        return stream.return(undefined)
      },
    }),
  }
}
