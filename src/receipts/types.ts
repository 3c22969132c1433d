/** The receipt of a delivery attempt: client, envelope, results and replies. No content. */
import { z } from 'zod'
import { timeSchema } from '../mailbox/objects/objects.js'
import type { Transaction } from '../store/types.js'

const replySchema = z.object({
  code: z.int(),
  enhanced: z.string().describe('RFC 3463'),
  text: z.string(),
  reason: z.string().optional().describe('One word for the cause'),
})

const recipientSchema = z.object({
  address: z.string().describe('As given by the client'),
  mailbox: z.object({ id: z.string(), address: z.string() }).nullable().describe('Mailbox it delivers to'),
  refusal: replySchema.nullable().describe('The reply to RCPT, if not a 250'),
})

export const receiptSchema = z.object({
  id: z
    .string()
    .describe('Shown to the sender in the reply to an accepted message, and to the recipient in the Received field'),
  at: timeSchema.describe('End of the attempt'),
  outcome: z
    .enum(['accepted', 'refused', 'deferred', 'abandoned'])
    .describe('250, 5xx, 4xx, or ended by the client before the message was complete'),
  client: z.object({ address: z.string(), name: z.string().nullable() }),
  helo: z.string(),
  protocol: z.string(),
  tls: z.object({ version: z.string(), cipher: z.string() }).nullable(),
  from: z.string().describe('Reverse-path, empty for the null sender'),
  recipients: z.array(recipientSchema),
  recipients_left_out: z.int().describe('Number of recipients not listed'),
  size_bytes: z.int().nullable().describe('Bytes of data received; null without DATA'),
  auth: z
    .object({
      spf: z.string(),
      spf_domain: z.string().nullable(),
      dkim: z.string(),
      dkim_domain: z.string().nullable(),
      dmarc: z.string(),
      dmarc_domain: z.string().nullable(),
      dmarc_policy: z.string().nullable(),
      arc: z.string(),
    })
    .nullable(),
  virus: z.object({ verdict: z.string(), detail: z.string().nullable() }).nullable(),
  spam: z.object({ score: z.number(), verdict: z.string(), reasons: z.array(z.string()) }).nullable(),
  labels: z.array(z.string()),
  reply: replySchema.nullable().describe('The last reply to the sender; null if the connection was gone'),
  duration_ms: z.int().describe('From MAIL to the end'),
})

export type Receipt = z.infer<typeof receiptSchema>
export type ReceiptRecipient = Receipt['recipients'][number]

export interface ReceiptQuery {
  /** Id of one receipt; other filters are ignored then. */
  id?: string | undefined
  /** Attempts from or for this address; a mailbox's own address includes its tags and aliases. */
  address?: string | undefined
  /** Milliseconds since the epoch, inclusive. */
  since?: number | undefined
  /** Exclusive. */
  until?: number | undefined
  limit: number
  cursor?: string | undefined
}

export interface ReceiptList {
  data: Receipt[]
  has_more: boolean
  next_cursor: string | null
  /** Attempts of these days whose receipts were not kept because of a limit. */
  not_kept: number
}

export interface Receipts {
  /** Queues a receipt; it is on disk soon after. Never throws. */
  add(receipt: Receipt): void
  /** Writes the receipt of an accepted message in the transaction that stores it. */
  addWithin(tx: Pick<Transaction, 'blind'>, receipt: Receipt): void
  /** Includes all receipts added before. @throws ServiceError `invalid_request` for a foreign cursor */
  list(query: ReceiptQuery): Promise<ReceiptList>
  /** The receipt of this id; undefined if missing or expired. Includes all receipts added before. */
  find(id: string): Promise<Receipt | undefined>
  /** Number of receipts, up to `atMost`. */
  count(atMost: number): Promise<number>
  /** Resolves when all added receipts are on disk, or can't be written now. */
  flush(): Promise<void>
  /** Drops days past their retention. @returns number of rows removed */
  sweep(signal: AbortSignal): Promise<number>
  /** Writes the rest. Nothing may be added afterwards. */
  stop(): Promise<void>
}
