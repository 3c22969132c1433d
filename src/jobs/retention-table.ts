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
  challenges: '47 * * * *',
  reviews: '3 * * * *',
  receipts: '53 2 * * *',
  reports: '57 2 * * *',
  audit: '49 2 * * *',
  blobs: '23 3 * * *',
} as const
export type SweepName = keyof typeof TIMETABLE

/** Way in which expired data is removed. */
export type Removal =
  | { by: 'sweep'; sweep: SweepName }
  /** A task in the work queue that is due when its time is over. */
  | { by: 'task'; kind: string }
  /** By whom else, in words. */
  | { by: 'other'; words: string }

export interface Retained {
  id: RetainedId
  what: string
  kept: string
  /** Setting that changes it; null if fixed. */
  setting: string | null
  removal: Removal
}

export type RetainedId = (typeof RETAINED_IDS)[number]
export const RETAINED_IDS = [
  'events',
  'deleted-mail',
  'idempotency',
  'deliveries',
  'webhook-deliveries',
  'receipts',
  'reports',
  'audit',
  'operator-notices',
  'reviews',
  'second-looks',
  'lessons',
  'unclaimed',
  'challenges',
  'invites',
  'tokens',
  'connections',
  'exports',
  'trash',
  'orphans',
  'deletions',
  'greylist',
  'tls',
  'dmarc',
  'mta-sts',
  'complaints',
  'day',
  'logs',
] as const

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

export function retained({ retention, smtp }: RetentionSettings): Retained[] {
  return [
    {
      id: 'events',
      what: 'Events of mailboxes',
      kept: days(retention.events_days),
      setting: 'retention.events_days',
      removal: sweep('mailboxes'),
    },
    {
      id: 'deleted-mail',
      what: 'Messages in the trash of a mailbox',
      kept: days(7),
      setting: null,
      removal: sweep('mailboxes'),
    },
    {
      id: 'idempotency',
      what: 'Responses for retried sends',
      kept: hours(retention.idempotency_hours),
      setting: 'retention.idempotency_hours',
      removal: sweep('mailboxes'),
    },
    {
      id: 'deliveries',
      what: 'Ids of deliveries between mailboxes of this server',
      kept: days(30),
      setting: null,
      removal: sweep('mailboxes'),
    },
    {
      id: 'webhook-deliveries',
      what: 'Deliveries to webhooks, without what was sent',
      kept: `${days(retention.webhook_deliveries_days)}, the newest 1,000 of each webhook`,
      setting: 'retention.webhook_deliveries_days',
      removal: sweep('mailboxes'),
    },
    {
      id: 'receipts',
      what: 'Receipts of delivery attempts',
      kept: `${days(retention.receipts_days)}, then by whole days`,
      setting: 'retention.receipts_days',
      removal: sweep('receipts'),
    },
    {
      id: 'reports',
      what: 'DMARC aggregate and TLS reports about our domains',
      kept: `${days(retention.reports_days)}, then by whole days`,
      setting: 'retention.reports_days',
      removal: sweep('reports'),
    },
    {
      id: 'audit',
      what: 'Audit log: who did what, from where; of a deleted account without names and addresses',
      kept: `${days(retention.audit_days)}, then by whole days`,
      setting: 'retention.audit_days',
      removal: sweep('audit'),
    },
    {
      id: 'operator-notices',
      what: 'Notices sent to the operator, so that none is repeated',
      kept: days(7),
      setting: null,
      removal: other('each new mail removes old ones'),
    },
    {
      id: 'reviews',
      what: 'Decisions on held messages, without their content',
      kept: days(retention.review_log_days),
      setting: 'retention.review_log_days',
      removal: sweep('reviews'),
    },
    {
      id: 'second-looks',
      what: 'Blocked messages, for a second review',
      kept: days(7),
      setting: null,
      removal: sweep('reviews'),
    },
    {
      id: 'lessons',
      what: 'Corrections of the guard from reviews, as hashes',
      kept: `${days(LESSONS_KEPT_DAYS)}, the newest ${MAX_LESSONS.toLocaleString('en-GB')}`,
      setting: null,
      removal: other('each new one, and each start, removes old ones'),
    },
    {
      id: 'unclaimed',
      what: 'Unapproved mailboxes, with their mail',
      kept: hours(24),
      setting: null,
      removal: task('claim'),
    },
    {
      id: 'challenges',
      what: 'Used challenges',
      kept: '10 minutes',
      setting: null,
      removal: sweep('challenges'),
    },
    {
      id: 'invites',
      what: 'Counts of invites by network and human, as hashes',
      kept: hours(24),
      setting: null,
      removal: sweep('invites'),
    },
    {
      id: 'tokens',
      what: 'Sessions, links and one-time marks',
      kept: 'sessions 14 days after their last use, 90 days at most; others until their own end',
      setting: null,
      removal: sweep('expired'),
    },
    {
      id: 'connections',
      what: 'Programs connected by OAuth, and their tokens',
      kept: '30 days after their last refresh; codes 1 hour; programs that registered 1 day, or 2 longer than their connections',
      setting: null,
      removal: sweep('expired'),
    },
    {
      id: 'exports',
      what: 'Archives of exports and their links',
      kept: days(7),
      setting: null,
      removal: task('export'),
    },
    {
      id: 'trash',
      what: 'Files of deleted messages',
      kept: days(retention.trash_days),
      setting: 'retention.trash_days',
      removal: sweep('trash'),
    },
    {
      id: 'orphans',
      what: 'Files without a message, after a crash',
      kept: '1 hour, then as deleted',
      setting: null,
      removal: sweep('blobs'),
    },
    {
      id: 'deletions',
      what: 'Accounts whose deletion was requested',
      kept: days(30),
      setting: null,
      removal: task('deletion'),
    },
    {
      id: 'greylist',
      what: 'Clients known to the greylist, as hashes',
      kept: smtp.greylist
        ? `${hours(smtp.greylist_retry_hours)} after a first try, ${days(smtp.greylist_days)} when known`
        : 'off',
      setting: 'smtp.greylist_days, smtp.greylist_retry_hours',
      removal: other('each new entry removes expired ones'),
    },
    {
      id: 'tls',
      what: 'Counts of TLS by day, for reports',
      kept: 'until reported, 2 days at most',
      setting: null,
      removal: sweep('tls-reports'),
    },
    {
      id: 'dmarc',
      what: 'Counts of DMARC by day, for reports to others',
      kept: 'until reported, 2 days at most',
      setting: null,
      removal: sweep('dmarc-reports'),
    },
    {
      id: 'mta-sts',
      what: 'MTA-STS policies of other domains',
      kept: 'for the age that each names',
      setting: null,
      removal: other('the oldest are removed past 20,000'),
    },
    {
      id: 'complaints',
      what: 'Counts of outcomes of mail, by account and day',
      kept: days(40),
      setting: null,
      removal: other('each new count removes old ones'),
    },
    {
      id: 'day',
      what: 'Statistics of the day by minute: counts only',
      kept: days(1),
      setting: null,
      removal: other(
        'a new file in the folder `day` of the data folder replaces the oldest, after two days at the latest',
      ),
    },
    {
      id: 'logs',
      what: 'Logs, which have no content of messages',
      kept: 'as configured for the system journal',
      setting: null,
      removal: other('the journal (MaxRetentionSec= in journald.conf)'),
    },
  ]
}

function days(count: number): string {
  return count === 1 ? '1 day' : `${count} days`
}

function hours(count: number): string {
  return count === 1 ? '1 hour' : `${count} hours`
}

/** Readable form for the table. */
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
