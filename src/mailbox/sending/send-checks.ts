/** Checks before any work is done on a message. */
import { claimStateOf } from '../../accounts/claim-status.js'
import { claimPending, mailboxPaused, notApproved, requireActive } from '../../accounts/refusals.js'
import type { AccountRecord } from '../../accounts/types.js'
import { checkAllInTurn, invalidRequest, ServiceError } from '../../lib/errors.js'
import { domainOf } from '../../mime/address.js'
import type { Address } from '../../mime/types.js'
import type { View } from '../../store/types.js'
import { addressOwner, isOwnAddress, untagged } from '../addresses.js'
import type { Requester } from '../draft.js'
import { META_PARTITION } from '../keys.js'
import { checkLabelsToSend } from '../labels.js'
import type { MailboxRecord } from '../mailbox-record.js'
import { envelopeOf } from '../recipients.js'
import type { RequestFields } from './requests.js'
import { checkSendAt } from './scheduled.js'
import type { SendLimits, SendDeps } from './send-deps.js'
import { requireProven, type OwnDomain } from './verified-sender.js'

/** Within a read. @throws ServiceError if the mailbox is pending or its account may not send */
export async function mustBeAllowed(
  { accounts, clock }: SendDeps,
  mailbox: MailboxRecord,
  view: View,
): Promise<AccountRecord> {
  const account = mailbox.accountId === null ? undefined : await accounts.get(mailbox.accountId, view)
  const claimState = claimStateOf(mailbox, clock.now())
  if (claimState !== 'claimed') throw notApproved(claimState)
  if (!account) throw claimPending()
  requireActive(account)
  return account
}

/** Within a read or a transaction of the mailbox. @param by undefined for its human @throws ServiceError `mailbox_paused` for an agent */
export function refusePaused({ paused }: MailboxRecord, by: Requester | undefined): void {
  if (by && paused) throw mailboxPaused(paused)
}

/**
 * The author by default: the mailbox's first address.
 *
 * @param own the state of its domain
 *
 * @throws ServiceError `sending_stopped` for an unverified custom domain
 */
export function firstAuthor(own: OwnDomain | undefined, mailbox: MailboxRecord): Address {
  requireProven(own, mailbox, mailbox.address)
  return { address: mailbox.address, name: mailbox.displayName }
}

/** Within a read. @throws ServiceError `invalid_request` for a foreign address, `sending_stopped` for an unverified custom domain */
async function authorOf(
  { domains }: SendDeps,
  view: View,
  mailbox: MailboxRecord,
  { address, name }: Address,
): Promise<Address> {
  requireProven(await domains.own?.(domainOf(address), view), mailbox, address)
  const isOwn = isOwnAddress(mailbox, address) && (await addressOwner(view, untagged(address))) === mailbox.id
  if (isOwn) return { address, name: name === '' ? mailbox.displayName : name }
  throw invalidRequest(
    `${address} is none of this mailbox's addresses.`,
    `Leave \`from\` out to send as ${mailbox.address}, or choose one of GET /v1/aliases; POST /v1/aliases makes another.`,
    [{ field: 'from', problem: "Not one of the mailbox's own addresses, with or without a tag" }],
  )
}

interface Checked {
  recipients: string[]
  author?: Address
}

/**
 * Validates all fields of a message, in one read.
 *
 * @param given missing fields are skipped
 * @returns envelope addresses, empty without `to`; author, if `from` is given
 * @throws ServiceError `invalid_request`, or `payload_too_large` if that is the only problem
 */
export const checkFields = (deps: SendDeps, mailbox: MailboxRecord, given: RequestFields): Promise<Checked> =>
  deps.store.read(META_PARTITION, (view) => checkFieldsIn(deps, view, mailbox, given))

async function checkFieldsIn(
  deps: SendDeps,
  view: View,
  mailbox: MailboxRecord,
  given: RequestFields,
): Promise<Checked> {
  const { clock, limits, domains } = deps
  const { from, to, cc = [], bcc = [], labels = [], attachments = [], text = '', html, sendAt } = given
  const recipientDeps = { view, isLocalDomain: domains.isLocal, recipientsPerMessage: limits.recipientsPerMessage }
  const found: Checked = { recipients: [] }
  await checkAllInTurn(
    async () => {
      if (to) found.recipients = await envelopeOf(recipientDeps, mailbox, { to, cc, bcc })
    },
    async () => {
      if (from) found.author = await authorOf(deps, view, mailbox, from)
    },
    () => {
      if (sendAt !== undefined) checkSendAt(sendAt, clock.now())
    },
    () => checkLabelsToSend(labels),
    () => refuseManyAttached(attachments.length, limits),
    () => {
      // Base64 turns three bytes into four: refuse what cannot fit.
      const bytes = attachments.reduce((sum, { content }) => sum + content.length, 0)
      if ((bytes * 4) / 3 + text.length + (html?.length ?? 0) > limits.messageBytes) throw tooLarge(limits)
    },
  )
  return found
}

/** @throws ServiceError `invalid_request` */
export function refuseManyAttached(count: number, { attachmentsPerMessage }: SendLimits): void {
  if (count <= attachmentsPerMessage) return
  throw invalidRequest(
    `The message has ${count} attachments.`,
    'Put the files into one archive, or send several messages.',
    [{ field: 'attachments', problem: `It must have at most ${attachmentsPerMessage} entries.` }],
  )
}

/** @throws ServiceError `invalid_request` */
export function refuseManyForwarded(count: number, { attachmentsPerMessage }: SendLimits): void {
  if (count <= attachmentsPerMessage) return
  throw invalidRequest(
    `The message has ${count} attachments; one that is sent may have ${attachmentsPerMessage}.`,
    'Forward it with `"include_attachments": false`, or send the files you need with POST /v1/send.',
    [{ field: 'include_attachments', problem: 'It must be false for this message.' }],
  )
}

export function tooLarge({ messageBytes }: SendLimits): ServiceError {
  return new ServiceError(
    'payload_too_large',
    `The message is larger than ${messageBytes} bytes once its attachments are encoded.`,
    'Encoding makes files a third larger. Send fewer or smaller attachments.',
    { fields: [{ field: 'attachments', problem: `The whole message may have at most ${messageBytes} bytes.` }] },
  )
}
