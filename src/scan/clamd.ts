/** Client for clamd (clamd(8)): reused sessions (`IDSESSION`), `INSTREAM` and `VERSION`. The reasons: docs/decisions/mail-in/scan.md. */
import { connect, type Socket } from 'node:net'
import { once } from 'node:events'
import { messageOf } from '../lib/thrown.js'
import { parseHostPort } from '../lib/host-port.js'

export type Target = { path: string } | { host: string; port: number }

/** No connection could be made. */
export class AwayError extends Error {}

/** The session was closed before any reply; on an idle session that says nothing about the message. */
class ClosedError extends Error {}

const CHUNK_BYTES = 64 * 1024
const MAX_REPLY_BYTES = 4096
const END_OF_STREAM = Buffer.alloc(4)
/** Replies after which a session continues; after others clamd closes it, or is about to. */
const VERDICT = /^stream: (?:OK|.+ FOUND)$/

/** @throws Error when the address is neither a path nor `host:port` */
export function parseTarget(address: string): Target {
  if (address.startsWith('/') || address.startsWith('./')) return { path: address }
  const target = parseHostPort(address)
  if (target !== undefined) return target
  throw new Error(
    `Not an address of clamd: "${address}". Give a socket path, such as "/run/clamav/clamd.ctl", or "host:port".`,
  )
}

interface Session {
  socket: Socket
  requests: number
  /** The next NUL-terminated reply. */
  reply(): Promise<string>
}

/**
 * @param idleMs max idle time of a session; less than clamd's IdleTimeout (30 s)
 * @param maxUses max messages per session
 */
export function createClamd({ target, idleMs, maxUses }: { target: Target; idleMs: number; maxUses: number }) {
  const idle: Session[] = []
  // Replacements for clamd often support INSTREAM only.
  let knowsSessions = false
  let isClosed = false

  function keep(session: Session): void {
    const { socket } = session
    if (isClosed || session.requests >= maxUses) {
      socket.end('zEND\0')
      return
    }
    socket.setTimeout(idleMs, () => socket.destroy())
    socket.unref()
    idle.push(session)
  }

  function takeIdle(): Session | undefined {
    const session = idle.pop()
    session?.socket.setTimeout(0).removeAllListeners('timeout').ref()
    return session
  }

  async function open(signal: AbortSignal): Promise<Session> {
    const socket = connect(target)
    const session = sessionOn(socket)
    socket.once('close', () => {
      const at = idle.indexOf(session)
      if (at !== -1) idle.splice(at, 1)
    })
    try {
      await stoppedBy(signal, socket, once(socket, 'connect'))
    } catch (error) {
      socket.destroy()
      // A deadline during the connect means that clamd may be running but too busy to accept.
      throw signal.aborted ? error : new AwayError(messageOf(error))
    }
    socket.setNoDelay(true)
    return session
  }

  async function scanInSession(session: Session, raw: Buffer, signal: AbortSignal): Promise<string> {
    const { socket } = session
    const number = ++session.requests
    if (number === 1) socket.write('zIDSESSION\0')
    const { reply, isSent } = await exchange(session, raw, signal)
    const answer = withoutNumber(reply, number)
    if (answer === undefined) {
      socket.destroy()
      throw new Error(`clamd replied to another request than number ${number}`)
    }
    if (isSent && VERDICT.test(answer)) keep(session)
    else socket.destroy()
    return answer
  }

  async function scanAlone(raw: Buffer, signal: AbortSignal): Promise<string> {
    const session = await open(signal)
    try {
      return (await exchange(session, raw, signal)).reply
    } finally {
      session.socket.destroy()
    }
  }

  return {
    /** The reply of clamd, without the request's number. @throws Error; AwayError when there is no connection */
    async scan(raw: Buffer, signal: AbortSignal): Promise<string> {
      if (!knowsSessions) return scanAlone(raw, signal)
      const kept = takeIdle()
      try {
        if (kept) return await scanInSession(kept, raw, signal)
      } catch (error) {
        // Closed while idle.
        if (!(error instanceof ClosedError) || signal.aborted) throw error
      }
      return scanInSession(await open(signal), raw, signal)
    },
    /** clamd's version; detects support for sessions, without which each message has its own connection. @throws as `scan` */
    async version(signal: AbortSignal): Promise<string> {
      knowsSessions = false
      const session = await open(signal)
      try {
        const reply = session.reply()
        session.socket.write('zIDSESSION\0zVERSION\0')
        const text = await stoppedBy(signal, session.socket, reply)
        const version = withoutNumber(text, 1)
        knowsSessions = version !== undefined
        return version ?? text
      } finally {
        session.socket.destroy()
      }
    },
    close(): void {
      isClosed = true
      for (const session of idle.splice(0)) session.socket.destroy()
    },
  }
}

