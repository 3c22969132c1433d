/** The owner's home page: mailboxes with size and last use, today's limits, sign-ins. */
import type { Usage } from '../../accounts/types.js'
import { timestamp } from '../../lib/clock.js'
import type { MailboxRecord } from '../../mailbox/mailbox-record.js'
import { html, type Html } from '../page/html.js'
import { table } from '../page/table.js'
import { count, exactly, moment, plain, size } from '../page/words.js'
import { ownerView, PATHS, providerName, type OwnerDeps } from '../page/person-frame.js'

/** Mailboxes of one page. */
const PAGE = 50
const COUNTED_HELD = 100

interface Row {
  mailbox: MailboxRecord
  lastActivity: number | undefined
  held: number
}

export const mailboxesPage = ownerView(PATHS.mailboxes, 'Your mailboxes', async ({ visitor, query }, deps) => {
  const { accountId } = visitor.session
  const ids = await deps.accounts.mailboxes(accountId)
  const from = Math.max(0, Number.parseInt(query.get('from') ?? '0', 10) || 0)
  const rows = await Promise.all(ids.slice(from, from + PAGE).map((id) => rowOf(id, deps)))
  const usage = await deps.accounts.usage(accountId)
  const identities = await deps.accounts.identities(accountId)
  const now = deps.clock.now()
  return html`${mailboxTable(
      rows.filter((row) => row !== undefined),
      now,
    )}
    ${pager(from, ids.length)}
    <h2>Today</h2>
    ${today(usage, now)}
    <h2>Who can sign in</h2>
    <ul>
      ${identities.map(
        ({ provider, email, emailVerified, username, subject, lastAt }) =>
          html`<li>
            ${email ?? username ?? subject} with
            ${providerName(deps, provider)}${
              email !== null && !emailVerified && html` <span class="small">(address not verified)</span>`
            },
            last ${moment(lastAt, now)}
          </li>`,
      )}
    </ul>`
})

async function rowOf(mailboxId: string, { mailboxes }: Pick<OwnerDeps, 'mailboxes'>): Promise<Row | undefined> {
  const mailbox = await mailboxes.directory.get(mailboxId)
  if (!mailbox) return undefined
  const [lastActivity, held] = await Promise.all([
    mailboxes.reading.lastActivity(mailboxId),
    mailboxes.reading.countHeld(mailboxId, COUNTED_HELD),
  ])
  return { mailbox, lastActivity, held }
}

function mailboxTable(rows: Row[], now: number): Html {
  if (rows.length === 0)
    return html`<p class="empty">
      There are none yet. When an agent claims an address, it gives you a link; open it and accept, and the mailbox is
      here.
    </p>`
  const cells = rows.map(({ mailbox, lastActivity, held }) => [
    html`<a href="${mailboxPath(mailbox.id)}">${mailbox.address}</a>
      ${mailbox.agentName !== null && html`<br /><span class="small">${plain(mailbox.agentName)}</span>`}
      ${mailbox.paused && html`<br /><span class="bad">${mailbox.paused.what === 'all' ? 'paused' : 'sending paused'}</span>`}`,
    html`<a href="${PATHS.inbox}?mailbox=${encodeURIComponent(mailbox.address)}"
        >${count(mailbox.messageCount, 'message')}</a
      >, ${size(mailbox.usedBytes)}
      ${held > 0 && html`<br /><span class="bad">${held === COUNTED_HELD ? 'many' : held} waiting for review</span>`}`,
    lastActivity === undefined ? 'none recently' : moment(lastActivity, now),
  ])
  return table('Your mailboxes', ['Address', 'Mail', 'Last activity'], cells, 'cards')
}

function pager(from: number, total: number): Html | undefined {
  if (total <= PAGE) return undefined
  return html`<p>
    ${from + 1} to ${Math.min(total, from + PAGE)} of ${total}.
    ${from > 0 && html`<a href="${PATHS.mailboxes}?from=${Math.max(0, from - PAGE)}">Back</a>`}
    ${from + PAGE < total && html`<a href="${PATHS.mailboxes}?from=${from + PAGE}">More</a>`}
  </p>`
}

/** Today's limits of an account, and what is left. */
export function today(usage: Usage, now: number): Html {
  const { new_recipients: recipients, storage, messages, trust_level: trust, next_level: next } = usage
  const resets = Date.parse(recipients.resets_at)
  return html`<dl>
    <dt>New recipients</dt>
    <dd>${recipients.used} of ${recipients.limit} (again ${recipients.limit} ${moment(resets, now)})</dd>
    <dt>Messages</dt>
    <dd>${messages.sent_today} sent, ${messages.received_today} received</dd>
    <dt>Storage</dt>
    <dd>${size(storage.used_bytes)} in use; ${size(storage.limit_bytes)} for each mailbox</dd>
    <dt>Trust</dt>
    <dd>Level ${trust}${next && html`; level ${next.level} takes ${next.requires}`}</dd>
    ${outcomes(usage)}
  </dl>`
}

/** Delivery outcomes, and progress to the next trust level. */
function outcomes({
  outcomes: { last_7_days: week, last_30_days: month },
  next_level: next,
  suspension_lines: lines,
}: Usage): Html {
  const period = (counts: typeof week): string =>
    `${counts.sent} recipients on ${count(counts.active_days, 'day')}, ${counts.delivered} delivered, ${counts.bounced} with no such address, ${count(counts.complaints, 'complaint')}, ${counts.blocks} blocked`
  return html`<dt>Last 7 days</dt>
    <dd>${period(week)}</dd>
    <dt>Last 30 days</dt>
    <dd>${period(month)}</dd>
    ${
      next &&
      html`<dt>On the way to level ${next.level}</dt>
        <dd>
          ${next.progress.active_days} of ${next.needs.active_days} active days, ${next.progress.delivered} of
          ${next.needs.delivered} delivered, ${next.progress.bounce_percent} % bounced
        </dd>`
    }
    <dt>Suspended past</dt>
    <dd>
      ${lines.max_bounce_percent} % wrong addresses (now ${lines.bounce_percent} %) or ${lines.max_complaint_percent} %
      complaints (now ${lines.complaint_percent} %), of at least ${lines.min_recipients} recipients in ${lines.days}
      days (now ${lines.recipients})
    </dd>`
}

export const mailboxPath = (mailboxId: string): string => `${PATHS.mailboxes}/mailboxes/${mailboxId}`

/** Details of a mailbox. */
export function factsOf(mailbox: MailboxRecord): Html {
  return html`<dl>
    <dt>Agent</dt>
    <dd>${mailbox.agentName === null ? 'did not give a name' : plain(mailbox.agentName)}</dd>
    <dt>Approved</dt>
    <dd>${mailbox.claimedAt === null ? 'not yet' : exactly(mailbox.claimedAt)}</dd>
    <dt>Mail</dt>
    <dd>
      ${count(mailbox.messageCount, 'message')}, ${size(mailbox.usedBytes)}; ${mailbox.sentCount} sent and
      ${mailbox.receivedCount} received so far
    </dd>
    <dt>Identifier</dt>
    <dd><code>${mailbox.id}</code><span class="small"> since ${timestamp(mailbox.createdAt).slice(0, 10)}</span></dd>
  </dl>`
}
