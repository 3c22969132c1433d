/** Mail loops, by the Received fields of a message (RFC 5321 §6.3). */
import { countField, headerLength } from '../../mime/headers.js'

/** More passes through here are a loop: only operator mail is forwarded, once. */
const MAX_OWN_TRACES = 3

/** True after too many hops, or several through this server. */
export function isLooping(raw: Buffer, hostname: string, maxReceived: number): boolean {
  const received = countField(raw, 'received')
  if (received > maxReceived) return true
  return received > MAX_OWN_TRACES && ownTraces(raw, hostname) > MAX_OWN_TRACES
}

function ownTraces(raw: Buffer, hostname: string): number {
  const header = raw.toString('latin1', 0, headerLength(raw)).replace(/\r\n(?=[ \t])/g, '')
  const own = hostname.toLowerCase()
  let count = 0
  for (const line of header.split('\r\n')) {
    const by = /^received:.*?\sby\s+([^\s;()]+)/i.exec(line)?.[1]
    if (by?.toLowerCase() === own) count++
  }
  return count
}
