/** Size limits of receipts, and limits on receipts caused by strangers, so that refused attempts cannot fill the disk. */
import { type Clock, HOUR } from '../lib/clock.js'
import { cut, oneLine } from '../lib/text.js'
import type { SharedCounts } from '../store/nodes/shared-counts.js'
import type { Receipt } from './types.js'

/** Refused recipients come first in the list, as the ones that people search for. */
export const MAX_RECIPIENTS = 100
const MAX_ADDRESS_CHARS = 320
const MAX_TEXT_CHARS = 255
const MAX_REASONS = 30

/** Max receipts of unaccepted attempts per network (an IPv4 address, an IPv6 /64) and hour. */
export const REFUSED_PER_NETWORK_AND_HOUR = 200
/** Max bytes of all of them: a base, and the same again with each hour of the day. In 30 days that is under a gigabyte. */
const REFUSED_BYTES_AT_ONCE = 8 * 1024 * 1024
const REFUSED_BYTES_PER_HOUR = 1024 * 1024
/** Beyond this many networks per hour only the limit in bytes applies. */
const MAX_NETWORKS = 50_000

/** Cuts strings and lists of a receipt to their limits, and removes control characters. */
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

/** Bytes allowed for receipts of unaccepted attempts by this time of the day. */
export function refusedBytesAllowed(dayStart: number, at: number): number {
  return REFUSED_BYTES_AT_ONCE + Math.max(0, Math.floor((at - dayStart) / HOUR)) * REFUSED_BYTES_PER_HOUR
}

/** @returns counts an unaccepted attempt; false if its network is over its hourly limit */
export function createAdmission(clock: Clock, shared: SharedCounts): (network: string) => boolean {
  const counts = new Map<string, number>()
  let hour = 0
  const countOf = (network: string): number => {
    const now = Math.floor(clock.now() / HOUR)
    if (now !== hour) {
      counts.clear()
      hour = now
    }
    return counts.get(network) ?? 0
  }
  const add = (network: string, attempts: number): void => {
    const count = countOf(network)
    if (count > 0 || counts.size < MAX_NETWORKS) counts.set(network, count + attempts)
  }
  const tell = shared.join('receipts of refused mail', add)
  return (network) => {
    if (countOf(network) >= REFUSED_PER_NETWORK_AND_HOUR) return false
    add(network, 1)
    tell(network, 1)
    return true
  }
}
