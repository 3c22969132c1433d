/** The receipt of a message that came from outside: its id is in the Received field that the message got here. */
import { isId } from '../../lib/ids.js'
import { clientNetwork } from '../../lib/ip.js'
import type { Receipt } from '../../receipts/types.js'
import type { TracedReceipt } from './types.js'

/** Our own fields stand on top, and are short. */
const HEAD_BYTES = 8 * 1024
/** The id in the topmost Received field; undefined where that is none of ours, as in mail that never came from outside. */
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
