/** What the sender of a message asks of delivery status notifications (RFC 3461), and xtext, in which SMTP writes it (§4). */
import { isAscii } from 'node:buffer'
import { addressKey } from './address.js'

/** RFC 3461 §4.1. */
export type Notify = 'NEVER' | 'SUCCESS' | 'FAILURE' | 'DELAY'
/** RFC 3461 §4.3: how much of the message a notice of its failure returns. */
export type Ret = 'FULL' | 'HDRS'

/** Wishes for one recipient. */
export interface RecipientDsn {
  /** Undefined: as the server does it for all mail. */
  notify?: readonly Notify[] | undefined
  /** RFC 3461 §4.2: `addr-type;address`, decoded. */
  original?: string | undefined
}

/** `isOwn`: the original address is the one that the message goes to. */
interface Wish extends RecipientDsn {
  place: number
  isOwn?: true
}

export interface DsnRequest {
  ret?: Ret | undefined
  /** RFC 3461 §4.4, decoded. */
  envelopeId?: string | undefined
  /** Those with wishes, by their place among the message's recipients. */
  recipients: readonly Wish[]
}

/** As a mail program says it. */
export interface AskedDsn extends Pick<DsnRequest, 'ret' | 'envelopeId'> {
  recipients: readonly (RecipientDsn & { address: string })[]
}

/** What is asked for and no more; undefined if that is nothing. */
export function askedFor({ ret, envelopeId, recipients }: AskedDsn): AskedDsn | undefined {
  const wishes = recipients.filter(({ notify, original }) => notify !== undefined || original !== undefined)
  if (ret === undefined && envelopeId === undefined && wishes.length === 0) return undefined
  return { ret, envelopeId, recipients: wishes }
}

/** In ASCII: the type and the address, as ORCPT and notices name a recipient (RFC 3461 §4.2, RFC 6533 §3). */
export function typedRecipient(address: string): { type: 'rfc822' | 'utf-8'; address: string } {
  return isAscii(Buffer.from(address))
    ? { type: 'rfc822', address }
    : { type: 'utf-8', address: encodeUtf8Address(address) }
}

function ownAddress(address: string): string {
  const typed = typedRecipient(address)
  return `${typed.type};${typed.address}`
}

/** @param recipients all of the message, in its order. @returns undefined if nothing is asked for */
export function dsnRequestOf(asked: AskedDsn | undefined, recipients: readonly string[]): DsnRequest | undefined {
  if (!asked) return undefined
  const places = new Map(recipients.map((address, place) => [addressKey(address), { address, place }]))
  const wishes = asked.recipients.flatMap(({ address: asWritten, notify, original }): Wish[] => {
    const { place, address } = places.get(addressKey(asWritten)) ?? {}
    if (place === undefined || address === undefined || (!notify && original === undefined)) return []
    if (original === ownAddress(address)) return [{ place, notify, isOwn: true }]
    return [{ place, notify, original }]
  })
  const { ret, envelopeId } = asked
  if (ret === undefined && envelopeId === undefined && wishes.length === 0) return undefined
  return { ret, envelopeId, recipients: wishes }
}

/** @param place of the recipient among all of the message */
export function wishesFor(request: DsnRequest | undefined, place: number, address: string): RecipientDsn {
  const wish = request?.recipients.find((one) => one.place === place)
  return { notify: wish?.notify, original: wish?.isOwn ? ownAddress(address) : wish?.original }
}

/** RFC 6533 §3, `utf-8-addr-xtext`. */
function encodeUtf8Address(address: string): string {
  return address.replace(/[^!-*,-<>-[\]-~]/gu, escaped)
}

/** The same of an address that may have such escapes already: of it, only what is beyond ASCII is escaped. */
export function asciiUtf8Address(address: string): string {
  return address.replace(/[^\x00-\x7f]/gu, escaped)
}

const escaped = (char: string): string => `\\x{${(char.codePointAt(0) ?? 0).toString(16).toUpperCase()}}`

/** RFC 3461 §4. @param text printable ASCII */
export function encodeXtext(text: string): string {
  return text.replace(/[^!-*,-<>-~]/g, (char) => `+${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`)
}
