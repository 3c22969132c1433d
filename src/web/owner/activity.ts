/** The last 30 days of an agent, its limits and trust, the audit log of its account, and the buttons that pause it. */
import type { Usage } from '../../accounts/types.js'
import { MAX_LEVEL } from '../../accounts/trust.js'
import { DAY, timestamp } from '../../lib/clock.js'
import type { Activity, DayActivity } from '../../mailbox/reading/activity.js'
import { chart, type Series } from '../page/chart.js'
import { html, type Html } from '../page/html.js'
import { PAUSE_DONE, pauseForm, withdrawnNotice } from '../page/pause-form.js'
import { notice, ownerPage, ownMailbox, PATHS, type OwnerPage } from '../page/person-frame.js'
import { credentialsOf, requesterName, type Credentials } from '../page/requesters.js'
import { scopeWords } from '../page/scopes.js'
import { table } from '../page/table.js'
import { count, exactly, moment, plain } from '../page/words.js'
import { auditList } from './activity-log.js'
import { mailboxPath, today } from './mailboxes.js'

const DAYS = 30
const SHOWN_REQUESTERS = 8
const COLUMNS = { received: 'Received', sent: 'Sent', held: 'Held', blocked: 'Blocked', bounced: 'Bounced' } as const
/** A chart tells three lines apart. */
const DRAWN = ['received', 'sent', 'bounced'] as const

export const activityPath = (mailboxId: string): string => `${mailboxPath(mailboxId)}/activity`

const activityPage: OwnerPage = {
  method: 'GET',
  path: activityPath('{id}'),
  access: 'session',
  async answer({ params, query, visitor }, deps) {
    const mailbox = await ownMailbox(visitor, params['id'] ?? '', deps)
    const { id } = mailbox
    const { accountId } = visitor.session
    const now = deps.clock.now()
    const activity = await deps.mailboxes.reading.activity(id, now, DAYS)
    const usage = await deps.accounts.usage(accountId)
    const known = await credentialsOf(mailbox, visitor, deps)
    const log = await auditList({ mailbox, ...known, cursor: query.get('cursor') ?? undefined }, visitor, deps)
    const pausing = pauseForm(mailbox, visitor, { back: activityPath(id), now })
    return ownerPage(
      {
        place: PATHS.mailboxes,
        title: 'Activity',
        isWide: true,
        body: html`${notice(query, PAUSE_DONE)} ${withdrawnNotice(query)}
          <p>
            <a href="${mailboxPath(id)}">${mailbox.address}</a>, the last ${DAYS} days until now. Days begin at midnight
            UTC.
          </p>
          ${mailbox.paused && pausing} ${dayChart(activity)}
          ${
            !mailbox.paused &&
            html`<h2>Pause</h2>
              ${pausing}`
          }
          <h2>Whom it wrote to most</h2>
          ${recipientTable(activity)}
          <h2>With which keys and connections</h2>
          ${requesterTable(activity, known)} ${credentialTable(known, now)}
          <h2>Limits of your account today</h2>
          ${today({ ...usage, next_level: null }, now)}
          <h2>Trust</h2>
          ${trustWords(usage)}
          <h2>What was done to the mailbox and your account</h2>
          ${log}`,
      },
      visitor,
      deps,
    )
  },
}

export const activityPages: readonly OwnerPage[] = [activityPage]

const dayText = (day: number): string => timestamp(day * DAY).slice(0, 10)

function dayChart({ days, completeFrom }: Activity): Html {
  const total = (of: keyof typeof COLUMNS): number => days.reduce((sum, each) => sum + each[of], 0)
  const series = DRAWN.map((name): Series => ({
    name: `${COLUMNS[name].toLowerCase()} (${total(name)})`,
    values: days.map((each) => (each.day < completeFrom ? null : each[name])),
  }))
  const names = Object.keys(COLUMNS) as (keyof typeof COLUMNS)[]
  const rows = days
    .filter((each) => each.day >= completeFrom)
    .reverse()
    .map((each) => [dayText(each.day), ...names.map((name) => String(each[name]))])
  const isCut = completeFrom > (days[0]?.day ?? 0)
  return html`${
    isCut &&
    html`<p class="card notice warn">
      This mailbox is so busy that only its newest events were counted: the days before ${dayText(completeFrom)} are
      left out.
    </p>`
  }
  ${chart({
    id: 'days',
    title: `Mail of the last ${DAYS} days`,
    per: 'a day',
    series,
    show: (value) => value.toLocaleString('en'),
    least: 2,
    summary: names.map((name) => `${COLUMNS[name]}: ${total(name)}${busiest(days, name)}`).join('; ') + '.',
    empty: `Nothing was received, sent, or came back in the last ${DAYS} days. ${count(total('held'), 'message was', 'messages were')} held, ${total('blocked')} blocked.`,
    ticks: [0, 1, 2, 3, 4].map((quarter) =>
      dayText(days[Math.round((quarter * (days.length - 1)) / 4)]?.day ?? 0).slice(5),
    ),
    numbers: 'Numbers by the day',
    table: table('Mail by the day', ['Day (UTC)', ...Object.values(COLUMNS)], rows, 'heads'),
  })}`
}

