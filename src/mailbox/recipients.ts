/** Recipients of a message: the envelope from To, Cc and Bcc, which of them are free, and the fingerprint without their names. */
import { fingerprintOf, type Fingerprint } from '../guard/text/similar.js'
import { invalidRequest, type ServiceError } from '../lib/errors.js'
import { DAY } from '../lib/clock.js'
import { addressKey, domainOf } from '../mime/address.js'
import { packNumber, unpackNumber } from '../store/packed.js'
import type { Transaction, View } from '../store/types.js'
import { deliveryOwner, isOwnAddress } from './addresses.js'
import { correspondentKey } from './keys.js'
import { type MessageContent, distinct } from './message.js'
import type { Address } from '../mime/types.js'
import type { MailboxRecord } from './mailbox-record.js'

/** Before a domain of the server: the address of the simulator whose mail is delivered at once. */
const SIMULATED_DELIVERY = 'delivered@simulator'

export interface RecipientDeps {
  view: View
  isLocalDomain: (domain: string) => boolean
  recipientsPerMessage: number
}

/** Distinct envelope addresses. @throws ServiceError `invalid_request` for none, too many, or the mailbox itself */
export async function envelopeOf(
  deps: RecipientDeps,
  mailbox: MailboxRecord,
  message: { to: Address[]; cc: Address[]; bcc: Address[] },
): Promise<string[]> {
  const addresses = distinct([...message.to, ...message.cc, ...message.bcc]).map(({ address }) => address)
  if (addresses.length === 0) {
    throw invalidRequest('The message has no recipient.', 'Give at least one address in `to`, `cc` or `bcc`.', [
      { field: 'to', problem: 'It must have at least 1 entry.' },
    ])
  }
  if (addresses.length > deps.recipientsPerMessage) {
    throw invalidRequest(
      `The message has ${addresses.length} recipients.`,
      `Send to at most ${deps.recipientsPerMessage} addresses at a time.`,
      [{ field: 'to', problem: `to, cc and bcc may have at most ${deps.recipientsPerMessage} entries together.` }],
    )
  }
  // Loop guard: two agents' rules that answer each other would never end.
  for (const address of addresses) {
    if (isOwnAddress(mailbox, address) || (await isAlias(deps, mailbox, address))) {
      throw toItself(address, domainOf(mailbox.address), deps.isLocalDomain)
    }
  }
  return addresses
}

/** People who set up a mail program write to themselves first: they are told how to test it. */
function toItself(address: string, domain: string, isLocalDomain: (domain: string) => boolean): ServiceError {
  const sending = isLocalDomain(domain)
    ? `To test sending, write to ${SIMULATED_DELIVERY}.${domain}`
    : 'To test sending, write to another address of yours'
  const advice = `${sending}; to test receiving, write to ${address} from another mailbox.`
  return invalidRequest('A mailbox cannot send mail to itself.', `Leave out ${address}. ${advice}`, [
    { field: 'to', problem: `${address} is this mailbox. ${advice}` },
  ])
}

async function isAlias(deps: RecipientDeps, mailbox: MailboxRecord, address: string): Promise<boolean> {
  return deps.isLocalDomain(domainOf(address)) && (await deliveryOwner(deps.view, address)) === mailbox.id
}

/** Max age of a frequent correspondent's stored time. */
const CORRESPONDENT_MS = DAY

/** Records a correspondent: replies to them cost nothing. */
export async function rememberCorrespondent(tx: Transaction, address: string, now: number): Promise<void> {
  const row = correspondentKey(addressKey(address))
  const known = await tx.get(row)
  if (!known || unpackNumber(known) <= now - CORRESPONDENT_MS) tx.put(row, packNumber(now))
}

export async function whoWroteFirst(view: View, addresses: string[]): Promise<string[]> {
  const found = await view.getMany(addresses.map((address) => correspondentKey(addressKey(address))))
  return addresses.filter((_, i) => found[i] !== undefined)
}

/** Fingerprint of the new words, without the recipients' names. */
export function printOf({ text, extracted_text, to, cc, bcc }: MessageContent): Fingerprint | undefined {
  const names = [...to, ...cc, ...bcc].flatMap(({ name, address }) => [
    name,
    address.slice(0, address.lastIndexOf('@')),
  ])
  return fingerprintOf(extracted_text ?? text, names)
}
