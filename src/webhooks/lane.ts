/**
 * The deliveries of one webhook. Events are begun in their order, some at once; what fails waits in the store for its next attempt while the others
 * go on. When too many wait, or the account is not active, the lane stands still: what it has not begun is in the event log, behind the cursor.
 *
 * All that is in memory here can be lost: the cursor is moved past an event in the commit that writes down how its delivery went.
 */
import { HOUR, SECOND } from '../lib/clock.js'
import type { Clock } from '../lib/clock.js'
import type { EventType } from '../mailbox/objects/objects.js'
import type { StoredEvent } from '../mailbox/event-rows.js'
import type { Deliveries, LoadedWebhook } from '../mailbox/webhooks/deliveries.js'
import { isWanted, MAX_WAITING } from '../mailbox/webhooks/rows.js'
import { isTaken } from '../mailbox/webhooks/types.js'
import type { AttemptResult, DeliveryRecord, DeliveryState } from '../mailbox/webhooks/types.js'
import type { Sender } from './sender.js'

/** Deliveries of one webhook at once; one while they fail. */
const WINDOW = 8
const FAILING_AFTER = 3
/** Deliveries that may wait for another attempt; events wait behind the cursor then. */
export const MAX_RETRIES_WAITING = 100
/** Results that may wait to be written down. */
const MAX_UNSAVED = 64
const READ_STEP = 128
/** Past so many events that are not wanted the cursor is written down. */
const UNWANTED_STEP = 100
/** Events that may be ahead of the first one whose delivery has not ended. */
const MAX_AHEAD = 4096
/** After an error of the store. */
const RETRY_MS = 30 * SECOND

export interface LaneDeps {
  deliveries: Deliveries
  sender: Pick<Sender, 'send'>
  clock: Clock
  /** Whether the account takes part in the service now; otherwise only events about itself are delivered. */
  isActive: (mailboxId: string) => Promise<boolean>
  /** Tells of a webhook that the service disabled. Can be called again after a crash. */
  tellDisabled: (mailboxId: string, loaded: LoadedWebhook) => Promise<void>
  onResult: (result: AttemptResult, about: AboutAttempt) => void
  onError: (error: unknown, webhookId: string) => void
}

/** Whose delivery an attempt was of. */
export interface AboutAttempt {
  mailboxId: string
  webhookId: string
  /** Of the message that the event tells of; undefined of other events. */
  messageId: string | undefined
}

export interface Lane {
  /** Something may have changed. */
  wake(): void
  /** Takes on nothing new, and resolves when what is on its way has ended and is written down, at the latest when the signal is aborted. */
  stop(signal: AbortSignal): Promise<void>
  /** Resolves when the webhook is gone or the lane was stopped. */
  readonly ended: Promise<void>
  readonly view: { running: number; waiting: number; cursor: number }
  /** Nothing is to be done now. */
  readonly isIdle: boolean
}

