/** Messages from DATA to the reply: received, examined, given to the intake within a deadline, logged and counted. */
import { collectGarbage } from '../../lib/memory/garbage.js'
import type { Log } from '../../observe/log.js'
import type { Meter } from '../../observe/metrics.js'
import type { MessageBuffer } from '../../smtp/message-buffer.js'
import { INTERNAL, TOO_SLOW, type Refused, type Reply } from '../../smtp/replies.js'
import type { Visitor } from '../../smtp/server/connections.js'
import type { Deadlines } from '../../smtp/server/deadlines.js'
import { Incoming } from '../../smtp/server/incoming.js'
import type { ReceivedData } from '../../smtp/server/receive.js'
import type { DataSink } from '../../smtp/session.js'
import { replyToFault } from '../intake/faults.js'
import type { Envelope, Intake, Outcome } from '../intake/types.js'
import { examine, type ExamineDeps } from '../judging/examine.js'
import type { Examined } from '../judging/types.js'
import type { MxLimits } from '../limits/limits.js'
import type { Attempts } from './attempts.js'
import { lineOf, messageMetrics } from './message-log.js'

/** Dropped memory of this size is worth a garbage collection. */
const MANY_BYTES = 16 * 1024 * 1024

export interface MessagesDeps {
  limits: MxLimits
  deadlines: Pick<Deadlines, 'handlerMs'>
  examining: ExamineDeps
  intake: Pick<Intake, 'message'>
  log: Log
  metrics?: Meter | undefined
}

export interface Arriving {
  visitor: Visitor
  attempts: Attempts
  /** Resolves when look-ups about the client are done. */
  envelope: Promise<Envelope>
}

export class Messages {
  readonly #incoming: Incoming
  readonly #count: (reply: Reply, ms: number) => void

  constructor(private readonly deps: MessagesDeps) {
    const onDropped = (bytes: number): void => {
      if (bytes < MANY_BYTES) return
      deps.examining.judging.collect?.()
      collectGarbage()
    }
    this.#incoming = new Incoming({ limits: deps.limits, log: deps.log, onDropped })
    this.#count = messageMetrics(deps.metrics)
  }

  /** Checks for memory at DATA, before the client sends the message. @param bytes declared size */
  roomFor(bytes: number, visitor: Visitor): Reply | undefined {
    return this.#incoming.roomFor(bytes, visitor)
  }

  receive(arriving: Arriving): DataSink {
    const startedAt = performance.now()
    const { visitor } = arriving
    return this.#incoming.receive(visitor, async (received, isWhole) => {
      try {
        return await this.#finish(arriving, received, isWhole, startedAt)
      } catch (err) {
        this.deps.log.error({ connection_id: visitor.session.id, err }, 'message could not be taken')
        return replyToFault(err)
      }
    })
  }

  /** Resolves when all messages in progress have their reply. */
  settled(): Promise<unknown> {
    return this.#incoming.settled()
  }

  /** @param isWhole false if the client left before the end */
  async #finish(arriving: Arriving, received: ReceivedData, isWhole: boolean, startedAt: number): Promise<Reply> {
    const { log } = this.deps
    const { visitor, attempts } = arriving
    const { session } = visitor
    const { bytes, refusal } = received
    const envelope = await arriving.envelope
    if (!isWhole) {
      log.info(lineOf(envelope, session.id, bytes), 'client went away within the data')
      attempts.finished(envelope, bytes, undefined)
      return INTERNAL
    }
    const outcome = refusal ? { reply: refusal } : await this.#accept(envelope, received.message, arriving)
    const { reply } = outcome
    // Unless the intake has written it.
    attempts.finished(envelope, bytes, reply)
    const ms = Math.round(performance.now() - startedAt)
    this.#logStored(envelope, session.id, outcome)
    log.info(lineOf(envelope, session.id, bytes, { outcome, ms }), reply.text)
    this.#count(reply, ms)
    if (reply.code === 250) visitor.counts.messageAccepted()
    return reply
  }

  async #accept(envelope: Envelope, message: MessageBuffer, { visitor, attempts }: Arriving): Promise<Outcome> {
    const until = performance.now() + this.deps.deadlines.handlerMs
    const { raw, close } = await message.open()
    const readers: Promise<unknown>[] = []
    const isRead = (work: Promise<unknown>): void => void readers.push(work)
    try {
      const examined = await this.#examine({ ...envelope, raw }, until, isRead)
      if ('reply' in examined) return examined
      const attempt = attempts.handOver(envelope)
      const leftMs = Math.max(0, until - performance.now())
      const { id: connection } = visitor.session
      return await this.deps.intake.message({ connection, envelope, examined, raw, attempt, leftMs }, isRead)
    } finally {
      void Promise.allSettled(readers).then(close)
    }
  }

  /** Clients wait 10 minutes (RFC 5321 §4.5.3.2.6): they get a reply earlier, whatever hangs. */
  async #examine(
    message: Envelope & { raw: Buffer },
    until: number,
    isRead: (work: Promise<unknown>) => void,
  ): Promise<Examined | Refused> {
    let timer: NodeJS.Timeout | undefined
    const deadline = new Promise<Refused>((resolve) => {
      timer = setTimeout(() => resolve({ kind: 'refused', reply: TOO_SLOW }), until - performance.now()).unref()
    })
    try {
      return await Promise.race([examine(this.deps.examining, message, isRead), deadline])
    } finally {
      clearTimeout(timer)
    }
  }

  /** One line per stored copy, each with its own ids. */
  #logStored(envelope: Envelope, sessionId: string, { stored = [] }: Outcome): void {
    if (stored.length < 2) return
    for (const { messageId, mailboxId } of stored) {
      const ids = { connection_id: sessionId, receipt_id: envelope.id, message_id: messageId, mailbox_id: mailboxId }
      this.deps.log.info(ids, 'stored for one of several')
    }
  }
}
