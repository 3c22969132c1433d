/**
 * Stored form of a receipt: without field names, and with the search fields in front, so that a search skips other receipts without parsing them.
 *
 * | bytes | what                                                                            |
 * | ----- | ------------------------------------------------------------------------------- |
 * | 1     | the outcome, as its index in OUTCOMES                                           |
 * | 2     | n, the number of addresses it is found by                                       |
 * | 4 × n | the hash of each, and of it without its tag (`ada+news@` is found by `ada@` too) |
 * | rest  | the other fields as one JSON array, in the order of `Fields`                    |
 *
 * Time and id are in the key.
 */
import { timestamp } from '../lib/clock.js'
import { addressKey } from '../mime/address.js'
import { asBuffer } from '../store/keys.js'
import type { Receipt, ReceiptRecipient } from './types.js'

const OUTCOMES: readonly Receipt['outcome'][] = ['accepted', 'refused', 'deferred', 'abandoned']
const HASH_BYTES = 4
const HASHES_AT = 3

type Reply = NonNullable<Receipt['reply']>
type PackedReply = [code: number, enhanced: string, text: string, reason?: string]
/** Mailbox id (null if none) and mailbox address (empty if it is that of the recipient). */
type PackedRecipient = [address: string, mailboxId: string | null, mailboxAddress?: string, refusal?: PackedReply]

type Fields = [
  client: [address: string, name: string | null],
  helo: string,
  protocol: string,
  tls: [version: string, cipher: string] | null,
  from: string,
  recipients: PackedRecipient[],
  recipientsLeftOut: number,
  sizeBytes: number | null,
  auth: (string | null)[] | null,
  virus: [verdict: string, detail: string | null] | null,
  spam: [score: number, verdict: string, reasons: string[]] | null,
  labels: string[],
  reply: PackedReply | null,
  durationMs: number,
]

const AUTH = [
  'spf',
  'spf_domain',
  'dkim',
  'dkim_domain',
  'dmarc',
  'dmarc_domain',
  'dmarc_policy',
  'arc',
] as const satisfies readonly (keyof NonNullable<Receipt['auth']>)[]

export function packReceipt(receipt: Receipt): Uint8Array {
  const { auth, client, tls, virus, spam, reply } = receipt
  const fields: Fields = [
    [client.address, client.name],
    receipt.helo,
    receipt.protocol,
    tls && [tls.version, tls.cipher],
    receipt.from,
    receipt.recipients.map(packRecipient),
    receipt.recipients_left_out,
    receipt.size_bytes,
    auth && AUTH.map((field) => auth[field]),
    virus && [virus.verdict, virus.detail],
    spam && [spam.score, spam.verdict, spam.reasons],
    receipt.labels,
    reply && packReply(reply),
    receipt.duration_ms,
  ]
  const hashes = hashesOf(receipt)
  const json = JSON.stringify(fields)
  const jsonAt = HASHES_AT + HASH_BYTES * hashes.length
  const bytes = Buffer.allocUnsafe(jsonAt + Buffer.byteLength(json))
  bytes[0] = OUTCOMES.indexOf(receipt.outcome)
  bytes.writeUInt16BE(hashes.length, 1)
  hashes.forEach((hash, index) => bytes.writeUInt32BE(hash, HASHES_AT + HASH_BYTES * index))
  bytes.write(json, jsonAt)
  return bytes
}

