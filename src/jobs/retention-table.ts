/** Everything with limited retention, in one table. The timetable of the sweeps, `restante retention` and docs/accounts.md are made from it. */
import { LESSONS_KEPT_DAYS, MAX_LESSONS } from '../guard/verdict/correction.js'

/** Sweeps by the clock: minute, hour, day, month, weekday; in UTC. */
export const TIMETABLE = {
  mailboxes: '7 * * * *',
  'tls-reports': '9 * * * *',
  'dmarc-reports': '11 * * * *',
  expired: '27 * * * *',
  trash: '33 * * * *',
  invites: '43 * * * *',
  'mail-sign-ins': '45 * * * *',
  challenges: '47 * * * *',
  reviews: '3 * * * *',
  receipts: '53 2 * * *',
  reports: '57 2 * * *',
  audit: '49 2 * * *',
  blobs: '23 3 * * *',
} as const
export type SweepName = keyof typeof TIMETABLE

export type Removal =
  | { by: 'sweep'; sweep: SweepName }
  /** A task in the work queue that is due when its time is over. */
  | { by: 'task'; kind: string }
  | { by: 'other'; words: string }

type Row = [what: string, kept: string, removal: Removal, setting?: string]

export interface Retained {
  id: RetainedId
  what: string
  kept: string
  /** Setting that changes it; null if fixed. */
  setting: string | null
  removal: Removal
}

export type RetainedId = keyof ReturnType<typeof rowsOf>

export interface RetentionSettings {
  retention: {
    events_days: number
    receipts_days: number
    reports_days: number
    audit_days: number
    review_log_days: number
    webhook_deliveries_days: number
    trash_days: number
    idempotency_hours: number
  }
  smtp: { greylist: boolean; greylist_retry_hours: number; greylist_days: number }
}

const sweep = (name: SweepName): Removal => ({ by: 'sweep', sweep: name })
const task = (kind: string): Removal => ({ by: 'task', kind })
const other = (words: string): Removal => ({ by: 'other', words })

const rowsOf = ({ retention, smtp }: RetentionSettings) =>
  ({
    events: ['Events of mailboxes', days(retention.events_days), sweep('mailboxes'), 'retention.events_days'],
    'deleted-mail': ['Messages in the trash of a mailbox', days(7), sweep('mailboxes')],
    idempotency: [
      'Responses for retried sends',
      hours(retention.idempotency_hours),
      sweep('mailboxes'),
      'retention.idempotency_hours',
    ],
    deliveries: ['Ids of deliveries between mailboxes of this server', days(30), sweep('mailboxes')],
    'webhook-deliveries': [
      'Deliveries to webhooks, without what was sent',
      `${days(retention.webhook_deliveries_days)}, the newest 1,000 of each webhook`,
      sweep('mailboxes'),
      'retention.webhook_deliveries_days',
    ],
    receipts: [
      'Receipts of delivery attempts',
      `${days(retention.receipts_days)}, then by whole days`,
      sweep('receipts'),
      'retention.receipts_days',
    ],
    reports: [
      'DMARC aggregate and TLS reports about our domains',
      `${days(retention.reports_days)}, then by whole days`,
      sweep('reports'),
      'retention.reports_days',
    ],
    audit: [
      'Audit log: who did what, from where; of a deleted account without names and addresses',
      `${days(retention.audit_days)}, then by whole days`,
      sweep('audit'),
      'retention.audit_days',
    ],
    'operator-notices': [
      'Notices sent to the operator, so that none is repeated',
      days(7),
      other('each new mail removes old ones'),
    ],
    reviews: [
      'Decisions on held messages, without their content',
      days(retention.review_log_days),
      sweep('reviews'),
      'retention.review_log_days',
    ],
    'second-looks': ['Blocked messages, for a second review', days(7), sweep('reviews')],
    lessons: [
      'Corrections of the guard from reviews, as hashes',
      `${days(LESSONS_KEPT_DAYS)}, the newest ${MAX_LESSONS.toLocaleString('en-GB')}`,
      other('each new one, and each start, removes old ones'),
    ],
    unclaimed: ['Unapproved mailboxes, with their mail', hours(24), task('claim')],
    challenges: ['Used challenges', '10 minutes', sweep('challenges')],
    invites: ['Counts of invites by network and human, as hashes', hours(24), sweep('invites')],
    'mail-sign-ins': [
      'Counts of requests for sign-in links by address and network, as hashes',
      hours(1),
      sweep('mail-sign-ins'),
    ],
    tokens: [
      'Sessions, links and one-time marks',
      'sessions 14 days after their last use, 90 days at most; others until their own end',
      sweep('expired'),
    ],
    connections: [
      'Programs connected by OAuth, and their tokens',
      '30 days after their last refresh; codes 1 hour; programs that registered 1 day, or 2 longer than their connections',
      sweep('expired'),
    ],
    exports: ['Archives of exports and their links', days(7), task('export')],
    trash: ['Files of deleted messages', days(retention.trash_days), sweep('trash'), 'retention.trash_days'],
    orphans: ['Files without a message, after a crash', '1 hour, then as deleted', sweep('blobs')],
    deletions: ['Accounts whose deletion was requested', days(30), task('deletion')],
    greylist: [
      'Clients known to the greylist, as hashes',
      smtp.greylist
        ? `${hours(smtp.greylist_retry_hours)} after a first try, ${days(smtp.greylist_days)} when known`
        : 'off',
      other('each new entry removes expired ones'),
      'smtp.greylist_days, smtp.greylist_retry_hours',
    ],
    tls: ['Counts of TLS by day, for reports', 'until reported, 2 days at most', sweep('tls-reports')],
    dmarc: ['Counts of DMARC by day, for reports to others', 'until reported, 2 days at most', sweep('dmarc-reports')],
    'mta-sts': [
      'MTA-STS policies of other domains',
      'for the age that each names',
      other('the oldest are removed past 20,000'),
    ],
    complaints: ['Counts of outcomes of mail, by account and day', days(40), other('each new count removes old ones')],
    day: [
      'Statistics of the day by minute: counts only',
      days(1),
      other('a new file in the folder `day` of the data folder replaces the oldest, after two days at the latest'),
    ],
    logs: [
      'Logs, which have no content of messages',
      'as configured for the system journal',
      other('the journal (MaxRetentionSec= in journald.conf)'),
    ],
  }) satisfies Record<string, Row>

export function retained(settings: RetentionSettings): Retained[] {
  const rows = Object.entries<Row>(rowsOf(settings)) as [RetainedId, Row][]
  return rows.map(([id, [what, kept, removal, setting = null]]) => ({ id, what, kept, setting, removal }))
}

function days(count: number): string {
  return count === 1 ? '1 day' : `${count} days`
}

function hours(count: number): string {
  return count === 1 ? '1 hour' : `${count} hours`
}

export function removalWords(removal: Removal): string {
  switch (removal.by) {
    case 'sweep':
      return `sweep \`${removal.sweep}\`, ${scheduleWords(TIMETABLE[removal.sweep])}`
    case 'task':
      return `its own task (\`${removal.kind}\`), when the time is up`
    case 'other':
      return removal.words
  }
}

/** Readable form of the two forms in the timetable. */
export function scheduleWords(schedule: string): string {
  const [minute = '', hour = ''] = schedule.split(' ')
  const two = (text: string): string => text.padStart(2, '0')
  return hour === '*' ? `hourly at :${two(minute)}` : `daily at ${two(hour)}:${two(minute)} UTC`
}
