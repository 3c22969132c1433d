/** The receipt of a delivery attempt: who brought what for whom, what was found, and what the sender was told. Nothing of the content. */
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
  address: z.string().describe('As the client gave it'),
  mailbox: z.object({ id: z.string(), address: z.string() }).nullable().describe('Where it delivers to'),
  refusal: replySchema.nullable().describe('The reply to RCPT, when that was no 250'),
})

export const receiptSchema = z.object({
  id: z
    .string()
    .describe('The sender sees it in the reply to an accepted message, the recipient in its Received field'),
  at: timeSchema.describe('When the attempt ended'),
  outcome: z
    .enum(['accepted', 'refused', 'deferred', 'abandoned'])
    .describe('250, 5xx, 4xx, or the client ended it before the message was whole'),
  client: z.object({ address: z.string(), name: z.string().nullable() }),
  helo: z.string(),
  protocol: z.string(),
  tls: z.object({ version: z.string(), cipher: z.string() }).nullable(),
  from: z.string().describe('Reverse-path, empty for the null sender'),
  recipients: z.array(recipientSchema),
  recipients_left_out: z.int().describe('Recipients beyond those that are listed'),
  size_bytes: z.int().nullable().describe('Bytes of data that came; null when there was no DATA'),
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
  reply: replySchema.nullable().describe('The last word to the sender; null when nobody was there to hear one'),
  duration_ms: z.int().describe('From MAIL to the end'),
})

export type Receipt = z.infer<typeof receiptSchema>
export type ReceiptRecipient = Receipt['recipients'][number]

export interface ReceiptQuery {
  /** The one receipt of this id; nothing else counts then. */
  id?: string | undefined
  /** Attempts from or for this address; a mailbox's own address finds what came for its tags and aliases too. */
  address?: string | undefined
  /** Milliseconds since the epoch, inclusive. */
  since?: number | undefined
  /** Exclusive. */
  until?: number | undefined
  limit: number
  cursor?: string | undefined
}

export interface ReceiptList {
  /** The newest first. */
  data: Receipt[]
  has_more: boolean
  next_cursor: string | null
  /** Attempts of the days looked at whose receipts were not kept, because a limit was reached. */
  not_kept: number
}

export interface Receipts {
  /** Takes a receipt into memory and returns at once; it is on disk soon after. Never throws. */
  add(receipt: Receipt): void
  /** Writes the receipt of an accepted message in the transaction that stores it. */
  addWithin(tx: Pick<Transaction, 'blind'>, receipt: Receipt): void
  /** What was added before is in it. @throws ServiceError `invalid_request` for a cursor of something else */
  list(query: ReceiptQuery): Promise<ReceiptList>
  /** The receipt of this id; undefined when there is none, or it is kept no longer. What was added before is found. */
  find(id: string): Promise<Receipt | undefined>
  /** How many there are; of more than `atMost` that. */
  count(atMost: number): Promise<number>
  /** Resolves when what was added is on disk, or can't be written now. */
  flush(): Promise<void>
  /** Drops the days that are past their time. @returns how many rows went */
  sweep(signal: AbortSignal): Promise<number>
  /** Writes what is left. Nothing may be added after it. */
  stop(): Promise<void>
}
