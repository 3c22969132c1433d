/** What is recorded of a message beside itself: its log line, its receipt, its counts, and the limits of its client. */
import { openSync } from 'node:fs'
import { pino } from 'pino'
import { clientRates, sessionLimits } from '../../src/config/derived.js'
import { loadConfig } from '../../src/config/load.js'
import { systemClock as clock, DAY } from '../../src/lib/clock.js'
import { newId } from '../../src/lib/ids.js'
import { createClientLimits } from '../../src/mx/intake/client-limits.js'
import { clientOf } from '../../src/smtp/server/networks.js'
import { receiptOf } from '../../src/mx/intake/receipt.js'
import type { Envelope, Outcome } from '../../src/mx/intake/types.js'
import { countSession } from '../../src/smtp/server/session-limits.js'
import { Attempts } from '../../src/mx/session/attempts.js'
import { lineOf, messageMetrics } from '../../src/mx/session/message-log.js'
import { createLogger } from '../../src/observe/log.js'
import { createMetrics } from '../../src/observe/metrics.js'
import { createReceipts } from '../../src/receipts/receipts.js'
import { accepted } from '../../src/smtp/replies.js'
import type { Session } from '../../src/smtp/session.js'
import type { Transaction } from '../../src/store/types.js'
import { openMailParts } from '../support/mail-parts.js'
import { SENDER_DOMAIN } from '../support/messages.js'
import { CLIENT, ENVELOPE, judgementOf } from './incoming.js'
import { TO } from './sources.js'
import { each, mailAt, type StartStage } from './stage.js'

/** A session is reported on for so many messages. */
const PER_SESSION = 20
const SETTINGS = ['domains.names=agents.test', 'domains.hostname=mx.agents.test']

export const records: StartStage = async (file) => {
  const judgement = await judgementOf(mailAt(file, 0).raw, file.record)
  if (judgement.kind !== 'judged') throw new Error(judgement.problem)
  const parts = await openMailParts({ mailboxCount: 1 })
  const metrics = createMetrics()
  const sink = openSync('/dev/null', 'w')
  const log = createLogger({ level: 'info', destination: pino.destination({ fd: sink, sync: false }) }).child({
    part: 'mx',
  })
  const receipts = createReceipts({ store: parts.store, clock, retentionMs: 30 * DAY, log, metrics })
  const config = loadConfig({ set: SETTINGS })
  const limits = createClientLimits({ rates: unlimited(clientRates(config)), clock })
  const count = messageMetrics(metrics)
  const mailbox = { id: parts.mailboxAt(0), address: TO }
  let written = 0
  const writes = { put: (_key: Uint8Array, value: Uint8Array) => void (written += value.length) }
  const transaction = { blind: () => writes } as unknown as Transaction
  return {
    async run(from, to) {
      for (let n = from; n < to; n += PER_SESSION) await sessionOf(n, Math.min(to, n + PER_SESSION))
      if (written === 0) throw new Error('no receipt was written')
    },
    async close() {
      await receipts.stop()
      await parts.close()
    },
  }

  async function sessionOf(from: number, to: number): Promise<void> {
    const session = {
      id: newId('con', clock.now()),
      clientAddress: ENVELOPE.ip,
      helo: ENVELOPE.helo,
    } as unknown as Session
    const client = clientOf(ENVELOPE.ip)
    if (limits.connection(client)) throw new Error('the limits refuse the bench')
    const counts = countSession({ ...sessionLimits(config), transactions: 1e9 })
    const intake = { receipt: receipts.add }
    const attempts = new Attempts({ intake, keepsReceipts: true, clock }, session)
    await each(from, to, 1, async (n) => {
      const bytes = mailAt(file, n).raw.length
      const reply = counts.mail() ?? limits.mail(client)
      attempts.mail(ENVELOPE.mailFrom, reply)
      counts.replied(250)
      if (reply ?? limits.recipientNamed(client)) throw new Error('the limits refuse the bench')
      limits.recipientTaken(client)
      attempts.recipient(TO, { mailbox })
      counts.replied(250)
      attempts.data()
      counts.replied(354)
      const envelope = envelopeOf(mailbox.id)
      const outcome = outcomeOf(envelope, mailbox.id)
      const attempt = attempts.handOver(envelope)
      const end = { id: envelope.id, bytes, reply: outcome.reply, outcome }
      if (attempt) receipts.addWithin(transaction, receiptOf(attempt, end, clock.now()))
      log.info(lineOf(envelope, session.id, bytes, { outcome, ms: 12 }), outcome.reply.text)
      count(outcome.reply, 12)
      limits.connectionPaid(client)
      counts.messageAccepted()
      counts.replied(250)
    })
  }

  function outcomeOf(envelope: Envelope, mailboxId: string): Outcome {
    if (judgement.kind !== 'judged') throw new Error(judgement.problem)
    return {
      reply: accepted(envelope.id),
      auth: judgement.verification.results,
      scan: { virus: 'unscanned', reason: 'off' },
      spam: judgement.spam,
      labels: [],
      stored: [{ mailboxId, messageId: newId('msg', clock.now()) }],
    }
  }
}

const envelopeOf = (mailboxId: string): Envelope => ({
  id: newId('rcp', clock.now()),
  clientAddress: ENVELOPE.ip,
  client: CLIENT,
  helo: ENVELOPE.helo,
  protocol: 'ESMTP',
  cipher: undefined,
  from: `bounce@${SENDER_DOMAIN}`,
  recipients: [TO],
  mailboxIds: [mailboxId],
  openIds: [],
  requireTls: false,
  dsn: { envelopeId: undefined, onSuccess: [] },
})

/** Counted as in the product, and never reached. */
function unlimited(rates: ReturnType<typeof clientRates>): ReturnType<typeof clientRates> {
  const most = { address: 1e9, network: 1e9 }
  return { ...rates, messagesPerMinute: most, connectionsPerMinute: most }
}