function busiest(days: readonly DayActivity[], name: keyof typeof COLUMNS): string {
  const most = days.reduce<DayActivity | undefined>(
    (best, each) => (best && best[name] >= each[name] ? best : each),
    undefined,
  )
  return most && most[name] > 0 ? `, most (${most[name]}) on ${dayText(most.day)}` : ''
}

function recipientTable({ recipients }: Activity): Html {
  if (recipients.length === 0) return html`<p class="empty">It wrote to nobody in this time.</p>`
  const rows = recipients.map(({ address, messages }) => [html`<bdi>${plain(address)}</bdi>`, String(messages)])
  return table('Recipients with the most messages', ['Recipient', 'Messages'], rows)
}

/** Messages that were sent, held or blocked, by who asked for them. */
function requesterTable({ days, completeFrom }: Activity, known: Credentials): Html {
  const rows = days
    .filter(({ day, requesters }) => day >= completeFrom && requesters.length > 0)
    .reverse()
    .map(({ day, requesters }) => [
      dayText(day),
      html`${requesters
        .slice(0, SHOWN_REQUESTERS)
        .map(
          ({ by, messages }, i) =>
            html`${i > 0 && ', '}<bdi>${by === null ? 'not known' : requesterName(by, known)}</bdi>: ${messages}`,
        )}${requesters.length > SHOWN_REQUESTERS && ` and ${requesters.length - SHOWN_REQUESTERS} more`}`,
    ])
  if (rows.length === 0) return html`<p class="empty">Nobody asked to send anything in this time.</p>`
  return html`<p class="small">
      Messages that were sent, held or blocked. Of mail from before this was stored it is not known.
    </p>
    ${table('Who asked to send it, by the day', ['Day (UTC)', 'Who asked to send it'], rows, 'heads')}`
}

/** Those that the mailbox has now, with their last use. */
function credentialTable({ keys, connections }: Credentials, now: number): Html {
  const rows = [
    ...keys.map(({ name, scopes, lastUsedAt }) => ['Key', name, scopes, lastUsedAt] as const),
    ...connections.map(({ client, scopes, lastUsedAt }) => ['Connection', client.name, scopes, lastUsedAt] as const),
  ]
  if (rows.length === 0) return html`<p class="empty">None exists, so no agent can use this mailbox.</p>`
  return table(
    'Keys and connections',
    ['Kind', 'Name', 'It may', 'Last used'],
    rows.map(([kind, name, scopes, usedAt]) => [
      kind,
      html`<bdi>${plain(name)}</bdi>`,
      scopeWords(scopes),
      usedAt === null ? 'never' : moment(usedAt, now),
    ]),
    'cards',
  )
}

function trustWords({ trust_level: level, trust, next_level: next, new_recipients: { limit } }: Usage): Html {
  const { last_change: last, is_pinned: isPinned } = trust
  return html`<p>
      Level ${level} of ${MAX_LEVEL}: your agents may write to ${count(limit, 'new recipient')} a day.
      ${
        last &&
        html`${last.by === 'service' ? 'The service' : 'The operator'} ${last.to > last.from ? 'raised' : 'lowered'} it
        from ${last.from} to ${last.to} on ${exactly(Date.parse(last.at))}: ${last.reason}.`
      }
      ${isPinned && 'The operator has fixed it, so it does not change by itself.'}
    </p>
    ${
      next === null
        ? html`<p>There is no higher level.</p>`
        : html`<p>
              Level ${next.level} allows ${count(next.new_recipients_per_day, 'new recipient')} a day. It is earned when
              all of this is so, within ${next.needs.within_days} days:
            </p>
            <ul>
              ${needs(next).map(([text, isMet]) => html`<li>${text} ${isMet ? '(done)' : '(not yet)'}</li>`)}
            </ul>`
    }`
}

function needs({ needs, progress }: NonNullable<Usage['next_level']>): [string, boolean][] {
  return [
    [
      `mail was sent on ${count(needs.active_days, 'day')}; so far ${progress.active_days}`,
      progress.active_days >= needs.active_days,
    ],
    [
      `${count(needs.delivered, 'recipient')} got their mail; so far ${progress.delivered}`,
      progress.delivered >= needs.delivered,
    ],
    [
      `fewer than ${needs.under_bounce_percent} % of the addresses did not exist; so far ${progress.bounce_percent} %`,
      progress.bounce_percent < needs.under_bounce_percent,
    ],
    [`nobody complained; so far ${progress.complaints}`, progress.complaints <= needs.complaints],
    [`no message was blocked; so far ${progress.blocks}`, progress.blocks <= needs.blocks],
  ]
}
