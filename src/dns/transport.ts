/**
 * One query to one server: UDP first, TCP if the answer was truncated (RFC 1035 §4.2, RFC 7766 §5).
 *
 * Each query has its own socket, so that the kernel picks a new random source port (RFC 5452 §9.2), and the socket is connected, so that the kernel drops
 * packets from other addresses and reports refused ports at once. The letters of the name are in random case (draft-vixie-dnsext-dns0x20): servers repeat
 * them, and a blind forger has to guess them too. An answer over UDP with another case is ignored, and the query is repeated over TCP.
 */
import { randomBytes, randomInt } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { connect, isIPv6 } from 'node:net'
import dnsPacket, { type DecodedPacket, type RecordType } from 'dns-packet'
import { messageOf } from '../lib/thrown.js'

export interface Server {
  host: string
  port: number
  /** Trusted validating resolver: its AD bit counts (RFC 4035 §4.9.3). */
  validates?: boolean
}

/** A failed query: a time-out, a refused connection, an unreadable message. */
export class ExchangeError extends Error {}

const HEADER_BYTES = 12
const TRUNCATED = 0x02
const AUTHENTIC_DATA = 0x20
// RFC 6891 §6.2.5, and the size that never fragments (DNS Flag Day 2020).
const UDP_PAYLOAD_BYTES = 1232
const RCODE_FORMERR = 1
const RCODE_NOTIMP = 4

/**
 * @param signal ends the exchange; its socket is closed
 * @returns the decoded answer, whatever its code, its length in octets, and if a validating server marks it authentic
 * @throws ExchangeError
 */
export async function exchange(
  server: Server,
  name: string,
  type: RecordType,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<{ packet: DecodedPacket; bytes: number; rcode: number; authentic: boolean }> {
  const deadline = performance.now() + timeoutMs
  const validates = server.validates === true
  const asked = mixedCase(name)
  let query = encodeQuery(asked, type, { edns: true, validates })
  let message = await overUdp(server, query, name, timeoutMs, signal)
  if (rcodeOf(message) === RCODE_FORMERR || rcodeOf(message) === RCODE_NOTIMP) {
    // RFC 6891 §7: a server from before EDNS0.
    query = encodeQuery(asked, type, { edns: false, validates })
    message = await overUdp(server, query, name, deadline - performance.now(), signal)
  }
  if (((message[2] ?? 0) & TRUNCATED) !== 0 || !repeatsCase(message, query, name)) {
    message = await overTcp(server, query, name, deadline - performance.now(), signal)
  }
  const authentic = validates && ((message[3] ?? 0) & AUTHENTIC_DATA) !== 0
  return { packet: decode(message), bytes: message.length, rcode: rcodeOf(message), authentic }
}

/** Randomizes the case of each letter of a lower-case name. */
function mixedCase(name: string): string {
  const bits = randomBytes(Math.ceil(name.length / 8))
  return name.replace(/[a-z]/g, (letter, at: number) =>
    ((bits[at >> 3] ?? 0) >> (at & 7)) & 1 ? letter.toUpperCase() : letter,
  )
}

/** True also for an answer without a question, which is only an error. */
function repeatsCase(message: Buffer, query: Buffer, name: string): boolean {
  const end = questionEnd(name)
  return message.readUInt16BE(4) === 0 || message.subarray(HEADER_BYTES, end).equals(query.subarray(HEADER_BYTES, end))
}

function encodeQuery(
  name: string,
  type: RecordType,
  { edns, validates }: { edns: boolean; validates: boolean },
): Buffer {
  return dnsPacket.encode({
    type: 'query',
    id: randomInt(0x10000),
    // RFC 6840 §5.7: AD in a query requests AD in the answer, without the signatures that DO would add.
    flags: dnsPacket.RECURSION_DESIRED | (validates ? AUTHENTIC_DATA : 0),
    questions: [{ type, name, class: 'IN' }],
    additionals: edns
      ? [
          {
            type: 'OPT',
            name: '.',
            udpPayloadSize: UDP_PAYLOAD_BYTES,
            extendedRcode: 0,
            ednsVersion: 0,
            flags: 0,
            flag_do: false,
            options: [],
          },
        ]
      : [],
  })
}

function overUdp(server: Server, query: Buffer, name: string, timeoutMs: number, signal: AbortSignal): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const socket = createSocket(isIPv6(server.host) ? 'udp6' : 'udp4')
    const finish = settleOnce(timeoutMs, signal, () => socket.close(), reject)
    socket.on('error', (error) => finish(() => reject(new ExchangeError(error.message))))
    socket.on('message', (message) => {
      // A late or forged answer. The right one may still come.
      if (!answers(message, query, name)) return
      finish(() => resolve(message))
    })
    socket.connect(server.port, server.host, (error?: Error) => {
      if (error) finish(() => reject(new ExchangeError(error.message)))
      else socket.send(query)
    })
  })
}

