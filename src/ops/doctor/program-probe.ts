/** Asks a port for mail programs as a program does, up to the point where it would send its password. */
import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { SECOND } from '../../lib/clock.js'
import type { ProgramService } from '../../publish/programs/services.js'
import { bounded, shownBy } from './probes.js'
import type { Shown } from './tls.js'

const TIMEOUT_MS = 8 * SECOND
const MAX_REPLY_CHARS = 8000

export type Probed =
  | { problem: string }
  | {
      /** First line of the server. */
      greeting: string
      certificate: Shown
      /** What is offered before TLS; null where TLS comes first. */
      offers: { startTls: boolean; password: boolean } | null
    }

/** Words of the two protocols: the last line of a reply, and what is asked. */
const DIALOGUES = {
  imap: {
    greeting: /^\* (?:OK|PREAUTH|BYE)\b[^\r\n]*\r\n/m,
    capability: () => 'a CAPABILITY\r\n',
    listed: /^a (?:OK|NO|BAD)\b[^\r\n]*\r\n/m,
    startTls: 'b STARTTLS\r\n',
    started: /^b (?:OK|NO|BAD)\b[^\r\n]*\r\n/m,
    // RFC 9051 §6.2.3: without LOGINDISABLED a password is taken.
    takesPassword: (text: string) => !/\bLOGINDISABLED\b/i.test(text) || /\bAUTH=/i.test(text),
  },
  smtp: {
    greeting: /^\d{3} [^\r\n]*\r\n/m,
    capability: (host: string) => `EHLO ${host}\r\n`,
    listed: /^\d{3} [^\r\n]*\r\n/m,
    startTls: 'STARTTLS\r\n',
    started: /^\d{3} [^\r\n]*\r\n/m,
    takesPassword: (text: string) => /^\d{3}[- ]AUTH\b/im.test(text),
  },
} as const

/** @param address of the host, looked up before @param options `ca`: certificates (PEM) to trust in place of those of the platform */
export async function probeProgram(
  { protocol, host, port, security }: ProgramService,
  address: string,
  { timeoutMs = TIMEOUT_MS, ca }: { timeoutMs?: number; ca?: string } = {},
): Promise<Probed> {
  const says = DIALOGUES[protocol]
  const named = { servername: host, rejectUnauthorized: false, ...(ca !== undefined && { ca }) }
  if (security === 'tls') {
    const socket = connectTls({ host: address, port, ...named })
    return bounded(socket, timeoutMs, async (open) => {
      const certificate = await shownBy(open)
      return { greeting: await reply(open, says.greeting), certificate, offers: null }
    })
  }
  return bounded(connect({ host: address, port }), timeoutMs, async (socket) => {
    const greeting = await reply(socket, says.greeting)
    const listed = await asked(socket, says.capability(host), says.listed)
    const offers = { startTls: /\bSTARTTLS\b/i.test(listed), password: says.takesPassword(listed) }
    if (offers.password || !offers.startTls)
      return { greeting, certificate: { problem: 'STARTTLS was not asked for' }, offers }
    await asked(socket, says.startTls, says.started)
    return { greeting, certificate: await shownBy(connectTls({ socket, ...named })), offers }
  })
}

function asked(socket: Socket, line: string, end: RegExp): Promise<string> {
  socket.write(line)
  return reply(socket, end)
}

/** Everything up to the line that ends a reply. */
function reply(socket: Socket, end: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    const onData = (chunk: Buffer): void => {
      text += chunk.toString('latin1')
      const isOver = end.test(text)
      if (!isOver && text.length <= MAX_REPLY_CHARS) return
      socket.removeListener('data', onData)
      if (isOver) resolve(text)
      else reject(new Error('it does not answer like a mail server'))
    }
    socket.on('data', onData)
    socket.once('close', () => reject(new Error('the connection was closed')))
  })
}
