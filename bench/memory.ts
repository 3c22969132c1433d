/** Memory of 500 sessions that wait, and its peak while 20 messages of 25 MB arrive at once, each with one attachment, as the sum of a busy minute. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { randomBytes } from 'node:crypto'
import { approvedAgent } from '../test/support/agent.js'
import { UNUSED_MS } from '../src/smtp/memory-pool.js'
import { startDaemon } from '../test/support/daemon.js'
import { forgetPeak, peakKilobytes, residentKilobytes } from './processes/process.js'
import { lengthOf, roundsOf } from './support/length.js'
import { table, type Row } from './support/table.js'

const MESSAGES = lengthOf(20, 4)
const MIB = 1024 * 1024
/** Just under the default limit of 25 MiB. */
const MESSAGE_BYTES = 25 * MIB - 64 * 1024
const ROUNDS = roundsOf(3)
const TO = 'bench.agent@agents.test'
const PIECE_BYTES = 256 * 1024
/** A deferred message comes again, as a sender's queue would send it. */
const MAX_TRIES = 200
/** As many as `smtp.max_connections` allows by default. */
const SESSIONS = lengthOf(500, 50)
const SESSIONS_AT_ONCE = 50
/** Until an idle daemon has given memory back that its start needed (lib/memory/young-space.ts). */
const SETTLED_MS = lengthOf(30_000, 500)
const COME_AGAIN_MS = 2000

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

function largeMessage(): Buffer {
  const head = [
    'From: bob@peer.example',
    `To: ${TO}`,
    'Subject: the film',
    'Message-ID: <film@peer.example>',
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary=b',
    '',
    '--b',
    'Content-Type: text/plain',
    '',
    'Here it is.',
    '--b',
    'Content-Type: video/mp4',
    'Content-Transfer-Encoding: base64',
    'Content-Disposition: attachment; filename=film.mp4',
    '',
    '',
  ].join('\r\n')
  const lines = Math.floor((MESSAGE_BYTES - head.length - 16) / 78)
  const line = 76
  const encoded = randomBytes((lines * line * 3) / 4).toString('base64')
  const body = encoded.replace(/.{76}/g, '$&\r\n')
  return Buffer.from(`${head}${body}--b--\r\n`, 'latin1')
}

/** @returns the reply to the message, or the one that stopped it */
async function send(port: number, n: number, data: Buffer): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1', localAddress: `127.${10 + n}.0.1` })
  socket.setEncoding('latin1')
  let heard = ''
  const waiting: (() => void)[] = []
  socket.on('data', (text: string) => {
    heard += text
    for (const wake of waiting.splice(0)) wake()
  })
  socket.on('error', () => socket.destroy())
  socket.on('close', () => {
    for (const wake of waiting.splice(0)) wake()
  })
  const reply = async (): Promise<string> => {
    for (;;) {
      const found = /^(?:\d{3}-.*\r\n)*(\d{3} .*)\r\n/.exec(heard)
      if (found) {
        heard = heard.slice(found[0].length)
        return found[1] ?? ''
      }
      if (socket.destroyed) return '000 the connection ended'
      await new Promise<void>((resolve) => waiting.push(resolve))
    }
  }
  try {
    await reply()
    for (const line of [
      'EHLO a.example',
      `MAIL FROM:<bob@peer.example> SIZE=${data.length}`,
      `RCPT TO:<${TO}>`,
      'DATA',
    ]) {
      socket.write(`${line}\r\n`)
      const answer = await reply()
      if (answer >= '4' || answer.startsWith('000')) return answer
    }
    for (let at = 0; at < data.length && !socket.destroyed; at += PIECE_BYTES) {
      await new Promise((written) => socket.write(data.subarray(at, at + PIECE_BYTES), written))
    }
    socket.write('.\r\n')
    return await reply()
  } finally {
    socket.destroy()
  }
}

async function sendUntilTaken(port: number, n: number, data: Buffer): Promise<{ reply: string; tries: number }> {
  for (let tries = 1; ; tries++) {
    const reply = await send(port, n, data)
    if (!reply.startsWith('4') || tries === MAX_TRIES) return { reply, tries }
    await wait(COME_AGAIN_MS)
  }
}

