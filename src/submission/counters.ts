/** Metrics of the submission server. */
import { DURATION_BUCKETS, type Meter } from '../observe/metrics.js'
import { replyCodes, type Reply } from '../smtp/replies.js'
import type { RefusalCounters } from '../smtp/server/refusal-log.js'

export interface SubmissionCounters {
  refusals: RefusalCounters | undefined
  signIn: (outcome: string) => void
  message: (reply: Reply, ms: number) => void
}

export function submissionCounters(metrics: Meter | undefined, connections: () => number): SubmissionCounters {
  if (!metrics) return { refusals: undefined, signIn: () => undefined, message: () => undefined }
  metrics.gauge('submission_connections', 'Open connections of mail programs.', connections)
  const signIns = metrics.counter(
    'submission_sign_ins_total',
    'Passwords and access tokens of mail programs that were checked, one for each AUTH and each MAIL, by the outcome.',
    ['outcome'],
  )
  const messages = metrics.counter(
    'submission_messages_total',
    'Messages of mail programs, by the reply to their data.',
    ['reply'],
  )
  const seconds = metrics.histogram(
    'submission_message_seconds',
    'From DATA to its reply, the time the program takes to send included.',
    DURATION_BUCKETS,
  )
  return {
    refusals: {
      connections: metrics.counter(
        'submission_connections_refused_total',
        'Connections of mail programs that were turned away, or ended before the program was done, by the cause.',
        ['reason'],
      ),
      recipients: metrics.counter(
        'submission_recipients_refused_total',
        'Recipients of mail programs that were refused, by the cause.',
        ['reason'],
      ),
      replies: metrics.counter('submission_replies_total', 'Replies to mail programs, by their code.', ['code']),
    },
    signIn: (outcome) => signIns.inc({ outcome }),
    message(reply, ms) {
      messages.inc({ reply: replyCodes(reply) })
      seconds.observe(ms / 1000)
    },
  }
}
