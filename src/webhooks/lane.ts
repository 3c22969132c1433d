/**
 * The deliveries of one webhook: events start in order, several at once; failed ones wait in the store. Memory may be lost: the cursor moves past an event
 * in the commit that records its delivery.
 */
import { HOUR, SECOND, type Clock } from '../lib/clock.js'
import type { EventType } from '../mailbox/objects/objects.js'
import type { StoredEvent } from '../mailbox/event-rows.js'
import type { Deliveries, LoadedWebhook } from '../mailbox/webhooks/deliveries.js'
import { isWanted, MAX_WAITING } from '../mailbox/webhooks/rows.js'
import { isTaken, type AttemptResult, type DeliveryRecord, type DeliveryState } from '../mailbox/webhooks/types.js'
import type { Sender } from './sender.js'

/** Concurrent deliveries; one while they fail. */
const WINDOW = 8
const FAILING_AFTER = 3
/** Max deliveries waiting for a retry; beyond it events wait behind the cursor. */
export const MAX_RETRIES_WAITING = 100
/** Max unrecorded results. */
const MAX_UNSAVED = 64
const READ_STEP = 128
/** The cursor is recorded after this many unwanted events. */
const UNWANTED_STEP = 100
/** Max events ahead of the first unfinished one. */
const MAX_AHEAD = 4096
/** After an error of the store. */
const RETRY_MS = 30 * SECOND

export interface LaneDeps {
  deliveries: Deliveries
  sender: Pick<Sender, 'send'>
  clock: Clock
  /** False for an inactive account or a paused mailbox; then only events about the account itself and the pause are delivered. */
  isActive: (mailboxId: string) => Promise<boolean>
  /** Reports that the service disabled a webhook. Repeatable after a crash. */
  notifyDisabled: (mailboxId: string, loaded: LoadedWebhook) => Promise<void>
  onResult: (result: AttemptResult, about: AboutAttempt) => void
  onError: (error: unknown, webhookId: string) => void
}

export interface AboutAttempt {
  mailboxId: string
  webhookId: string
  /** Id of the event's message, if any. */
  messageId: string | undefined
}

/** Delivers from construction on. */
export class Lane {
  readonly #deps: LaneDeps
  readonly #mailboxId: string
  readonly #webhookId: string
  #loaded: LoadedWebhook | undefined
  /** Events read but not started. */
  #ahead: StoredEvent[] = []
  /** Events whose end is not recorded, in order. */
  #open = new Set<number>()
  #readUpTo = 0
  #epoch = -1
  #unsaved: AttemptResult[] = []
  /** By event id. */
  readonly #running = new Map<string, Promise<void>>()
  readonly #cutOff = new AbortController()
  /** Discards read-ahead events; nothing starts until running ones are recorded. */
  #isDraining = false
  #areRetriesDue = false
  #isActive = false
  #failure: { error: unknown } | undefined
  #stopping = false
  #isIdle = false
  #wakeUp: (() => void) | undefined
  #isAwake = false
  /** Resolves when the webhook is gone or the lane was stopped. */
  readonly ended: Promise<void>

  constructor(deps: LaneDeps, mailboxId: string, webhookId: string) {
    this.#deps = deps
    this.#mailboxId = mailboxId
    this.#webhookId = webhookId
    this.ended = this.#run()
  }

  wake(): void {
    this.#isAwake = true
    this.#isIdle = false
    this.#wakeUp?.()
  }

  /** Starts nothing new; resolves when running deliveries are recorded, or the signal aborts. */
  async stop(signal: AbortSignal): Promise<void> {
    this.#stopping = true
    this.wake()
    const cut = (): void => this.#cutOff.abort(new Error('the daemon stops'))
    signal.addEventListener('abort', cut, { once: true })
    if (signal.aborted) cut()
    await this.ended
    await Promise.allSettled(this.#running.values())
    signal.removeEventListener('abort', cut)
    if (this.#loaded && (this.#unsaved.length > 0 || this.#cursorNow() > this.#loaded.state.cursor)) await this.#save()
  }

  get view(): { running: number; waiting: number; cursor: number } {
    return {
      running: this.#running.size,
      waiting: this.#loaded?.state.waiting ?? 0,
      cursor: this.#loaded?.state.cursor ?? 0,
    }
  }

  get isIdle(): boolean {
    return this.#isIdle && this.#running.size === 0 && this.#unsaved.length === 0
  }

  /** Sleeps until woken, or until the time. */
  async #sleep(until: number | undefined): Promise<void> {
    if (this.#isAwake) return
    this.#isIdle = true
    const ms = until === undefined ? HOUR : Math.min(Math.max(until - this.#deps.clock.now(), 0), HOUR)
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms)
      timer.unref()
      this.#wakeUp = () => {
        clearTimeout(timer)
        resolve()
      }
    })
    this.#wakeUp = undefined
    this.#isIdle = false
  }

