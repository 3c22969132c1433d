/**
 * Incoming reports on our domains: mail that looks like one, with a verified reporter, is parsed after it was stored, and the result kept. Only unreadable ones
 * are forwarded to the operator. The task is queued in the transaction that stores the message, so no crash loses a report.
 */
import type { Clock } from '../../lib/clock.js'
import { newId } from '../../lib/ids.js'
import type { FollowUps } from '../../mailbox/delivery/follow-up.js'
import type { Delivery } from '../../mailbox/delivery/deliver.js'
import type { Reading } from '../../mailbox/composition/mailboxes.js'
import type { Log } from '../../observe/log.js'
import type { Metrics } from '../../observe/metrics.js'
import type { ReportReader } from './reader.js'
import { isReportAddress, proofOf, reportParts } from './recognise.js'
import type { Reports } from './reports.js'
import type { Proof, Refusal } from './types.js'
import type { Task, TaskOutcome, WorkQueue } from '../../queue/types.js'
import { ifFound, type Forwarding } from '../../relay/notices/forwarding.js'

export interface ReportReadingDeps {
  queue: Pick<WorkQueue, 'add' | 'run'>
  mailboxes: { reading: Pick<Reading, 'message' | 'raw'> }
  operatorMailboxId: string
  forwarding: Pick<Forwarding, 'passOn'> | undefined
  reports: Pick<Reports, 'keep'>
  read: ReportReader
  clock: Clock
  log: Log
  metrics?: Metrics | undefined
}

/** Payload of a `report` task; its id is the message's. */
interface ReadTask {
  message_id: string
  parts: number[]
  proof: Proof
  /** For forwarding. */
  from: string
  to: string[]
}

const KIND = 'report'
/** Envelope recipients, needed to recognize report addresses. */
const MAX_RECIPIENTS = 10

export function startReportReading(deps: ReportReadingDeps) {
  const { clock, forwarding, log, mailboxes, operatorMailboxId, queue } = deps
  const read = deps.metrics?.counter(
    'received_reports_total',
    'Reports on our domains that were received by mail and stored.',
    ['kind'],
    { formerly: 'reports_read_total' },
  )
  const refused = deps.metrics?.counter(
    'received_reports_refused_total',
    'Mail that looked like a report on our domains but was not stored as one, by reason.',
    ['reason'],
    { formerly: 'reports_refused_total' },
  )

  /** Undefined for mail that does not look like a report. */
  function reportIn({ mailboxId, recipients = [], parsed, labels }: Delivery): number[] | undefined {
    if (mailboxId !== operatorMailboxId || labels.includes('spam')) return undefined
    const parts = reportParts(parsed, recipients.length > 0 && recipients.every(isReportAddress))
    return parts.length > 0 ? parts : undefined
  }

  async function handle(task: Task<ReadTask>): Promise<TaskOutcome<ReadTask>> {
    const { message_id: messageId, parts, proof, from, to } = task.payload
    const message = await ifFound(mailboxes.reading.message(operatorMailboxId, messageId))
    const raw = message && (await ifFound(mailboxes.reading.raw(operatorMailboxId, messageId)))
    // Deleted meanwhile.
    if (!message || !raw) return { done: true }
    const reading = await deps.read(raw, parts)
    const kept = reading.kind === 'read' ? await deps.reports.keep({ ...reading, proof, messageId }) : reading
    if (reading.kind === 'read' && kept.kind === 'kept') {
      read?.inc({ kind: reading.report.kind })
      log.info({ message_id: messageId, report_id: kept.id, reporter: proof.domain }, 'a report was read')
    } else if (kept.kind === 'refused') {
      refuse(messageId, kept.refusal, proof.domain)
      // A duplicate is no news.
      if (kept.refusal !== 'duplicate')
        await forwarding?.passOn(messageId, { envelopeFrom: from, recipients: to, labels: [], raw })
    }
    return { done: true }
  }

  function refuse(messageId: string | null, reason: Refusal, reporter: string | null): void {
    refused?.inc({ reason })
    log.info({ message_id: messageId, reporter, reason }, 'mail that looks like a report is not kept as one')
  }

  const worker = queue.run<ReadTask>(KIND, handle, {
    concurrency: 1,
    onError: (err, { id }) => log.error({ err, task_id: id }, 'a report could not be read for a fault of ours'),
    onQueueError: (err) => log.error({ err }, 'the queue of reports cannot be read or written'),
  })

  const followUp: FollowUps = (delivery) => {
    const parts = reportIn(delivery)
    if (!parts) return undefined
    const proof = proofOf(delivery.auth, delivery.parsed.from)
    if (!proof) {
      refuse(null, 'unauthenticated', null)
      return undefined
    }
    const messageId = newId('msg', clock.now())
    const payload: ReadTask = {
      message_id: messageId,
      parts,
      proof,
      from: delivery.envelopeFrom,
      to: (delivery.recipients ?? []).slice(0, MAX_RECIPIENTS),
    }
    const queued = { id: messageId, payload, due: clock.now() }
    return { messageId, queue: (tx) => queue.add(tx, KIND, queued) }
  }

  return { followUp, stop: (): Promise<void> => worker.stop() }
}