/** Sends a message and waits for the reply. A failure closes the connection. */
async function exchange(
  { socket, reply: nextReply }: Session,
  raw: Buffer,
  signal: AbortSignal,
): Promise<{ reply: string; isSent: boolean }> {
  const coming = nextReply()
  // Awaited below; a failure while the message is being sent must not count as unhandled.
  coming.catch(() => undefined)
  const work = sendMessage(socket, raw, coming).then(async (isSent) => ({ reply: await coming, isSent }))
  try {
    return await stoppedBy(signal, socket, work)
  } catch (error) {
    socket.destroy()
    throw error
  }
}

/** The signal closes the connection, which ends the work on it. */
async function stoppedBy<T>(signal: AbortSignal, socket: Socket, work: Promise<T>): Promise<T> {
  const stop = (): void => {
    socket.destroy(signal.reason instanceof Error ? signal.reason : new Error('cancelled'))
  }
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop, { once: true })
  try {
    return await work
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

/** In a session each reply begins with the number of its request; undefined for another number, which would be another message's verdict. */
function withoutNumber(reply: string, number: number): string | undefined {
  const prefix = `${number}: `
  return reply.startsWith(prefix) ? reply.slice(prefix.length) : undefined
}

/** Reads replies, one request at a time; an unsolicited reply ends the session. */
function sessionOn(socket: Socket): Session {
  let buffered = ''
  let failure: Error | undefined
  let waiting: { resolve: (reply: string) => void; reject: (error: Error) => void } | undefined

  const fail = (error: Error): void => {
    failure ??= error
    waiting?.reject(failure)
    waiting = undefined
    socket.destroy()
  }
  socket.setEncoding('latin1')
  socket.on('data', (text: string) => {
    if (!waiting) return fail(new Error('clamd sent an unsolicited reply'))
    buffered += text
    const end = buffered.indexOf('\0')
    if (end === -1) {
      if (buffered.length > MAX_REPLY_BYTES) fail(new Error('the reply of clamd does not end'))
      return
    }
    const { resolve } = waiting
    waiting = undefined
    resolve(buffered.slice(0, end))
    if (end + 1 < buffered.length) fail(new Error('clamd sent more than one reply'))
    buffered = ''
  })
  socket.on('error', (error) => fail(isHangUp(error) && buffered === '' ? new ClosedError(error.message) : error))
  socket.on('close', () => {
    const reason = 'clamd closed the connection without a reply'
    fail(buffered === '' ? new ClosedError(reason) : new Error(reason))
  })
  return {
    socket,
    requests: 0,
    reply: () =>
      new Promise((resolve, reject) => {
        if (failure) reject(failure)
        else waiting = { resolve, reject }
      }),
  }
}

function isHangUp(error: NodeJS.ErrnoException): boolean {
  return error.code === 'EPIPE' || error.code === 'ECONNRESET'
}

/** Sends the message as chunks with their lengths in 32 bits, and a final 0. @returns false when clamd replied before the end: it reads no further */
async function sendMessage(socket: Socket, raw: Buffer, reply: Promise<string>): Promise<boolean> {
  const answered = reply.then(
    () => true,
    () => true,
  )
  // One system call for a message that fits into the socket's buffer.
  socket.cork()
  process.nextTick(() => socket.uncork())
  socket.write('zINSTREAM\0')
  for (let from = 0; from < raw.length; from += CHUNK_BYTES) {
    const chunk = raw.subarray(from, from + CHUNK_BYTES)
    socket.write(lengthOf(chunk.length))
    if (!socket.write(chunk) && (await Promise.race([answered, drained(socket)]))) return false
  }
  socket.write(END_OF_STREAM)
  return true
}

/** Resolves to false when the socket drains before a reply. A socket failure appears in the reply. */
function drained(socket: Socket): Promise<false> {
  return new Promise((resolve) => socket.once('drain', () => resolve(false)))
}

function lengthOf(octets: number): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(octets)
  return length
}
