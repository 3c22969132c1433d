/** Review of held mail: queue, metrics, reminders for staff. */
import { baseUrl } from '../../config/derived.js'
import type { Correction } from '../../guard/verdict/correction.js'
import { createReviewReminder, REMINDER_SCHEDULE } from '../../jobs/review-reminder.js'
import type { Sweep } from '../../jobs/retention.js'
import { DAY, HOUR, SECOND } from '../../lib/clock.js'
import type { Mailboxes } from '../../mailbox/composition/mailboxes.js'
import type { Reviewed } from '../../mailbox/review/decided.js'
import { createReviewing } from '../../mailbox/review/review.js'
import type { BuiltGuard } from '../layers/guard.js'
import type { Ground } from '../layers/ground.js'
import type { Outbound } from '../layers/outbound.js'
import type { AccountServices } from '../layers/account-services.js'
import type { Stops } from '../layers/stops.js'

export function startReview(
  ground: Ground,
  { accounts, suppressions, letters }: AccountServices,
  { explain, correction }: BuiltGuard,
  { holds }: Outbound,
  { outbound }: Pick<Mailboxes, 'outbound'>,
  { active }: Stops,
) {
  const { config, clock, metrics, part } = ground
  const { identity, guard, retention } = config
  const log = part('review')
  const reviewing = createReviewing({
    clock,
    store: ground.store,
    queue: ground.queue,
    isLocalDomain: ground.domains.isLocal,
    accounts,
    suppressions,
    subjectOf: outbound.subjectOf,
    explain,
    work: ground.work,
    async heldBy(task) {
      const rule = await holds.rules.matches(task)
      return rule && `${rule.kind} ${rule.name}`
    },
    onReviewed: learnerOf({ correction }),
    logMs: retention.review_log_days * DAY,
    log,
  })
  const stopped = new AbortController()
  const started = reviewing
    .start(stopped.signal)
    .catch((err: unknown) => log.error({ err }, 'reviews were not looked after at the start; the next sweep does it'))
  active.push(async () => {
    stopped.abort()
    await started
  })
  metrics.gauges(
    'review_messages',
    'Messages for people to look at: held, and blocked within 7 days.',
    'status',
    async () => Object.entries(await reviewing.counts()),
  )
  metrics.gauge('review_oldest_seconds', 'How long the message has waited that waits longest for review.', async () => {
    const oldest = await reviewing.oldest()
    return oldest === undefined ? 0 : Math.max(0, (clock.now() - oldest) / SECOND)
  })
  const remind = createReviewReminder({
    reviewing,
    letters,
    to: identity.staff.length > 0 ? identity.staff : identity.operator === '' ? [] : [identity.operator],
    afterMs: guard.review_reminder_hours * HOUR,
    baseUrl: baseUrl(config),
    clock,
  })
  const reminder: Sweep = { name: 'review-reminder', schedule: REMINDER_SCHEDULE, run: remind }
  return { reviewing, reminder }
}

/** Teaches the guard from review decisions; the same one may come twice. */
export function learnerOf({ correction }: { correction: Pick<Correction, 'learn'> }) {
  return async ({ accountId, messageId, decision, subject, at, isTrial }: Reviewed): Promise<void> => {
    // Tests with the simulator are written to be held.
    if (accountId !== null && !isTrial) await correction.learn({ accountId, messageId, decision, subject, at })
  }
}
