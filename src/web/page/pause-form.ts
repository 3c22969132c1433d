/** Pausing the agent of a mailbox: what holds now, and the buttons to change it. */
import type { MailboxRecord } from '../../mailbox/mailbox-record.js'
import type { Withdrawn } from '../../mailbox/pausing/withdrawing.js'
import { html, type Html } from './html.js'
import type { Visitor } from './page.js'
import { form, PATHS } from './person-frame.js'
import { count, moment } from './words.js'

type Paused = Pick<MailboxRecord, 'id' | 'paused'>

export const pausePath = (mailboxId: string): string => `${PATHS.mailboxes}/mailboxes/${mailboxId}/pause`
export const resumePath = (mailboxId: string): string => `${PATHS.mailboxes}/mailboxes/${mailboxId}/resume`

/** The notice after a change, by the query. */
export const PAUSE_DONE = {
  paused: 'Sending is paused. Nothing leaves on its own until you resume it.',
  stopped: 'The agent is paused: none of its keys and connections works until you resume it.',
  resumed: 'Resumed. The agent can go on, and mail that waited is on its way.',
}

/** Names in the query of what a withdrawal did: numbers, and whether there is more. */
export const WITHDRAWN_QUERY = ['withdrawn', 'late', 'more'] as const

export const withdrawnQuery = (left: Withdrawn): Partial<Record<(typeof WITHDRAWN_QUERY)[number], string>> => ({
  withdrawn: String(left.withdrawn),
  late: String(left.on_their_way),
  ...(left.has_more && { more: 'yes' }),
})

/** What a withdrawal did, by the query. */
export function withdrawnNotice(query: URLSearchParams): Html | undefined {
  const [withdrawn, late] = [query.get('withdrawn'), query.get('late')].map((each) => /^\d{1,6}$/.exec(each ?? '')?.[0])
  if (withdrawn === undefined || late === undefined) return undefined
  return html`<p class="card ${query.has('more') ? 'notice warn' : 'good'}" role="status">
    ${count(Number(withdrawn), 'message was', 'messages were')} withdrawn.
    ${
      Number(late) > 0 &&
      html`For ${count(Number(late), 'message')} it was too late: the delivery has begun. What is still to be tried
      again waits until you resume.`
    }
    ${query.has('more') && 'There is more: press “Withdraw what waits” to go on.'}
  </p>`
}

/** @param back the page to return to, of the inbox or of the mailbox */
export function pauseForm(mailbox: Paused, visitor: Visitor, { back, now }: { back: string; now: number }): Html {
  const { id, paused } = mailbox
  const way = html`<input type="hidden" name="back" value="${back}" />`
  const sending = html`<button class="plain" name="what" value="sending">
    ${paused?.what === 'all' ? 'Let it read again, but not send' : 'Pause sending'}
  </button>`
  const all = html`<button class="danger" name="what" value="all">Pause everything</button>`
  if (!paused)
    return html`<p>
        Pausing sending stops what the agent sends, and keeps what waits. Pausing everything also stops its keys and
        connections: it can't read either. Mail still arrives, and you can still write.
      </p>
      ${form(
        visitor,
        pausePath(id),
        html`${way}
          <label class="tick"
            ><input type="checkbox" name="withdraw" value="yes" /><span
              >and withdraw mail of the agent that waits: it is not sent, and stays in the mailbox as cancelled</span
            ></label
          >
          <div class="bar">${sending} ${all}</div>`,
      )}`
  return html`<div class="card notice" role="status">
    <p>
      <strong class="bad">${paused.what === 'all' ? 'This agent is paused' : 'Sending is paused'}</strong>, by
      ${paused.by === 'human' ? 'you' : 'the operator of this server'}, ${moment(paused.at, now)}.
      ${
        paused.what === 'all'
          ? 'None of its keys and connections works.'
          : 'The agent can read and write drafts, and sends nothing.'
      }
      Mail that it sent before and that has not left waits. Mail still arrives, and you can still write.
    </p>
    ${form(visitor, resumePath(id), html`${way}<button>Resume</button>`)}
    ${form(visitor, pausePath(id), html`${way}${paused.what === 'all' ? sending : all}`)}
    ${form(
      visitor,
      pausePath(id),
      html`${way}<input type="hidden" name="what" value="${paused.what}" />
        <button class="danger" name="withdraw" value="yes">Withdraw what waits</button>`,
    )}
  </div>`
}
