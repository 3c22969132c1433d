/** The receipt of a message that came from outside: its id is in the Received field that the message got here. */
import { MINUTE } from '../lib/clock.js'
import { isId } from '../lib/ids.js'
import { clientNetwork } from '../lib/ip.js'
import type { MailboxRecord } from '../mailbox/types.js'
import type { Receipt, Receipts } from '../receipts/types.js'
import type { TracedReceipt } from './types.js'

/** Our own fields stand on top, and are short. */
const HEAD_BYTES = 8 * 1024
/** A receipt is of the end of the attempt: the message is stored before it, and the sender has no patience for more than this (RFC 5321 §4.5.3.2.6). */
const LATEST_MS = 15 * MINUTE
/** For a clock that was set. */
const EARLIEST_MS = MINUTE
const PAGE = 200
/** Receipts of one mailbox that are looked through. */
const MAX_PAGES = 25

/** The id in the topmost Received field; undefined where that is none of ours, as in mail that never came from outside. */
export function receiptIdOf(raw: Buffer): string | undefined {
  const head = raw.toString('latin1', 0, Math.min(raw.length, HEAD_BYTES)).replace(/\r?\n(?=[ \t])/g, '')
  const received = head.split(/\r?\n/).find((line) => /^received:/i.test(line))
  const id = received && /\sid (rcp_\w{26})\b/.exec(received)?.[1]
  return id !== undefined && isId('rcp', id) ? id : undefined
}

/** Undefined when it is kept no longer, or never was. */
export async function findReceipt(
  receipts: Pick<Receipts, 'list'>,
  { address }: Pick<MailboxRecord, 'address'>,
  id: string,
  storedAt: number,
): Promise<Receipt | undefined> {
  const query = { address, since: storedAt - EARLIEST_MS, until: storedAt + LATEST_MS, limit: PAGE }
  let cursor: string | undefined
  for (let page = 0; page < MAX_PAGES; page++) {
    const found = await receipts.list({ ...query, cursor })
    const receipt = found.data.find((one) => one.id === id)
    if (receipt || found.next_cursor === null) return receipt
    cursor = found.next_cursor
  }
  return undefined
}

/** What of it an operator needs to follow a message: the client's network, and no sender. */
export function tracedReceipt(receipt: Receipt): TracedReceipt {
  const { id, at, outcome, protocol, auth, virus, spam, labels, reply, duration_ms } = receipt
  return {
    id,
    at,
    outcome,
    protocol,
    auth,
    virus,
    spam,
    labels,
    reply,
    duration_ms,
    client_network: clientNetwork(receipt.client.address),
    tls: receipt.tls?.version ?? null,
  }
}