export function startLane(deps: LaneDeps, mailboxId: string, webhookId: string): Lane {
  const { deliveries, sender, clock } = deps
  let loaded: LoadedWebhook | undefined
  /** Events that were read and are not begun. */
  let ahead: StoredEvent[] = []
  /** Events that were read and whose end is not written down, in their order. */
  let open = new Set<number>()
  let readUpTo = 0
  let epoch = -1
  let unsaved: AttemptResult[] = []
  /** By the id of the event. */
  const running = new Map<string, Promise<void>>()
  const cutOff = new AbortController()
  /** What was read ahead counts no more; nothing is begun until what is on its way is written down. */
  let isDraining = false
  let areRetriesDue = false
  let isActive = false
  let failure: { error: unknown } | undefined
  let stopping = false
  let isIdle = false
  let wakeUp: (() => void) | undefined
  let isAwake = false

  const wake = (): void => {
    isAwake = true
    isIdle = false
    wakeUp?.()
  }

  /** Until somebody wakes it, or the time has come. */
  async function sleep(until: number | undefined): Promise<void> {
    if (isAwake) return
    isIdle = true
    const ms = until === undefined ? HOUR : Math.min(Math.max(until - clock.now(), 0), HOUR)
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms)
      timer.unref()
      wakeUp = () => {
        clearTimeout(timer)
        resolve()
      }
    })
    wakeUp = undefined
    isIdle = false
  }

  /** Forgets what was read ahead, and goes on from what is stored. */
  function begin({ state }: LoadedWebhook): void {
    epoch = state.epoch
    isDraining = false
    ahead = []
    open = new Set()
    readUpTo = state.cursor
  }

  function window(): number {
    const { state } = present(loaded)
    return state.failures >= FAILING_AFTER ? 1 : WINDOW
  }

  function hasRoom(): boolean {
    return !stopping && !isDraining && running.size < window() && unsaved.length < MAX_UNSAVED
  }

  /** While the account is not active the lane stands before the first event that is not about the account itself. */
  function mayBeSent(type: EventType): boolean {
    return isActive || type.startsWith('account.')
  }

  function start({ event: { id, seq, type, data }, body }: StoredEvent): void {
    const event = { id, seq, type }
    const named = data['message_id']
    const about = { mailboxId, webhookId, messageId: typeof named === 'string' ? named : undefined }
    const { webhook } = present(loaded)
    const work = sender
      .send(webhook, id, body, cutOff.signal)
      .then(({ attempt, request, retryAfterMs }) => {
        const result = { event, attempt, request, retryAfterMs }
        unsaved.push(result)
        deps.onResult(result, about)
      })
      // Cut off by the end of the process: it is sent again by the next one.
      .catch((error: unknown) => {
        if (!cutOff.signal.aborted) failure = { error }
      })
      .finally(() => {
        running.delete(id)
        startEvents()
        wake()
      })
    running.set(id, work)
  }

  /** Deliveries that wait, or will when what is on its way fails. */
  function mayWait(): number {
    const failed = unsaved.filter(({ attempt }) => !isTaken(attempt)).length
    return present(loaded).state.waiting + running.size + failed
  }

  /** In their order, as many as may be. */
  function startEvents(): void {
    if (!loaded || loaded.webhook.disabled || clock.now() < loaded.state.pausedUntil) return
    // A place is left for what waited longer.
    const places = window() - (areRetriesDue ? 1 : 0)
    while (hasRoom() && running.size < places && mayWait() < MAX_RETRIES_WAITING) {
      const next = ahead[0]
      if (!next || !mayBeSent(next.event.type)) return
      ahead.shift()
      start(next)
    }
  }

  /** @returns when the next one is due */
  async function startRetries(): Promise<number | undefined> {
    areRetriesDue = false
    if (present(loaded).state.waiting === 0) return undefined
    const limit = isActive ? running.size + unsaved.length + WINDOW : MAX_WAITING
    const { due, nextAt } = await deliveries.due(mailboxId, webhookId, limit)
    for (const delivery of due) {
      const { event } = delivery
      if (running.has(event.id) || unsaved.some((result) => result.event.id === event.id)) continue
      if (!mayBeSent(event.type)) continue
      areRetriesDue = !hasRoom()
      if (areRetriesDue) break
      const stored = await deliveries.event(mailboxId, event.seq)
      if (stored) start(stored)
      else unsaved.push(expired(delivery, clock.now()))
    }
    return nextAt
  }

  /** Reads on in the event log. @returns false when the mailbox is gone */
  async function readOn(): Promise<boolean> {
    const { webhook, state } = present(loaded)
    if (ahead.length >= READ_STEP / 2 || open.size > MAX_AHEAD) return true
    const found = await deliveries.eventsAfter(mailboxId, readUpTo, READ_STEP)
    if (!found) return false
    const held = found.events.findIndex(({ event }) => !mayBeSent(event.type))
    const events = held === -1 ? found.events : found.events.slice(0, held)
    const [first] = found.events
    if (first && first.event.seq > found.next && !(await noteMissed(found.next, first.event.seq - 1))) return false
    const wanted = events.filter(({ event }) => isWanted(webhook, event))
    const asked = wanted.map(({ event }) => event).filter(({ seq }) => seq <= state.reached)
    const begun = asked.length > 0 ? await deliveries.begunOf(mailboxId, webhookId, epoch, asked) : new Set<string>()
    for (const one of wanted) {
      if (begun.has(one.event.id)) continue
      ahead.push(one)
      open.add(one.event.seq)
    }
    readUpTo = events.at(-1)?.event.seq ?? readUpTo
    if (events.length === READ_STEP && ahead.length < READ_STEP / 2) isAwake = true
    return true
  }

  /** Events that were dropped from the log before they were delivered. */
  async function noteMissed(from: number, to: number): Promise<boolean> {
    const missed = { from, to }
    readUpTo = to
    loaded = await deliveries.record(mailboxId, webhookId, { epoch, results: [], cursor: cursorNow(), missed })
    return loaded !== undefined
  }

  /** Up to here every event has had its end. */
  function cursorNow(): number {
    const [first] = open
    return first === undefined ? readUpTo : first - 1
  }

  /** Writes down what has ended, in one commit. */
  async function save(): Promise<void> {
    const results = [...unsaved]
    for (const { event } of results) open.delete(event.seq)
    loaded = await deliveries.record(mailboxId, webhookId, { epoch, results, cursor: cursorNow() })
    // Only now, so that none of them is begun again in between.
    unsaved.splice(0, results.length)
    startEvents()
  }

  function isCursorOld(): boolean {
    return open.size === 0 && readUpTo >= present(loaded).state.cursor + UNWANTED_STEP
  }

  /** One round. @returns false when there is nothing left to follow */
  async function round(): Promise<boolean> {
    isAwake = false
    if (failure) throw failure.error
    const found = await deliveries.load(mailboxId, webhookId)
    if (!found) return false
    loaded = found
    const { webhook, state } = found
    if (webhook.disabled?.untold) await deps.tellDisabled(mailboxId, found)
    isDraining ||= webhook.disabled !== null || epoch !== state.epoch
    if (isDraining) {
      // Its numbers stay open, so that the cursor does not go past them.
      ahead = []
      if (running.size === 0 && unsaved.length === 0 && !webhook.disabled) begin(found)
    }
    const wakeAt = isDraining ? undefined : await startWork(state)
    if (!loaded) return false
    if (unsaved.length > 0 || (!isDraining && isCursorOld())) await save()
    if (!loaded) return false
    if (isDraining && !webhook.disabled && running.size === 0) return true
    await sleep(wakeAt)
    return true
  }

  /** @returns when there will be more to do */
  async function startWork({ pausedUntil }: DeliveryState): Promise<number | undefined> {
    if (clock.now() < pausedUntil) return pausedUntil
    isActive = await deps.isActive(mailboxId)
    const nextAt = await startRetries()
    if (!(await readOn())) loaded = undefined
    startEvents()
    return nextAt
  }

  async function run(): Promise<void> {
    while (!stopping) {
      try {
        if (!(await round())) return
      } catch (error) {
        if (stopping) return
        deps.onError(error, webhookId)
        isDraining = true
        ahead = []
        await Promise.allSettled(running.values())
        loaded = undefined
        failure = undefined
        epoch = -1
        unsaved = []
        isAwake = false
        await sleep(clock.now() + RETRY_MS)
      }
    }
  }

  const ended = run()
  return {
    wake,
    ended,
    async stop(signal) {
      stopping = true
      wake()
      const cut = (): void => cutOff.abort(new Error('the daemon stops'))
      signal.addEventListener('abort', cut, { once: true })
      if (signal.aborted) cut()
      await ended
      await Promise.allSettled(running.values())
      signal.removeEventListener('abort', cut)
      if (loaded && (unsaved.length > 0 || cursorNow() > loaded.state.cursor)) await save()
    },
    get view() {
      return { running: running.size, waiting: loaded?.state.waiting ?? 0, cursor: loaded?.state.cursor ?? 0 }
    },
    get isIdle() {
      return isIdle && running.size === 0 && unsaved.length === 0
    },
  }
}

/** A delivery whose event was dropped while it waited: nothing can be sent any more, however often. */
function expired({ event, made }: DeliveryRecord, at: number): AttemptResult {
  const problem = `its event is kept no longer; ${made} attempts had failed`
  return { event, request: null, attempt: { at, tookMs: 0, status: null, problem, answer: '' }, isLast: true }
}

function present<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('the lane has not begun')
  return value
}