/** Greeted, and silent from then on; from a network of its own. */
async function idleSession(port: number, n: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', localAddress: `127.${200 + (n >> 8)}.${n & 255}.1` })
  socket.on('error', () => socket.destroy())
  await once(socket, 'data')
  socket.write('EHLO idle.example\r\n')
  const [reply] = await once(socket, 'data')
  if (!String(reply).startsWith('250')) throw new Error(`session ${n}: ${String(reply)}`)
  return socket
}

async function idleSessions(): Promise<string> {
  const daemon = await startDaemon()
  const sessions: Socket[] = []
  try {
    const pid = daemon.pid()
    await wait(SETTLED_MS)
    const before = await residentKilobytes(pid)
    for (let n = 0; n < SESSIONS; n += SESSIONS_AT_ONCE) {
      const some = Array.from({ length: SESSIONS_AT_ONCE }, (_, i) => idleSession(daemon.smtpPort, n + i))
      sessions.push(...(await Promise.all(some)))
    }
    await wait(SETTLED_MS)
    const over = (await residentKilobytes(pid)) - before
    if (sessions.some((socket) => socket.destroyed)) throw new Error('a session ended before its time')
    return table(`Memory: ${SESSIONS} idle SMTP sessions`, [
      { what: 'idle', value: `${(before / 1024).toFixed(0)} MiB` },
      { what: 'over idle', value: `${(over / 1024).toFixed(1)} MiB` },
      { what: 'for each session', value: `${(over / SESSIONS).toFixed(1)} KB` },
    ])
  } finally {
    for (const socket of sessions) socket.destroy()
    await daemon.remove()
  }
}

export const memory = async (): Promise<string> => `${await idleSessions()}\n${await largeMessages()}`

async function largeMessages(): Promise<string> {
  const daemon = await startDaemon({ 'limits.storage_bytes': String(8 * 1024 * MIB) })
  try {
    const agent = await approvedAgent(daemon, 'bench.agent')
    const data = largeMessage()
    const pid = daemon.pid()
    await wait(SETTLED_MS)
    const idle = await residentKilobytes(pid)
    const peaks: number[] = []
    let deferred = 0
    let seconds = 0
    for (let round = 0; round < ROUNDS; round++) {
      await forgetPeak(pid)
      const begun = performance.now()
      const sent = await Promise.all(
        Array.from({ length: MESSAGES }, (_, n) => sendUntilTaken(daemon.smtpPort, n, data)),
      )
      seconds = (performance.now() - begun) / 1000
      const lost = sent.filter(({ reply }) => !reply.startsWith('250'))
      if (lost.length > 0) throw new Error(lost.map(({ reply }) => reply).join('\n'))
      deferred += sent.reduce((sum, { tries }) => sum + tries - 1, 0)
      peaks.push(((await peakKilobytes(pid)) - idle) / 1024)
    }
    const stored = (await agent.call('GET', '/v1/account/usage')).body.messages.received
    if (stored !== MESSAGES * ROUNDS) throw new Error(`${stored} messages stored of ${MESSAGES * ROUNDS}`)
    const left = ((await residentKilobytes(pid)) - idle) / 1024
    await wait(lengthOf(2.5 * UNUSED_MS, 0))
    const leftLater = ((await residentKilobytes(pid)) - idle) / 1024
    const rows: Row[] = [
      { what: 'peak over idle, each round', value: peaks.map((peak) => `${peak.toFixed(0)} MiB`).join(', ') },
      { what: 'idle', value: `${(idle / 1024).toFixed(0)} MiB` },
      { what: 'left over idle after the last', value: `${left.toFixed(0)} MiB` },
      { what: `the same, ${(2.5 * UNUSED_MS) / 1000} s later`, value: `${leftLater.toFixed(0)} MiB` },
      { what: 'all accepted within (last round)', value: `${seconds.toFixed(1)} s` },
      { what: 'answers 4xx on the way, all rounds', value: String(deferred) },
    ]
    const megabytes = (data.length / 1e6).toFixed(1)
    return table(
      `Memory: ${MESSAGES} messages of ${megabytes} MB at once, ${ROUNDS} rounds, all stored in the end`,
      rows,
    )
  } finally {
    await daemon.remove()
  }
}
