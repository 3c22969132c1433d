/** Checks of mail in the daemon: long waits, failing destinations and webhooks, reports, operator's mail. */
import type { Config } from '../../config/schema.js'
import { DAY, HOUR } from '../../lib/clock.js'
import type { Facts } from './facts.js'
import { command, failed, ok, setting, skipped, warning } from './finding.js'
import type { Finding } from './types.js'

/** The tenth attempt of the schedule comes about then. */
const OLD_MS = 12 * HOUR
const HELD_MS = DAY
/** Domains and sources in one finding. */
const MAX_SHOWN = 5

/** @param options ` --config DIR` for the commands in remedies, or '' */
export function checkQueue({ queue }: Facts, now: number, options: string): Finding {
  if (queue.oldest_queued_at === null) return ok('the queue is empty')
  const age = now - Date.parse(queue.oldest_queued_at)
  const words = `${queue.tasks} tasks wait, the oldest for ${hours(age)}`
  return age > OLD_MS ? warning(words, command(`restante queue list${options}`)) : ok(words)
}

export function checkPaused({ queue }: Facts, options: string): Finding {
  return queue.paused === 0
    ? ok('no destination is paused')
    : warning(`${queue.paused} destinations are paused after failures`, command(`restante queue stats${options}`))
}

export function checkHeld({ review }: Facts, now: number, options: string): Finding {
  if (review.held === 0 || review.oldest_held_at === null) return ok('no message waits for review')
  const age = now - Date.parse(review.oldest_held_at)
  const words = `${review.held} messages wait for review, the oldest for ${hours(age)}`
  return age > HELD_MS ? warning(words, command(`restante review list${options}`)) : ok(words)
}

export function checkWebhooks({ webhooks_disabled: disabled }: Facts, options: string): Finding {
  return disabled === 0
    ? ok('no webhook is disabled')
    : warning(
        `${disabled} webhooks are disabled: their receivers get no events`,
        command(`restante webhook list${options}`),
      )
}

/** Received DMARC aggregate and TLS reports (RFC 7489, RFC 8460). */
export function checkReports({ reports }: Facts, options: string): Finding {
  if (!reports || reports.reports === 0) return skipped('no reports about the last 7 days were received')
  const failing = [
    ...reports.own_failing.map(
      ({ domain, ip, messages }) => `${messages} messages of ${domain} from our own ${ip} failed DMARC`,
    ),
    ...reports.tls_failing.map(
      ({ domain, sessions, types }) => `${sessions} sessions to ${domain} failed TLS (${types.join(', ')})`,
    ),
  ]
  if (failing.length === 0)
    return ok(`${reports.reports} reports were received: our mail passes DMARC, and TLS to us works`)
  const shown = failing.slice(0, MAX_SHOWN).join('; ')
  return warning(`reports were received: ${shown}`, command(`restante reports${options}`))
}

/** RFC 5321 §4.5.1: mail for postmaster is read. */
export function checkOperator({ identity }: Pick<Config, 'identity'>, facts: Facts | undefined): Finding {
  const taken = facts?.operator_addresses_taken ?? []
  if (taken.length > 0)
    return failed(
      `${taken.join(', ')} ${taken.length === 1 ? 'belongs' : 'belong'} to another account than the operator's`,
      command('restante mailbox list'),
    )
  if (identity.operator === '' && identity.forward_operator_mail === '')
    return warning(
      "the operator's account has no address: nobody is notified of mail for postmaster and abuse",
      setting('identity.operator', '"you@example.com"'),
      setting('identity.forward_operator_mail', '"you@example.com"'),
    )
  return ok(`mail for postmaster and abuse goes to ${identity.operator || identity.forward_operator_mail}`)
}

function hours(ms: number): string {
  return ms < HOUR ? `${Math.max(0, Math.round(ms / 60_000))} min` : `${Math.round(ms / HOUR)} h`
}