  /** Discards read-ahead events, and continues from the stored state. */
  #begin({ state }: LoadedWebhook): void {
    this.#epoch = state.epoch
    this.#isDraining = false
    this.#ahead = []
    this.#open = new Set()
    this.#readUpTo = state.cursor
  }

  #window(): number {
    const { state } = present(this.#loaded)
    return state.failures >= FAILING_AFTER ? 1 : WINDOW
  }

  #hasRoom(): boolean {
    return (
      !this.#stopping && !this.#isDraining && this.#running.size < this.#window() && this.#unsaved.length < MAX_UNSAVED
    )
  }

  /** While the account or the mailbox is inactive the lane stops at the first event that is not about that. */
  #mayBeSent(type: EventType): boolean {
    return this.#isActive || type.startsWith('account.') || type === 'mailbox.paused'
  }

  #start({ event: { id, seq, type, data }, body }: StoredEvent): void {
    const event = { id, seq, type }
    const named = data['message_id']
    const about = {
      mailboxId: this.#mailboxId,
      webhookId: this.#webhookId,
      messageId: typeof named === 'string' ? named : undefined,
    }
    const { webhook } = present(this.#loaded)
    const work = this.#deps.sender
      .send(webhook, id, body, this.#cutOff.signal)
      .then(({ attempt, request, retryAfterMs }) => {
        const result = { event, attempt, request, retryAfterMs }
        this.#unsaved.push(result)
        this.#deps.onResult(result, about)
      })
      // Cut off by the end of the process: the next one sends it again.
      .catch((error: unknown) => {
        if (!this.#cutOff.signal.aborted) this.#failure = { error }
      })
      .finally(() => {
        this.#running.delete(id)
        this.#startEvents()
        this.wake()
      })
    this.#running.set(id, work)
  }

  /** Waiting deliveries, and running ones that may have to wait. */
  #mayWait(): number {
    const failed = this.#unsaved.filter(({ attempt }) => !isTaken(attempt)).length
    return present(this.#loaded).state.waiting + this.#running.size + failed
  }

  /** Starts events in order, within the limits. */
  #startEvents(): void {
    if (!this.#loaded || this.#loaded.webhook.disabled || this.#deps.clock.now() < this.#loaded.state.pausedUntil)
      return
    // One place is reserved for due retries.
    const places = this.#window() - (this.#areRetriesDue ? 1 : 0)
    while (this.#hasRoom() && this.#running.size < places && this.#mayWait() < MAX_RETRIES_WAITING) {
      const next = this.#ahead[0]
      if (!next || !this.#mayBeSent(next.event.type)) return
      this.#ahead.shift()
      this.#start(next)
    }
  }

  /** @returns when the next one is due */
  async #startRetries(): Promise<number | undefined> {
    this.#areRetriesDue = false
    if (present(this.#loaded).state.waiting === 0) return undefined
    const limit = this.#isActive ? this.#running.size + this.#unsaved.length + WINDOW : MAX_WAITING
    const { due, nextAt } = await this.#deps.deliveries.due(this.#mailboxId, this.#webhookId, limit)
    for (const delivery of due) {
      const { event } = delivery
      if (this.#running.has(event.id) || this.#unsaved.some((result) => result.event.id === event.id)) continue
      if (!this.#mayBeSent(event.type)) continue
      this.#areRetriesDue = !this.#hasRoom()
      if (this.#areRetriesDue) break
      const stored = await this.#deps.deliveries.event(this.#mailboxId, event.seq)
      if (stored) this.#start(stored)
      else this.#unsaved.push(expired(delivery, this.#deps.clock.now()))
    }
    return nextAt
  }

  async #readOn(): Promise<boolean> {
    const { webhook, state } = present(this.#loaded)
    if (this.#ahead.length >= READ_STEP / 2 || this.#open.size > MAX_AHEAD) return true
    const found = await this.#deps.deliveries.eventsAfter(this.#mailboxId, this.#readUpTo, READ_STEP)
    if (!found) return false
    const held = found.events.findIndex(({ event }) => !this.#mayBeSent(event.type))
    const events = held === -1 ? found.events : found.events.slice(0, held)
    const [first] = found.events
    if (first && first.event.seq > found.next && !(await this.#noteMissed(found.next, first.event.seq - 1)))
      return false
    const wanted = events.filter(({ event }) => isWanted(webhook, event))
    const asked = wanted.map(({ event }) => event).filter(({ seq }) => seq <= state.reached)
    const begun =
      asked.length > 0
        ? await this.#deps.deliveries.begunOf(this.#mailboxId, this.#webhookId, this.#epoch, asked)
        : new Set<string>()
    for (const one of wanted) {
      if (begun.has(one.event.id)) continue
      this.#ahead.push(one)
      this.#open.add(one.event.seq)
    }
    this.#readUpTo = events.at(-1)?.event.seq ?? this.#readUpTo
    if (events.length === READ_STEP && this.#ahead.length < READ_STEP / 2) this.#isAwake = true
    return true
  }

  /** Records events dropped from the log before delivery. */
  async #noteMissed(from: number, to: number): Promise<boolean> {
    const missed = { from, to }
    this.#readUpTo = to
    this.#loaded = await this.#deps.deliveries.record(this.#mailboxId, this.#webhookId, {
      epoch: this.#epoch,
      results: [],
      cursor: this.#cursorNow(),
      missed,
    })
    return this.#loaded !== undefined
  }

  /** All events up to here have ended. */
  #cursorNow(): number {
    const [first] = this.#open
    return first === undefined ? this.#readUpTo : first - 1
  }

  /** Records ended deliveries in one commit. */
  async #save(): Promise<void> {
    const results = [...this.#unsaved]
    for (const { event } of results) this.#open.delete(event.seq)
    this.#loaded = await this.#deps.deliveries.record(this.#mailboxId, this.#webhookId, {
      epoch: this.#epoch,
      results,
      cursor: this.#cursorNow(),
    })
    // Only now, so that none starts again in between.
    this.#unsaved.splice(0, results.length)
    this.#startEvents()
  }

  #isCursorOld(): boolean {
    return this.#open.size === 0 && this.#readUpTo >= present(this.#loaded).state.cursor + UNWANTED_STEP
  }

  /** One round. @returns false if there is nothing left to follow */
  async #round(): Promise<boolean> {
    this.#isAwake = false
    if (this.#failure) throw this.#failure.error
    const found = await this.#deps.deliveries.load(this.#mailboxId, this.#webhookId)
    if (!found) return false
    this.#loaded = found
    const { webhook, state } = found
    if (webhook.disabled?.untold) await this.#deps.notifyDisabled(this.#mailboxId, found)
    this.#isDraining ||= webhook.disabled !== null || this.#epoch !== state.epoch
    if (this.#isDraining) {
      // Their numbers stay open, so that the cursor does not pass them.
      this.#ahead = []
      if (this.#running.size === 0 && this.#unsaved.length === 0 && !webhook.disabled) this.#begin(found)
    }
    const wakeAt = this.#isDraining ? undefined : await this.#startWork(state)
    if (!this.#loaded) return false
    if (this.#unsaved.length > 0 || (!this.#isDraining && this.#isCursorOld())) await this.#save()
    if (!this.#loaded) return false
    if (this.#isDraining && !webhook.disabled && this.#running.size === 0) return true
    await this.#sleep(wakeAt)
    return true
  }

  /** @returns when there will be more to do */
  async #startWork({ pausedUntil }: DeliveryState): Promise<number | undefined> {
    if (this.#deps.clock.now() < pausedUntil) return pausedUntil
    this.#isActive = await this.#deps.isActive(this.#mailboxId)
    const nextAt = await this.#startRetries()
    if (!(await this.#readOn())) this.#loaded = undefined
    this.#startEvents()
    return nextAt
  }

  async #run(): Promise<void> {
    while (!this.#stopping) {
      try {
        if (!(await this.#round())) return
      } catch (error) {
        if (this.#stopping) return
        this.#deps.onError(error, this.#webhookId)
        this.#isDraining = true
        this.#ahead = []
        await Promise.allSettled(this.#running.values())
        this.#loaded = undefined
        this.#failure = undefined
        this.#epoch = -1
        this.#unsaved = []
        this.#isAwake = false
        await this.#sleep(this.#deps.clock.now() + RETRY_MS)
      }
    }
  }
}

/** Result of a delivery whose event expired while it waited: nothing can be sent any more. */
function expired({ event, made }: DeliveryRecord, at: number): AttemptResult {
  const problem = `its event is no longer kept; ${made} attempts had failed`
  return { event, request: null, attempt: { at, tookMs: 0, status: null, problem, answer: '' }, isLast: true }
}

function present<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('the lane has not begun')
  return value
}
