/** The intake: answers the questions of all sessions, and takes their messages. It runs in the process that has the store. */
import type { Receipt } from '../../receipts/types.js'
import { INTERNAL, TOO_SLOW } from '../../smtp/replies.js'
import { createAdmissions } from '../../smtp/server/admissions.js'
import type { Sessions } from '../../smtp/server/door.js'
import { clientOf } from '../../smtp/server/networks.js'
import { DISK_LOW, STORE_UNREADABLE } from '../../smtp/server/refusals.js'
import { createClientLimits, NO_RATES } from './client-limits.js'
import { dmarcResultOf } from './dmarc-result.js'
import { replyToFault } from './faults.js'
import { acceptMessage, type Taken } from './message.js'
import { receiptOf } from './receipt.js'
import { checkRecipient } from './recipients.js'
import { createRetries } from './retries.js'
import type { ExaminedMessage, Intake, IntakeDeps, Outcome } from './types.js'

export type Intakes = ReturnType<typeof createIntakes>

export function createIntakes(deps: IntakeDeps) {
  const { disk, records, policy, clock, log } = deps
  const clients = createClientLimits({ rates: deps.rates ?? NO_RATES, clock, shared: deps.shared })
  const admissions = createAdmissions({ limits: deps.limits, tooOften: clients.connection })
  const retries = createRetries({ clock })
  deps.metrics?.gauge('mx_connections', 'Open connections to the receiver.', () => admissions.count)
  const atRecipient = { names: deps.names, delivering: deps.delivering, greylist: deps.greylist, clients }
  const atMessage = { ...deps, retries }

  const mail: Intake['mail'] = async (connection) => {
    try {
      if (disk && !(await disk.isReadable())) return STORE_UNREADABLE
      if (await disk?.isLow()) return DISK_LOW
      const client = admissions.get(connection)
      return client && clients.mail(client)
    } catch (err) {
      log.error({ connection_id: connection, err }, 'sender could not be checked')
      return INTERNAL
    }
  }

  const recipient: Intake['recipient'] = async (connection, question) => {
    try {
      return await checkRecipient(atRecipient, admissions.get(connection) ?? clientOf(question.clientAddress), question)
    } catch (err) {
      log.error({ connection_id: connection, err }, 'recipient could not be checked')
      return { kind: 'refused', refusal: replyToFault(err) }
    }
  }

  /** Clients wait 10 minutes (RFC 5321 §4.5.3.2.6): they get a reply earlier, whatever hangs. */
  async function take(
    message: ExaminedMessage,
    hasLeft: () => boolean,
    inUse: Parameters<Intake['message']>[1],
  ): Promise<Taken> {
    let isLate = false
    let timer: NodeJS.Timeout | undefined
    const deadline = new Promise<Taken>((resolve) => {
      timer = setTimeout(() => {
        isLate = true
        resolve({ outcome: { reply: TOO_SLOW } })
      }, message.leftMs).unref()
    })
    const work = acceptMessage(atMessage, message, {
      isAbandoned: () => isLate || hasLeft(),
      writeReceipt: (tx, outcome) => {
        const receipt = receiptFor(message, outcome)
        if (receipt) records.receipts?.addWithin(tx, receipt)
        return receipt !== undefined
      },
    })
      .catch((error: unknown): Taken => ({ outcome: { reply: replyToFault(error) }, error }))
      .finally(() => clearTimeout(timer))
    inUse(work)
    return Promise.race([work, deadline])
  }

  function receiptFor({ attempt, envelope, raw }: ExaminedMessage, outcome: Outcome): Receipt | undefined {
    return (
      attempt && receiptOf(attempt, { id: envelope.id, bytes: raw.length, reply: outcome.reply, outcome }, clock.now())
    )
  }

  async function message(
    examined: ExaminedMessage,
    hasLeft: () => boolean,
    inUse: Parameters<Intake['message']>[1],
  ): Promise<Outcome> {
    const { connection, envelope } = examined
    const { outcome, evidence, hasReceipt, error } = await take(examined, hasLeft, inUse)
    const { reply } = outcome
    if (error !== undefined) log.error({ connection_id: connection, receipt_id: envelope.id, err: error }, reply.text)
    // Deferred messages come again, and are counted then.
    if (evidence && outcome.auth && (reply.code < 400 || reply.code >= 500))
      records.dmarcResults?.record(dmarcResultOf(envelope, evidence, outcome.auth, policy.dmarcReject))
    const receipt = hasReceipt ? undefined : receiptFor(examined, outcome)
    if (receipt) records.receipts?.add(receipt)
    const client = admissions.get(connection)
    if (reply.code === 250 && client && !client.isPaid) {
      client.isPaid = true
      clients.connectionPaid(client)
    }
    return outcome
  }

  return {
    /** The intake of one group of sessions; `close` when they have ended, all at once. */
    for(sessions: Sessions): Intake & { close(): void } {
      let hasLeft = false
      return {
        arrive: (connection, ip) => admissions.arrive(connection, ip, sessions),
        left: admissions.left,
        mail,
        recipient,
        message: (examined, inUse) => message(examined, () => hasLeft, inUse),
        receipt: (receipt) => records.receipts?.add(receipt),
        close() {
          hasLeft = true
          admissions.allLeft(sessions)
        },
      }
    },
  }
}
