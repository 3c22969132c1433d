/** Receipts of attempts that never were. */
import { timestamp } from '../../src/lib/clock.js'
import { newId } from '../../src/lib/ids.js'
import type { Receipt } from '../../src/receipts/types.js'

export const BOX = { id: 'mbx_ada', address: 'ada@agents.test' }

export function receiptAt(now: number, change: Partial<Receipt>): Receipt {
  return {
    id: newId('rcp', now),
    at: timestamp(now),
    outcome: 'accepted',
    client: { address: '192.0.2.7', name: null },
    helo: 'client.peer.test',
    protocol: 'ESMTP',
    tls: null,
    from: 'bob@peer.test',
    recipients: [{ address: 'ada+news@agents.test', mailbox: BOX, refusal: null }],
    recipients_left_out: 0,
    size_bytes: 1000,
    auth: null,
    virus: { verdict: 'clean', detail: null },
    spam: null,
    labels: [],
    reply: { code: 250, enhanced: '2.0.0', text: 'accepted' },
    duration_ms: 5,
    ...change,
  }
}
