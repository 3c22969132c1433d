/** Messages from DATA to the reply: received, judged within a deadline, logged and counted. */
import type { AuthenticationResults } from '../../authentication/types.js'
import { collectGarbage } from '../../lib/garbage.js'
import { domainOf } from '../../mime/address.js'
import type { Log } from '../../observe/log.js'
import type { Metrics } from '../../observe/metrics.js'
import type { DmarcResult, DmarcResults } from '../../reporting/sent/dmarc-counts.js'
import { createMemoryPool, type MemoryPool } from '../../smtp/memory-pool.js'
import { HEADROOM_BYTES, type MessageBuffer } from '../../smtp/message-buffer.js'
import { BUSY, INTERNAL, replyCodes, STORAGE_FAILED, TOO_LARGE, TOO_SLOW, type Reply } from '../../smtp/replies.js'
import type { DataSink } from '../../smtp/session.js'
import { isStorageError } from '../../store/errors.js'
import type { Policy } from '../judging/decide.js'
import { acceptMessage } from '../judging/incoming.js'
import type { Envelope, Outcome, IncomingDeps } from '../judging/types.js'
import type { Visitor } from '../limits/connections.js'
import { bufferedBytes, type MxDeadlines, type MxLimits } from '../limits/limits.js'
import type { Attempts } from './attempts.js'
import { lineOf, messageMetrics } from './message-log.js'
import { ReceivedData } from './receive.js'

/** Dropped memory of this size is worth a garbage collection. */
const MANY_BYTES = 16 * 1024 * 1024

export interface MessagesDeps {
  limits: MxLimits
  deadlines: Pick<MxDeadlines, 'handlerMs'>
  incoming: IncomingDeps
  dmarcResults?: DmarcResults | undefined
  log: Log
  metrics?: Metrics | undefined
}

export interface Arriving {
  visitor: Visitor
  attempts: Attempts
  /** Resolves when look-ups about the client are done. */
  envelope: Promise<Envelope>
}

export class Messages {
  readonly #memory: MemoryPool
  readonly #atWork = new Set<Promise<unknown>>()
  readonly #count: (reply: Reply, ms: number) => void

  constructor(private readonly deps: MessagesDeps) {
    const placeBytes = HEADROOM_BYTES + deps.limits.maxMessageBytes
    const onDropped = (bytes: number): void => {
      if (bytes >= MANY_BYTES) collectGarbage()
    }
    this.#memory = createMemoryPool({ maxBytes: bufferedBytes(deps.limits), placeBytes, onDropped })
    this.#count = messageMetrics(deps.metrics)
  }

