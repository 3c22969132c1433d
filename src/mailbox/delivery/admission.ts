/** A mailbox's lists applied to one message: admission, and allowed recipients. */
import type { AuthenticationResults } from '../../authentication/types.js'
import { ServiceError } from '../../lib/errors.js'
import type { ParsedMessage } from '../../mime/types.js'
import type { Store, View } from '../../store/types.js'
import { readFrom } from '../../store/read-from.js'
import { entryFor } from '../settings/address-lists.js'
import { mailboxPartition } from '../keys.js'
import type { Admission, MailboxSettings, Sender } from '../objects/set-types.js'
import { readSettings } from '../settings/settings.js'

/** Sender of incoming mail. @param envelopeFrom reverse-path, '' for the null sender */
export function senderOf(
  envelopeFrom: string,
  { from, fromCount }: Pick<ParsedMessage, 'from' | 'fromCount'>,
  { spf, dkim, dmarc }: AuthenticationResults,
): Required<Sender> {
  const path = envelopeFrom === '' ? [] : [envelopeFrom]
  // With two authors it is unknown which one a reader sees.
  const author = from && fromCount === 1 ? [from.address] : []
  const isDisowned =
    dmarc.result === 'fail' || (dmarc.result !== 'pass' && spf.result === 'fail' && dkim.result !== 'pass')
  return {
    named: [...path, ...(from ? [from.address] : [])],
    believed: [...(spf.result === 'fail' ? [] : path), ...(isDisowned ? [] : author)],
    proven: [...(spf.result === 'pass' ? path : []), ...(dmarc.result === 'pass' ? author : [])],
  }
}

export async function admissionOf(from: Store | View, mailboxId: string, sender: Sender): Promise<Admission> {
  return readFrom(from, mailboxPartition(mailboxId), async (view) => {
    if ((await entryFor(view, { direction: 'receive', type: 'block' }, sender.named)) !== undefined) return 'refused'
    const { believed, proven = [] } = sender
    if (believed === undefined) return 'usual'
    const allow = { direction: 'receive', type: 'allow' } as const
    if ((await entryFor(view, allow, proven)) !== undefined) return 'allowed'
    if (!(await readSettings(view)).receiveOnlyAllowed) return 'usual'
    return (await entryFor(view, allow, believed)) === undefined ? 'refused' : 'usual'
  })
}

/** @throws ServiceError `recipient_blocked`, `recipient_not_allowed` by the mailbox's lists */
export async function refuseUnlisted(
  view: View,
  { sendOnlyAllowed }: Pick<MailboxSettings, 'sendOnlyAllowed'>,
  recipients: string[],
): Promise<void> {
  for (const address of recipients) {
    const entry = await entryFor(view, { direction: 'send', type: 'block' }, [address])
    if (entry !== undefined) throw blocked(address, entry)
    if (!sendOnlyAllowed) continue
    if ((await entryFor(view, { direction: 'send', type: 'allow' }, [address])) === undefined)
      throw new ServiceError(
        'recipient_not_allowed',
        `This mailbox may write only to those on its allow list for sending, and ${address} is not.`,
        'Leave it out, or ask your human: a key that may manage the account can add it with POST /v1/lists/send/allow, and GET /v1/lists/send/allow shows who is on it.',
        { fields: [{ field: 'to', problem: `${address} is not on the allow list for sending` }] },
      )
  }
}

function blocked(address: string, entry: string): ServiceError {
  return new ServiceError(
    'recipient_blocked',
    `This mailbox may not write to ${address}: ${entry} is on its block list for sending.`,
    `Leave it out. A key that may manage the account can remove it with DELETE /v1/lists/send/block/${encodeURIComponent(entry)}.`,
    { fields: [{ field: 'to', problem: `${address} is blocked by ${entry}` }] },
  )
}
