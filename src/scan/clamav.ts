/**
 * Asking clamd about a message: one connection, one `zINSTREAM` (clamd(8)), one deadline for all of it.
 *
 * Why not with the package clamscan: docs/decisions/scan.md.
 */
import { connect, type Socket } from 'node:net'
import { once } from 'node:events'
import { messageOf } from '../lib/caught.js'
import { parseHostPort } from '../lib/host-port.js'
import { asciiOnly } from '../lib/text.js'
import type { ScanVerdict, Scanner } from './types.js'

export interface ClamavOptions {
  /** Path of a Unix socket, or `host:port`. */
  address: string
  /** From connecting to the last octet of the answer. */
  timeoutMs: number
  /** Longer messages are not sent; clamd's own StreamMaxLength has to reach this far. */
  maxBytes: number
}

const CHUNK_BYTES = 64 * 1024
const MAX_REPLY_BYTES = 4096
/** What clamd names a signature, kept short for logs and SMTP replies. */
const MAX_SIGNATURE_LENGTH = 128

/** @throws Error when the address is neither a path nor `host:port` */
export function createClamavScanner({ address, timeoutMs, maxBytes }: ClamavOptions): Scanner {
  const target = parseAddress(address)
  return {
    enabled: true,
    async scan(raw) {
      if (raw.length > maxBytes) return unscanned(`the message has ${raw.length} octets, more than ${maxBytes}`)
      const socket = connect(target)
      const deadline = setTimeout(() => socket.destroy(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs)
      try {
        const reply = readReply(socket)
        // Waited for below; a failure while the message is being sent must not count as unhandled.
        reply.catch(() => undefined)
        await sendMessage(socket, raw, reply)
        return verdict(await reply)
      } catch (error) {
        return unscanned(messageOf(error))
      } finally {
        clearTimeout(deadline)
        socket.destroy()
      }
    },
  }
}

function parseAddress(address: string): { path: string } | { host: string; port: number } {
  if (address.startsWith('/') || address.startsWith('./')) return { path: address }
  const target = parseHostPort(address)
  if (target !== undefined) return target
  throw new Error(
    `Not an address of clamd: "${address}". Give a socket path, such as "/run/clamav/clamd.ctl", or "host:port".`,
  )
}

/** Sends the message as chunks, each with its length in 32 bits, no faster than clamd takes them, and ends with a length of 0. */
async function sendMessage(socket: Socket, raw: Buffer, reply: Promise<string>): Promise<void> {
  // When clamd answers early, for example about its size limit, it reads no further: then there is nothing to wait for.
  const answered = reply.then(
    () => true,
    () => true,
  )
  const write = async (data: Buffer): Promise<boolean> => {
    if (socket.write(data)) return false
    return Promise.race([answered, once(socket, 'drain').then(() => false)])
  }
  await write(Buffer.from('zINSTREAM\0'))
  for (let from = 0; from < raw.length; from += CHUNK_BYTES) {
    const chunk = raw.subarray(from, from + CHUNK_BYTES)
    socket.write(lengthOf(chunk.length))
    if (await write(chunk)) return
  }
  socket.write(lengthOf(0))
}

function lengthOf(octets: number): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(octets)
  return length
}

/** All that clamd says until its NUL or the end of the connection. */
function readReply(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let reply = ''
    socket.setEncoding('latin1')
    socket.on('data', (text: string) => {
      reply += text
      if (reply.includes('\0')) resolve(reply.slice(0, reply.indexOf('\0')))
      else if (reply.length > MAX_REPLY_BYTES) reject(new Error('the answer of clamd does not end'))
    })
    socket.on('error', reject)
    socket.on('close', () => reject(new Error('clamd closed the connection without an answer')))
  })
}

/** Only these two answers, in full, say something about the message. */
function verdict(reply: string): ScanVerdict {
  if (reply === 'stream: OK') return { virus: 'clean' }
  const signature = /^stream: (.+) FOUND$/.exec(reply)?.[1]
  if (signature !== undefined) return { virus: 'infected', signature: asciiOnly(signature, MAX_SIGNATURE_LENGTH) }
  return unscanned(`clamd answered "${asciiOnly(reply, MAX_SIGNATURE_LENGTH)}"`)
}

function unscanned(reason: string): ScanVerdict {
  return { virus: 'unscanned', reason }
}
