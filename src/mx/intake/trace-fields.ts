/** Trace fields added to an incoming message (RFC 5321 §4.4, RFC 8601). */
import { addressLiteral } from '../../lib/ip.js'
import { mailDate } from '../../mime/date.js'
import { prependFields, prependInPlace, removeAuthenticationResults } from '../../mime/headers.js'
import { HEADROOM_BYTES } from '../../smtp/message-buffer.js'

export interface Trace {
  /** Reverse-path, '' for the null sender. */
  envelopeFrom: string
  helo: string
  clientAddress: string
  /** Confirmed name of the client; RFC 5321 §4.4 puts it before the address. */
  clientName: string | null
  hostname: string
  /** `ESMTP`, `ESMTPS`, `UTF8SMTP` and so on (RFC 3848, RFC 6531 §4.3). */
  protocol: string
  cipher: { name: string; version: string } | undefined
  id: string
  /** Undefined for several recipients, who must not learn of each other (RFC 5321 §7.2). */
  recipient: string | undefined
  authenticationResults: string
  now: number
}

/** Adds our trace fields, and removes foreign Authentication-Results in our name (RFC 8601 §5). */
export function addTrace(raw: Buffer, trace: Trace): Buffer {
  const fields = [
    `Return-Path: <${trace.envelopeFrom}>`,
    `Authentication-Results: ${trace.authenticationResults}`,
    receivedField(trace),
  ]
  const cleaned = removeAuthenticationResults(raw, trace.hostname)
  // Large messages are in shared memory, with headroom (smtp/message-buffer.ts).
  const hasHeadroom = cleaned === raw && raw.buffer instanceof SharedArrayBuffer
  return (hasHeadroom && prependInPlace(raw, fields, HEADROOM_BYTES)) || prependFields(cleaned, fields, raw)
}

function receivedField(trace: Trace): string {
  const cipher = trace.cipher ? ` (${trace.cipher.version} ${trace.cipher.name})` : ''
  const recipient = trace.recipient === undefined ? '' : `\r\n\tfor <${trace.recipient}>`
  const name = trace.clientName === null ? '' : `${printable(trace.clientName)} `
  return [
    `Received: from ${printable(trace.helo)} (${name}${addressLiteral(trace.clientAddress)})`,
    `\tby ${trace.hostname} with ${trace.protocol} id ${trace.id}${cipher}${recipient};`,
    `\t${mailDate(trace.now)}`,
  ].join('\r\n')
}

/** The client chooses the HELO argument: it must not look like a comment, a folded line or another clause. */
function printable(helo: string): string {
  return helo.replace(/[^A-Za-z0-9._:[\]-]/g, '?').slice(0, 255) || 'unknown'
}