export function unpackReceipt({ at, id }: { at: number; id: string }, bytes: Uint8Array): Receipt {
  const buffer = asBuffer(bytes)
  const outcome = OUTCOMES[buffer[0] ?? OUTCOMES.length]
  if (outcome === undefined || buffer.length < HASHES_AT) throw new SyntaxError(`the receipt ${id} is garbled`)
  const fields: Fields = JSON.parse(buffer.toString('utf8', HASHES_AT + HASH_BYTES * buffer.readUInt16BE(1)))
  const [client, helo, protocol, tls, from, recipients, recipientsLeftOut, size, auth, virus, spam, labels, reply, ms] =
    fields
  return {
    id,
    at: timestamp(at),
    outcome,
    client: { address: client[0], name: client[1] },
    helo,
    protocol,
    tls: tls && { version: tls[0], cipher: tls[1] },
    from,
    recipients: recipients.map(unpackRecipient),
    recipients_left_out: recipientsLeftOut,
    size_bytes: size,
    auth: auth && unpackAuth(auth),
    virus: virus && { verdict: virus[0], detail: virus[1] },
    spam: spam && { score: spam[0], verdict: spam[1], reasons: spam[2] },
    labels,
    reply: reply && unpackReply(reply),
    duration_ms: ms,
  }
}

export function isAccepted(bytes: Uint8Array): boolean {
  return bytes[0] === OUTCOMES.indexOf('accepted')
}

/** Addresses by which a receipt is found, as keys for comparing. */
export function addressesOf({ from, recipients }: Pick<Receipt, 'from' | 'recipients'>): string[] {
  const all = [from, ...recipients.flatMap(({ address, mailbox }) => [address, mailbox?.address ?? ''])]
  return [...new Set(all.map(addressKey))].filter((address) => address !== '')
}

/** True if a stored receipt probably has an address of this hash: wrong once in millions. */
export function mayHave(bytes: Uint8Array, hash: number): boolean {
  const buffer = asBuffer(bytes)
  const end = buffer.length < HASHES_AT ? 0 : HASHES_AT + HASH_BYTES * buffer.readUInt16BE(1)
  for (let at = HASHES_AT; at < end && at + HASH_BYTES <= buffer.length; at += HASH_BYTES)
    if (buffer.readUInt32BE(at) === hash) return true
  return false
}

/** FNV-1a, 32 bits, over an address as a key for comparing. */
export function hashOfAddress(address: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < address.length; i++) hash = Math.imul(hash ^ address.charCodeAt(i), 0x01000193)
  return hash >>> 0
}

/** `ada@agents.test` for `ada+news@agents.test`. */
export function withoutTag(address: string): string {
  const at = address.lastIndexOf('@')
  const plus = address.indexOf('+')
  return plus === -1 || plus > at ? address : address.slice(0, plus) + address.slice(at)
}

function hashesOf(receipt: Receipt): number[] {
  const addresses = addressesOf(receipt)
  return [...new Set([...addresses, ...addresses.map(withoutTag)].map(hashOfAddress))]
}

function packRecipient({ address, mailbox, refusal }: ReceiptRecipient): PackedRecipient {
  const ofMailbox = mailbox === null || mailbox.address === address ? '' : mailbox.address
  if (refusal) return [address, mailbox?.id ?? null, ofMailbox, packReply(refusal)]
  return ofMailbox === '' ? [address, mailbox?.id ?? null] : [address, mailbox?.id ?? null, ofMailbox]
}

function unpackRecipient([address, id, ofMailbox = '', refusal]: PackedRecipient): ReceiptRecipient {
  const mailbox = id === null ? null : { id, address: ofMailbox === '' ? address : ofMailbox }
  return { address, mailbox, refusal: refusal ? unpackReply(refusal) : null }
}

function packReply({ code, enhanced, text, reason }: Reply): PackedReply {
  return reason === undefined ? [code, enhanced, text] : [code, enhanced, text, reason]
}

function unpackReply([code, enhanced, text, reason]: PackedReply): Reply {
  return { code, enhanced, text, ...(reason !== undefined && { reason }) }
}

function unpackAuth(values: (string | null)[]): NonNullable<Receipt['auth']> {
  const [spf, spfDomain, dkim, dkimDomain, dmarc, dmarcDomain, policy, arc] = values
  return {
    spf: spf ?? '',
    spf_domain: spfDomain ?? null,
    dkim: dkim ?? '',
    dkim_domain: dkimDomain ?? null,
    dmarc: dmarc ?? '',
    dmarc_domain: dmarcDomain ?? null,
    dmarc_policy: policy ?? null,
    arc: arc ?? '',
  }
}
