/** The relay's side of simulator addresses: outcomes without a network. Later reports are tasks, queued in the commit of the delivery. */
import { type Clock, SECOND } from '../../lib/clock.js'
import { isSimulatorDomain, SIMULATED, simulatedBy } from '../../mailbox/decisions/simulator.js'
import type { RecipientReport } from '../../mailbox/delivery/bounce-proof.js'
import type { OutboundMail } from '../../mailbox/composition/mailboxes.js'
import type { Message } from '../../mailbox/objects/objects.js'
import { addressKey } from '../../mime/address.js'
import type { Log } from '../../observe/log.js'
import type { Task, TaskOutcome, WorkQueue } from '../../queue/types.js'
import type { Transaction } from '../../store/types.js'
import type { Outcome, Outcomes } from '../outcome.js'

export interface SimulatorDeps {
  queue: Pick<WorkQueue, 'add' | 'run'>
  mailboxes: { outbound: Pick<OutboundMail, 'envelope' | 'recordReport'> }
  isLocalDomain: (domain: string) => boolean
  clock: Clock
  log: Log
}

export type Simulator = ReturnType<typeof startSimulator>

export interface SimulatedOutcomes {
  outcomes: Outcomes
  /** Queues later reports, in the transaction that records the outcomes. */
  follow: (tx: Transaction) => void
}

type SimulatedMessage = Pick<Message, 'id' | 'mailbox_id' | 'recipients'>

/** Payload of a `simulator` task; its id is `<message id>:<address>`. */
interface ReportTask {
  mailbox_id: string
  message_id: string
  address: string
}

/** Long enough for `delivered` to be seen first. */
const REPORT_AFTER_MS = 2 * SECOND
const CONCURRENCY = 5

export function startSimulator({ queue, mailboxes, isLocalDomain, clock, log }: SimulatorDeps) {
  const isFor = (domain: string): boolean => isSimulatorDomain(domain, isLocalDomain)

  async function report({ payload }: Task<ReportTask>): Promise<TaskOutcome<ReportTask>> {
    const { mailbox_id: mailboxId, message_id: messageId, address } = payload
    const about = reportOn(address)
    const message = await mailboxes.outbound.envelope(mailboxId, messageId)
    const recipient = message?.recipients.find((one) => addressKey(one.address) === addressKey(address))
    if (about && recipient?.status === 'delivered') {
      await mailboxes.outbound.recordReport(mailboxId, messageId, [about])
      log.info({ message_id: messageId, mailbox_id: mailboxId, report: about.kind }, 'the simulator reports back')
    }
    return { done: true }
  }

  const worker = queue.run<ReportTask>('simulator', report, {
    concurrency: CONCURRENCY,
    onError: (err, { id }) => log.error({ err, task_id: id }, 'a report of the simulator failed'),
    onQueueError: (err) => log.error({ err }, 'queue of the simulator cannot be read or written'),
  })

  return {
    isFor,
    /** Outcomes for these recipients; undefined for other domains. */
    outcomes(
      { id, mailbox_id: mailboxId, recipients: all }: SimulatedMessage,
      domain: string,
      recipients: string[],
    ): SimulatedOutcomes | undefined {
      if (!isFor(domain)) return undefined
      const outcomes: Outcomes = new Map()
      for (const address of recipients) {
        const attempts = all.find((one) => one.address === address)?.attempts ?? 0
        outcomes.set(address, outcomeFor(address, attempts))
      }
      const answering = recipients.filter((address) => outcomes.get(address)?.kind === 'delivered' && reportOn(address))
      return {
        outcomes,
        follow(tx) {
          for (const address of answering)
            queue.add<ReportTask>(tx, 'simulator', {
              id: `${id}:${address}`,
              payload: { mailbox_id: mailboxId, message_id: id, address },
              due: clock.now() + REPORT_AFTER_MS,
            })
        },
      }
    },
    stop: (): Promise<void> => worker.stop(),
  }
}

/** @param attempts made before */
function outcomeFor(address: string, attempts: number): Outcome {
  const simulated = simulatedBy(address)
  switch (simulated) {
    case 'delivered':
    case 'complaint':
    case 'late-bounce':
    // A reviewer approved it; blocked mail never comes here.
    case 'hold':
    case 'block':
      return DELIVERED
    case 'bounce':
      return { kind: 'failed', smtpCode: 550, detail: '5.1.1 simulated: no such mailbox' }
    case 'defer':
      return attempts > 0 ? DELIVERED : DEFERRED
    case 'defer-forever':
      return DEFERRED
    case undefined: {
      const known = Object.keys(SIMULATED).join(', ')
      return { kind: 'failed', smtpCode: 550, detail: `5.1.1 the simulator has no such address; it has ${known}` }
    }
  }
}

const DELIVERED: Outcome = { kind: 'delivered', smtpCode: 250, detail: '2.0.0 simulated: taken', confirms: 'delivered' }
const DEFERRED: Outcome = { kind: 'deferred', smtpCode: 451, detail: '4.7.1 simulated: try again later' }

/** The later report about a recipient, if any. */
function reportOn(address: string): RecipientReport | undefined {
  switch (simulatedBy(address)) {
    case 'complaint':
      return {
        address,
        kind: 'complained',
        smtpCode: null,
        detail: 'simulated: the recipient reported the message as spam',
      }
    case 'late-bounce':
      return { address, kind: 'bounced', smtpCode: 550, detail: '5.2.1 simulated: taken first, and sent back later' }
    default:
      return undefined
  }
}
