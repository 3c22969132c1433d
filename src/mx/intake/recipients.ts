/** The check of RCPT: is there such a mailbox, has it room, and does it take mail from this client and sender. */
import { isIPv6 } from 'node:net'
import { clientNetwork, widerNetwork } from '../../lib/ip.js'
import { domainOf } from '../../mime/address.js'
import { MAILBOX_FULL, NO_SUCH_MAILBOX, ONE_RETURN_PATH, RELAYING_DENIED, type Reply } from '../../smtp/replies.js'
import { GREYLISTED, listed, NOT_WANTED } from '../limits/refusals.js'
import type { Client } from '../../smtp/server/networks.js'
import type { ClientLimits } from './client-limits.js'
import { ALWAYS_REACHABLE } from './reachable.js'
import type { IntakeDeps, RecipientAnswer, RecipientQuestion } from './types.js'

type RecipientDeps = Pick<IntakeDeps, 'names' | 'delivering' | 'greylist'> & { clients: ClientLimits }

const refuse = (refusal: Reply): RecipientAnswer => ({ kind: 'refused', refusal })

export async function checkRecipient(
  deps: RecipientDeps,
  client: Client,
  question: RecipientQuestion,
): Promise<RecipientAnswer> {
  const { names, delivering, clients } = deps
  const address = question.address.includes('@') ? question.address : `postmaster@${names.primaryDomain}`
  const domain = domainOf(address)
  await names.look?.(domain)
  if (!names.isLocalDomain(domain)) return refuse(RELAYING_DENIED)
  const harvesting = clients.recipientNamed(client)
  if (harvesting) return refuse(harvesting)
  if (delivering.returns?.hasForm(address)) return checkReturnPath(deps, client, address, question)
  if (question.before === 'return path') return refuse(ONE_RETURN_PATH)
  const { directory } = delivering.mailboxes
  // The author is checked with the message; here only the reverse-path against the block list.
  const found = await directory.resolveFor(address, { named: question.from === '' ? [] : [question.from] })
  if (!found) {
    clients.recipientUnknown(client)
    return refuse(NO_SUCH_MAILBOX)
  }
  const { mailbox, admission } = found
  if (!directory.hasRoom(mailbox, question.bytes)) return refuse(MAILBOX_FULL)
  if (!ALWAYS_REACHABLE.test(address)) {
    const refusal = admission === 'refused' ? NOT_WANTED : await unwelcome(deps, address, question)
    if (refusal) return refuse(refusal)
    clients.recipientTaken(client)
  }
  return { kind: 'mailbox', id: mailbox.id, address: mailbox.address }
}

/** @param address in ASCII */
async function unwelcome(
  { greylist }: RecipientDeps,
  address: string,
  { from, clientAddress: ip, listedBy }: RecipientQuestion,
): Promise<Reply | undefined> {
  if (listedBy !== undefined) return listed(ip, listedBy)
  const network = isIPv6(ip) ? clientNetwork(ip) : widerNetwork(ip)
  if (greylist && !(await greylist.passes({ network, sender: from, recipient: address }))) return GREYLISTED
  return undefined
}

/** Accepted from anybody: whoever knows the address has the message. A report is for one recipient, and needs no quota. */
async function checkReturnPath(
  { delivering, clients }: RecipientDeps,
  client: Client,
  address: string,
  { before }: RecipientQuestion,
): Promise<RecipientAnswer> {
  const returned = await delivering.returns?.find(address)
  if (!returned) {
    clients.recipientUnknown(client)
    return refuse(NO_SUCH_MAILBOX)
  }
  if (before !== 'none') return refuse(ONE_RETURN_PATH)
  clients.recipientTaken(client)
  return { kind: 'return path', returned }
}