function overTcp(server: Server, query: Buffer, name: string, timeoutMs: number, signal: AbortSignal): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const socket = connect(server.port, server.host)
    const finish = settleOnce(timeoutMs, signal, () => socket.destroy(), reject)
    const fail = (reason: string): void => finish(() => reject(new ExchangeError(reason)))
    const received: Buffer[] = []
    let length = 0
    // The length prefix may arrive in two pieces.
    let end = Infinity
    socket.on('error', (error) => fail(error.message))
    socket.on('close', () => fail('the connection was closed before the answer'))
    socket.on('connect', () => {
      const framed = Buffer.alloc(2 + query.length)
      framed.writeUInt16BE(query.length)
      query.copy(framed, 2)
      socket.write(framed)
    })
    socket.on('data', (chunk) => {
      received.push(chunk)
      length += chunk.length
      if (length < 2) return
      if (end === Infinity) end = 2 + Buffer.concat(received).readUInt16BE(0)
      if (length < end) return
      const message = Buffer.concat(received).subarray(2, end)
      if (answers(message, query, name)) finish(() => resolve(message))
      else fail('the answer is not to the question')
    })
  })
}

/** Runs only the first outcome, including time-out and abort, after closing the socket and the timer. */
function settleOnce(
  timeoutMs: number,
  signal: AbortSignal,
  close: () => void,
  reject: (error: Error) => void,
): (outcome: () => void) => void {
  let settled = false
  const finish = (outcome: () => void): void => {
    if (settled) return
    settled = true
    clearTimeout(timer)
    signal.removeEventListener('abort', aborted)
    close()
    outcome()
  }
  const aborted = (): void => finish(() => reject(new ExchangeError('closed')))
  const timer = setTimeout(() => finish(() => reject(new ExchangeError('timed out'))), Math.max(0, timeoutMs))
  signal.addEventListener('abort', aborted)
  return finish
}

/**
 * RFC 5452 §9.1: an answer needs our id and our question. The echoed question can't be compressed, since no name precedes it, so its octets are compared
 * directly, ignoring case.
 */
function answers(message: Buffer, query: Buffer, name: string): boolean {
  if (message.length < HEADER_BYTES || message.readUInt16BE(0) !== query.readUInt16BE(0)) return false
  const isResponse = ((message[2] ?? 0) & 0x80) !== 0
  if (!isResponse) return false
  // A server that couldn't parse the question need not repeat it.
  if (message.readUInt16BE(4) === 0) return rcodeOf(message) === RCODE_FORMERR
  const end = questionEnd(name)
  return question(message, end) === question(query, end)
}

function questionEnd(name: string): number {
  return HEADER_BYTES + name.length + 2 + 4
}

function question(message: Buffer, end: number): string {
  return message.toString('latin1', HEADER_BYTES, end).toLowerCase()
}

function rcodeOf(message: Buffer): number {
  return (message[3] ?? 0) & 0x0f
}

function decode(message: Buffer): DecodedPacket {
  try {
    return dnsPacket.decode(message)
  } catch (error) {
    throw new ExchangeError(`unreadable answer: ${messageOf(error)}`)
  }
}
