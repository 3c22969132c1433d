/** The receipt of a received message: its id is in the Received field added here. */
import { isId } from '../../lib/ids.js'
import { clientNetwork } from '../../lib/ip.js'
import type { Receipt } from '../../receipts/types.js'
import type { TracedReceipt } from './types.js'

/** Our own fields are on top, and short. */
const HEAD_BYTES = 8 * 1024
/** The id in the topmost Received field; undefined if the field is not ours, as in mail between own mailboxes. */
export function receiptIdOf(raw: Buffer): string | undefined {
  const head = raw.toString('latin1', 0, Math.min(raw.length, HEAD_BYTES)).replace(/\r?\n(?=[ \t])/g, '')
  const received = head.split(/\r?\n/).find((line) => /^received:/i.test(line))
  const id = received && /\sid (rcp_\w{26})\b/.exec(received)?.[1]
  return id !== undefined && isId('rcp', id) ? id : undefined
}

/** The part of a receipt that an operator needs: the client's network, without the sender. */
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
