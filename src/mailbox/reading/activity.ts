/**
 * The activity of an agent, day by day, counted from the event log of its mailbox: nothing is stored for it. A busy mailbox has more events than are looked at, and
 * then the oldest days are left out.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { DAY } from '../../lib/clock.js'
import type { Store } from '../../store/types.js'
import { lastOfRow, unpackEvents } from '../event-rows.js'
import { eventKey, eventsRange, mailboxPartition } from '../keys.js'
import { requestedBySchema, type Event, type RequestedBy } from '../objects/objects.js'

/** Commits whose events are looked at, and those of one read. */
const MAX_LOOKED_AT = 10_000
const STEP = 250
const MAX_RECIPIENTS = 10

/** Messages of one day (UTC). */
export interface DayActivity {
  /** Whole days since the epoch. */
  day: number
  received: number
  /** Handed to the relay. */
  sent: number
  held: number
  blocked: number
  /** Recipients did not get them. */
  bounced: number
  /** Who asked for the messages that were sent, held or blocked, the most first. */
  requesters: { by: RequestedBy | null; messages: number }[]
}

export interface Activity {
  /** One for each day, the oldest first. */
  days: DayActivity[]
  /** Those with the most messages, at most 10. */
  recipients: { address: string; messages: number }[]
  /** First day of which everything was looked at. */
  completeFrom: number
}

type Counted = Exclude<keyof DayActivity, 'day' | 'received' | 'requesters'>

/**
 * @param atMost commits that are looked at
 * @returns a function that counts the last `count` days until `now`, in milliseconds since the epoch
 */
export function createActivity(store: Store, atMost = MAX_LOOKED_AT) {
  return async (mailboxId: string, now: number, count: number): Promise<Activity> => {
    const today = Math.floor(now / DAY)
    const first = today - count + 1
    const found = new Tally(first)
    let completeFrom = first
    let before = eventsRange.lt
    for (let lookedAt = 0; ; await nextTurn()) {
      const rows = await store.read(mailboxPartition(mailboxId), (view) =>
        view.range({ gte: eventsRange.gte, lt: before, limit: STEP, reverse: true }),
      )
      for (const [row, value] of rows)
        for (const event of unpackEvents(value, lastOfRow(row), mailboxId)) found.add(event)
      const [oldest] = rows.at(-1) ?? []
      if (!oldest || rows.length < STEP || found.oldest < first) break
      before = eventKey(lastOfRow(oldest))
      lookedAt += rows.length
      if (lookedAt >= atMost) {
        completeFrom = found.oldest + 1
        break
      }
    }
    return { ...found.result(today), completeFrom }
  }
}

class Tally {
  /** The oldest day seen. */
  oldest = Infinity
  readonly #received = new Map<number, number>()
  /** Day by message: events may repeat a state, and the earliest counts. */
  readonly #messages: Record<Counted, Map<string, number>> = {
    sent: new Map(),
    held: new Map(),
    blocked: new Map(),
    bounced: new Map(),
  }
  readonly #recipients = new Map<string, Set<string>>()
  /** By message; the earliest event is read last. */
  readonly #requesters = new Map<string, { day: number; by: RequestedBy | null }>()

  constructor(private readonly first: number) {}

  add({ type, timestamp, data }: Event): void {
    const day = Math.floor(Date.parse(timestamp) / DAY)
    this.oldest = Math.min(this.oldest, day)
    if (day < this.first) return
    if (type === 'message.received') this.#received.set(day, (this.#received.get(day) ?? 0) + 1)
    const { message_id: id, status } = data
    if (type !== 'message.status' || typeof id !== 'string') return
    const recipients = recipientsIn(data)
    if (status === 'queued' || status === 'held' || status === 'blocked')
      this.#requesters.set(id, { day, by: requesterIn(data) })
    if (status === 'queued') {
      this.#note('sent', id, day)
      for (const { address } of recipients)
        this.#recipients.set(address, (this.#recipients.get(address) ?? new Set()).add(id))
    } else if (status === 'held' || status === 'blocked') this.#note(status, id, day)
    else if (recipients.some((recipient) => recipient.status === 'bounced')) this.#note('bounced', id, day)
  }

  #note(what: Counted, id: string, day: number): void {
    const days = this.#messages[what]
    days.set(id, Math.min(day, days.get(id) ?? day))
  }

  result(today: number): Pick<Activity, 'days' | 'recipients'> {
    const days: DayActivity[] = []
    for (let day = this.first; day <= today; day++)
      days.push({
        ...{ day, received: this.#received.get(day) ?? 0, sent: 0, held: 0, blocked: 0, bounced: 0 },
        requesters: [],
      })
    for (const what of ['sent', 'held', 'blocked', 'bounced'] as const)
      for (const day of this.#messages[what].values()) {
        const counts = days[day - this.first]
        if (counts) counts[what]++
      }
    const asked = new Map<string, DayActivity['requesters'][number]>()
    for (const { day, by } of this.#requesters.values()) {
      const name = `${day} ${by?.type} ${by?.key_id}`
      const known = asked.get(name) ?? { by, messages: 0 }
      if (!asked.has(name)) days[day - this.first]?.requesters.push(known)
      asked.set(name, known)
      known.messages++
    }
    for (const { requesters } of days) requesters.sort((a, b) => b.messages - a.messages)
    const recipients = [...this.#recipients]
      .map(([address, messages]) => ({ address, messages: messages.size }))
      .sort((a, b) => b.messages - a.messages || (a.address < b.address ? -1 : 1))
    return { days, recipients: recipients.slice(0, MAX_RECIPIENTS) }
  }
}

function recipientsIn({ recipients }: Event['data']): { address: string; status: unknown }[] {
  if (!Array.isArray(recipients)) return []
  return recipients.filter((each): each is { address: string; status: unknown } => typeof each?.address === 'string')
}

/** Older events don't say. */
const requesterIn = ({ requested_by: by }: Event['data']): RequestedBy | null =>
  requestedBySchema.safeParse(by).data ?? null
