/** What a receipt may hold at most, and how many of them a stranger may cause: nobody fills the disk by being refused. */
import type { Clock } from '../lib/clock.js'
import { HOUR } from '../lib/clock.js'
import { cut, oneLine } from '../lib/text.js'
import type { Receipt } from './types.js'

/** Refused recipients come first in the list: they are what somebody asks about. */
export const MAX_RECIPIENTS = 100
const MAX_ADDRESS_CHARS = 320
const MAX_TEXT_CHARS = 255
const MAX_REASONS = 30

/** Receipts of attempts that were not accepted: of one network (an IPv4 address, an IPv6 /64) in an hour. */
export const REFUSED_PER_NETWORK_AND_HOUR = 200
/** Of all of them, in bytes: so much at once, and so much more with each hour of the day. Within 30 days that is under a gigabyte. */
const REFUSED_BYTES_AT_ONCE = 8 * 1024 * 1024
const REFUSED_BYTES_PER_HOUR = 1024 * 1024
/** Beyond so many networks an hour only the limit in bytes holds. */
const MAX_NETWORKS = 50_000

/** A receipt whose strings and lists are as long as they may be, and without control characters. */
export function bounded(receipt: Receipt): Receipt {
  const text = (value: string): string => cut(oneLine(value), MAX_TEXT_CHARS)
  const address = (value: string): string => cut(oneLine(value), MAX_ADDRESS_CHARS)
  const { auth, virus, spam } = receipt
  const recipients = [...receipt.recipients]
    .sort((a, b) => Number(b.refusal !== null) - Number(a.refusal !== null))
    .slice(0, MAX_RECIPIENTS)
    .map((recipient) => ({ ...recipient, address: address(recipient.address) }))
  const domain = (value: string | null): string | null => value && text(value)
  return {
    ...receipt,
    client: { address: text(receipt.client.address), name: domain(receipt.client.name) },
    helo: text(receipt.helo),
    from: address(receipt.from),
    recipients,
    recipients_left_out: receipt.recipients_left_out + receipt.recipients.length - recipients.length,
    auth: auth && {
      ...auth,
      spf_domain: domain(auth.spf_domain),
      dkim_domain: domain(auth.dkim_domain),
      dmarc_domain: domain(auth.dmarc_domain),
    },
    virus: virus && { ...virus, detail: domain(virus.detail) },
    spam: spam && { ...spam, reasons: spam.reasons.slice(0, MAX_REASONS).map(text) },
    labels: receipt.labels.slice(0, MAX_REASONS).map(text),
  }
}

/** Bytes that receipts of the not accepted may have on a day, at a time of it. */
export function refusedBytesAllowed(dayStart: number, at: number): number {
  return REFUSED_BYTES_AT_ONCE + Math.max(0, Math.floor((at - dayStart) / HOUR)) * REFUSED_BYTES_PER_HOUR
}

export interface Admission {
  /** Counts an attempt that was not accepted; false when its network has had its receipts for this hour. */
  admit(network: string): boolean
}

export function createAdmission(clock: Clock): Admission {
  const counts = new Map<string, number>()
  let hour = 0
  return {
    admit(network) {
      const now = Math.floor(clock.now() / HOUR)
      if (now !== hour) {
        counts.clear()
        hour = now
      }
      const count = counts.get(network) ?? 0
      if (count >= REFUSED_PER_NETWORK_AND_HOUR) return false
      if (count > 0 || counts.size < MAX_NETWORKS) counts.set(network, count + 1)
      return true
    },
  }
}