  /** Checks for memory at DATA, before the client sends the message. @param bytes declared size */
  roomFor(bytes: number, { session }: Visitor): Reply | undefined {
    if (bytes <= this.#memory.left) return undefined
    this.deps.log.info({ connection_id: session.id, reply: replyCodes(BUSY), reason: BUSY.reason }, BUSY.text)
    return BUSY
  }

  receive(arriving: Arriving): DataSink {
    const startedAt = performance.now()
    const received = new ReceivedData(this.#memory, this.deps.limits)
    const { visitor } = arriving
    let isOver = false
    // Closing waits for it from here on.
    let settle: () => void = () => undefined
    this.#track(new Promise<void>((resolve) => (settle = resolve)))
    const finish = async (isWhole: boolean): Promise<Reply> => {
      isOver = true
      try {
        return await this.#finish(arriving, received, isWhole, startedAt)
      } catch (err) {
        this.deps.log.error({ connection_id: visitor.session.id, err }, 'message could not be taken')
        return replyToFault(err)
      } finally {
        // The reply is written before waiters continue.
        setImmediate(settle)
      }
    }
    return {
      write: (chunk) => {
        received.write(chunk)
        if (!isOver && received.isBeyondMeasure) {
          visitor.cut(TOO_LARGE)
          void finish(true)
        }
        return undefined
      },
      end: () => {
        received.end()
        return finish(true)
      },
      abort: () => {
        received.message.drop()
        if (!isOver) void finish(false)
      },
    }
  }

  /** Resolves when all messages in progress have their reply. */
  settled(): Promise<unknown> {
    return Promise.all(this.#atWork)
  }

  #track(work: Promise<unknown>): void {
    this.#atWork.add(work)
    void work.finally(() => this.#atWork.delete(work))
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
    const outcome = refusal ? { reply: refusal } : await this.#judge(envelope, received, attempts)
    const ms = Math.round(performance.now() - startedAt)
    this.#logStored(envelope, session.id, outcome)
    const line = lineOf(envelope, session.id, bytes, { outcome, ms })
    if (outcome.error === undefined) log.info(line, outcome.reply.text)
    else log.error({ ...line, err: outcome.error }, outcome.reply.text)
    this.#count(outcome.reply, ms)
    this.#noteEvidence(envelope, outcome)
    attempts.finished(envelope, bytes, outcome)
    if (outcome.reply.code === 250) visitor.guarded.messageAccepted()
    return outcome.reply
  }

  /** Clients wait 10 minutes (RFC 5321 §4.5.3.2.6): they get a reply earlier, whatever hangs. */
  async #judge(envelope: Envelope, { message, bytes }: ReceivedData, attempts: Attempts): Promise<Outcome> {
    let abandoned = false
    let timer: NodeJS.Timeout | undefined
    const deadline = new Promise<Outcome>((resolve) => {
      timer = setTimeout(() => {
        abandoned = true
        resolve({ reply: TOO_SLOW })
      }, this.deps.deadlines.handlerMs).unref()
    })
    const work = this.#accept(envelope, message, attempts.writer(envelope, bytes), () => abandoned)
      .catch((error: unknown): Outcome => ({ reply: replyToFault(error), error }))
      .finally(() => clearTimeout(timer))
    return Promise.race([work, deadline])
  }

  async #accept(
    envelope: Envelope,
    message: MessageBuffer,
    writeReceipt: ReturnType<Attempts['writer']>,
    isAbandoned: () => boolean,
  ): Promise<Outcome> {
    const { raw, close } = await message.open()
    const readers: Promise<unknown>[] = []
    try {
      if (isAbandoned()) return { reply: TOO_SLOW }
      const isRead = (work: Promise<unknown>): void => void readers.push(work)
      return await acceptMessage(this.deps.incoming, envelope, raw, { isAbandoned, isRead, writeReceipt })
    } finally {
      void Promise.allSettled(readers).then(close)
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

  /** Deferred messages come again, and are counted then. */
  #noteEvidence({ clientAddress, from }: Envelope, { auth, evidence, reply }: Outcome): void {
    if (!evidence || !auth || (reply.code >= 400 && reply.code < 500)) return
    this.deps.dmarcResults?.record({
      ...evidence,
      ip: clientAddress,
      envelopeFrom: from === '' ? '' : domainOf(from),
      ...dispositionOf(auth.dmarc, this.deps.incoming.judging.policy.dmarcReject),
    })
  }
}

/** Disposition by the author's policy (mx/judging/decide.ts), whatever else applied. */
function dispositionOf(
  { result, policy }: AuthenticationResults['dmarc'],
  dmarcReject: Policy['dmarcReject'],
): Pick<DmarcResult, 'disposition' | 'override'> {
  if (result !== 'fail' || policy === null || policy === 'none') return { disposition: 'none', override: false }
  if (dmarcReject === 'ignore') return { disposition: 'none', override: true }
  if (policy === 'quarantine') return { disposition: 'quarantine', override: false }
  return { disposition: dmarcReject, override: dmarcReject !== 'reject' }
}

/** Internal faults: the sender retries. RFC 3463 §3.4: 4.3.1 is a full disk of the mail system. */
export function replyToFault(error: unknown): Reply {
  return isStorageError(error) ? STORAGE_FAILED : INTERNAL
}
