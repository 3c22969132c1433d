/** The audit log as the owner of a mailbox sees it: what was done to it and to the account, by whom, without what concerns the staff alone. */
import type { AuditEntry } from '../../audit/types.js'
import { ServiceError } from '../../lib/errors.js'
import type { MailboxRecord } from '../../mailbox/mailbox-record.js'
import { html, type Html } from '../page/html.js'
import type { Visitor } from '../page/page.js'
import { PATHS, type OwnerDeps } from '../page/person-frame.js'
import { connectionName, keyName, type Credentials } from '../page/requesters.js'
import { table } from '../page/table.js'
import { count, exactly, plain } from '../page/words.js'

const PAGE = 50
/** Entries of all accounts that are looked at for one page: the log has no index by account. */
const LOOK_AT = 5000

interface Asked extends Credentials {
  mailbox: MailboxRecord
  cursor: string | undefined
}

export async function auditList(
  asked: Asked,
  { session }: Visitor,
  { audit }: Pick<OwnerDeps, 'audit'>,
): Promise<Html> {
  if (!audit) return html`<p class="empty">Nothing is written down on this server.</p>`
  const { mailbox, cursor } = asked
  const found = await audit
    .list({ subjects: [[session.accountId, mailbox.id]], limit: PAGE, lookAt: LOOK_AT, cursor })
    .catch((error: unknown) => {
      if (error instanceof ServiceError && cursor !== undefined) return undefined
      throw error
    })
  if (!found)
    return html`<p class="empty">This part of the log can't be shown; begin again with the newest entries.</p>`
  const rows = found.data
    .filter(isForOwner)
    .map((entry) => [
      exactly(Date.parse(entry.at)),
      html`${actionText(entry)}${objectOf(entry, asked)}`,
      actorText(entry, asked),
      reasonOf(entry),
    ])
  const path = `/account/mailboxes/${mailbox.id}/activity?cursor=${encodeURIComponent(found.next_cursor ?? '')}`
  return html`${
    rows.length > 0
      ? table('What was done', ['When', 'What', 'By', 'Reason'], rows, 'cards')
      : html`<p class="empty">
          ${found.has_more ? 'Nothing is in this part of the log.' : 'Nothing was written down in this time.'}
        </p>`
  }
  ${found.has_more && html`<p><a href="${path}">Older</a></p>`}`
}

const isOfStaff = ({ actor: { type } }: AuditEntry): boolean => type === 'operator' || type === 'staff'

/** Failed attempts of the operator and the staff are not shown. */
const isForOwner = (entry: AuditEntry): boolean => !isOfStaff(entry) || entry.result === 'done'

/** The key, or the message with the number of its recipients. */
function objectOf({ subject }: AuditEntry, asked: Asked): Html | undefined {
  const { key_id: keyId, mailbox_id: mailboxId, message_id: messageId, recipients } = subject
  if (keyId !== undefined) return html`<br /><span class="small">${keyName(asked, keyId)}</span>`
  if (mailboxId !== asked.mailbox.id || messageId === undefined) return undefined
  return html`<br /><span class="small"
      ><a href="${PATHS.inbox}/${mailboxId}/${messageId}">the message</a>${
        recipients !== undefined && `, to ${count(Number(recipients), 'recipient')}`
      }</span
    >`
}

/** `key made`. */
const actionText = ({ action, result }: AuditEntry): string =>
  `${action.replace(/[._]/g, ' ')}${result === 'done' ? '' : ` (${result})`}`

/** Reasons of the operator are for other operators, except that of a suspension. */
function reasonOf(entry: AuditEntry): string {
  const isShown = !isOfStaff(entry) || entry.action === 'account.suspended' || entry.action === 'mailbox.paused'
  return isShown && entry.reason !== null ? plain(entry.reason) : ''
}

function actorText({ actor: { type, id, name } }: AuditEntry, asked: Asked): string {
  switch (type) {
    case 'key':
      return keyName(asked, id ?? '')
    case 'connection':
      return connectionName(asked, id ?? 'a connection')
    case 'session':
      return name === null ? 'somebody who signed in' : plain(name)
    case 'staff':
      return 'the staff of this server'
    case 'operator':
      return 'the operator of this server'
    case 'client':
    case 'anonymous':
      return 'a visitor'
    case 'system':
      return 'the service itself'
  }
}
