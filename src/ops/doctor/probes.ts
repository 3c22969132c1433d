/** Short probes of other servers, limited in time and size; failures are results. Sends no mail. */
import { connect, isIP, type Socket } from 'node:net'
import { connect as connectTls, type PeerCertificate, type TLSSocket } from 'node:tls'
import { messageOf } from '../../lib/thrown.js'
import { SECOND } from '../../lib/clock.js'
import { sendRequest } from '../../lib/http-client.js'
import type { Greeted } from './network.js'
import type { Asked } from './services.js'
import type { Shown } from './tls.js'

const TIMEOUT_MS = 8 * SECOND
/** For this machine. */
const LOCAL_MS = 2 * SECOND
const MAX_LINE_CHARS = 1000
const MAX_BODY_BYTES = 256 * 1024

export async function isListening(where: { host: string; port: number }): Promise<boolean> {
  const socket = connect(where)
  const found = await bounded(socket, LOCAL_MS, async (open) => {
    await new Promise<void>((resolve) => open.once('connect', resolve))
    return { open: true }
  })
  return 'open' in found
}

/** The first line of a mail server; ends the session with QUIT. */
export async function greet(host: string, port: number, timeoutMs = TIMEOUT_MS): Promise<Greeted> {
  return bounded(connect({ host, port }), timeoutMs, async (socket) => {
    const greeting = await lastLine(socket)
    socket.write('QUIT\r\n')
    return { greeting }
  })
}

/** Certificates of a mail server after STARTTLS. */
export async function showStartTls(
  where: { host: string; port: number },
  name: string,
  timeoutMs = TIMEOUT_MS,
): Promise<Shown> {
  return bounded(connect(where), timeoutMs, async (socket) => {
    await lastLine(socket)
    for (const word of [`EHLO ${name}`, 'STARTTLS']) {
      socket.write(`${word}\r\n`)
      const answer = await lastLine(socket)
      if (!answer.startsWith('2')) return { problem: `${word.split(' ')[0]} is answered with ${answer}` }
    }
    return shownBy(connectTls({ socket, servername: name, rejectUnauthorized: false }))
  })
}

/** Certificates of a TLS server for this name. @param address if already looked up */
export async function showTls(name: string, port: number, address = name, timeoutMs = TIMEOUT_MS): Promise<Shown> {
  const named = isIP(name) === 0 ? { servername: name } : {}
  return bounded(connectTls({ host: address, port, ...named, rejectUnauthorized: false }), timeoutMs, shownBy)
}

/** Fetches a document from an address that was looked up before. @param verify requires a valid certificate */
export async function askHttp(url: string, address: string, verify: boolean, timeoutMs = TIMEOUT_MS): Promise<Asked> {
  try {
    const { status, body, headers } = await sendRequest({
      url: new URL(url),
      address,
      method: 'GET',
      headers: { 'User-Agent': 'restante-doctor', Accept: 'application/json, */*' },
      timeoutMs,
      maxBytes: MAX_BODY_BYTES,
      cutsOff: true,
      verify,
    })
    const date = Date.parse(headers['date'] ?? '')
    return status === 200
      ? { text: body.toString('utf8'), date: Number.isNaN(date) ? undefined : date }
      : { problem: `status ${status}` }
  } catch (error) {
    return { problem: messageOf(error) }
  }
}

export async function shownBy(socket: TLSSocket): Promise<Shown> {
  await new Promise<void>((resolve, reject) => {
    socket.once('secureConnect', resolve).once('error', reject)
  })
  // Empty if there is none, unlike in the library's types.
  const certificate: Partial<PeerCertificate> = socket.getPeerCertificate()
  if (certificate.fingerprint256 === undefined || certificate.valid_to === undefined)
    return { problem: 'it presents no certificate' }
  return {
    wrong: socket.authorized ? undefined : messageOf(socket.authorizationError),
    validTo: Date.parse(certificate.valid_to),
    fingerprint: certificate.fingerprint256,
  }
}

/** Destroys the socket before it resolves. */
export async function bounded<S extends Socket, T extends object>(
  socket: S,
  timeoutMs: number,
  work: (socket: S) => Promise<T>,
): Promise<T | { problem: string }> {
  const timer = setTimeout(() => socket.destroy(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs)
  const failure = new Promise<{ problem: string }>((resolve) => {
    socket.on('error', (error: NodeJS.ErrnoException) =>
      resolve({ problem: error.code === 'ECONNREFUSED' ? 'nothing listens there' : error.message }),
    )
    socket.on('close', () => resolve({ problem: 'the connection was closed' }))
  })
  const working = work(socket).catch((error: unknown) => ({ problem: messageOf(error) }))
  try {
    return await Promise.race([working, failure])
  } finally {
    clearTimeout(timer)
    socket.destroy()
  }
}

/** The last line of a reply, which has a space behind its code (RFC 5321 §4.2.1). */
function lastLine(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    const onData = (chunk: Buffer): void => {
      text += chunk.toString('latin1')
      const line = /(?:^|\n)(\d{3}(?: [^\r\n]*)?)\r?\n$/.exec(text)?.[1]
      if (line === undefined && text.length <= MAX_LINE_CHARS) return
      socket.removeListener('data', onData)
      if (line === undefined) reject(new Error('it does not answer like a mail server'))
      else resolve(line)
    }
    socket.on('data', onData)
    socket.once('close', () => reject(new Error('the connection was closed')))
  })
}
