/**
 * Slow clients: 450 sessions that drip a byte a second into their data, while 50 others deliver. What a dripper costs is memory and a wake-up for
 * each byte; the others should not notice.
 */
import { connect, type Socket } from 'node:net'
import { once } from 'node:events'
import { approvedAgent } from '../test/support/agent.js'
import { startDaemon } from '../test/support/daemon.js'
import { lengthOf, messagesOf, roundsOf } from './support/length.js'
import { startLoad, type Load } from './support/load.js'
import { makeSigningKey, SENDER_DOMAIN } from './support/messages.js'
import { cpuMs, residentKilobytes } from './processes/process.js'
import { benchDns } from './receiver.js'
import { median, percentile, table, type Row } from './support/table.js'

const DRIPPERS = 450
const CONNECTIONS = 50
const MESSAGES = messagesOf(2000, 200)
const ROUNDS = roundsOf(3)
const TO = 'bench.agent@agents.test'
const WATCHED_MS = lengthOf(10_000, 1_000)

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

async function replyTo(socket: Socket, line?: string): Promise<string> {
  if (line !== undefined) socket.write(`${line}\r\n`)
  const [chunk] = await once(socket, 'data')
  return String(chunk)
}

/** A session in the middle of its data, from a network of its own. */
async function slowClient(port: number, n: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', localAddress: `127.${200 + (n >> 8)}.${n & 255}.1` })
  socket.on('error', () => socket.destroy())
  const commands = [
    undefined,
    `EHLO slow.${SENDER_DOMAIN}`,
    `MAIL FROM:<slow@${SENDER_DOMAIN}>`,
    `RCPT TO:<${TO}>`,
    'DATA',
  ]
  for (const line of commands) {
    const reply = await replyTo(socket, line)
    if (reply >= '4') throw new Error(`slow client ${n}: ${reply}`)
  }
  socket.write('From: slow\r\n\r\n')
  return socket
}

interface Round {
  rate: number
  latencies: number[]
}

async function pour(load: Load, port: number): Promise<Round> {
  const { ms, latenciesMs, refused } = await load.pour({ port, connections: CONNECTIONS })
  if (Object.keys(refused).length > 0) throw new Error(JSON.stringify(refused))
  return { rate: (MESSAGES * 1000) / ms, latencies: latenciesMs }
}

/** The index follows its mail: what comes next is measured without it. */
async function untilIdle(pid: number): Promise<void> {
  for (let before = -1, now = await cpuMs(pid); now - before > 100; now = await cpuMs(pid)) {
    before = now
    await wait(1000)
  }
}

export async function slow(): Promise<string> {
  const key = makeSigningKey()
  const dns = await benchDns(key.record)
  const load = startLoad()
  const daemon = await startDaemon({ 'server.dns': dns.address, 'smtp.max_connections': '600' })
  const drippers: Socket[] = []
  let dripping: NodeJS.Timeout | undefined
  try {
    await approvedAgent(daemon, 'bench.agent')
    const pid = daemon.pid()
    await load.write({ seed: 1, messages: MESSAGES, bytes: 4096, to: TO, pem: key.pem })
    await pour(load, daemon.smtpPort)
    const [without, beside]: [Round[], Round[]] = [[], []]
    let sessionKilobytes = 0
    let drippingCpu = 0
    for (let round = 0; round < ROUNDS; round++) {
      without.push(await pour(load, daemon.smtpPort))
      await untilIdle(pid)
      const before = await residentKilobytes(pid)
      for (let n = 0; n < DRIPPERS; n += 50) {
        drippers.push(...(await Promise.all(Array.from({ length: 50 }, (_, i) => slowClient(daemon.smtpPort, n + i)))))
      }
      dripping = setInterval(() => {
        for (const socket of drippers) socket.write('x')
      }, 1000)
      if (round === 0) {
        const cpu = await cpuMs(pid)
        await wait(WATCHED_MS)
        drippingCpu = (await cpuMs(pid)) - cpu
        sessionKilobytes = ((await residentKilobytes(pid)) - before) / DRIPPERS
      }
      beside.push(await pour(load, daemon.smtpPort))
      clearInterval(dripping)
      const cut = drippers.filter((socket) => socket.destroyed).length
      if (cut > 0) throw new Error(`${cut} slow clients were cut before their time`)
      for (const socket of drippers.splice(0)) socket.destroy()
      await wait(500)
    }
    const rates = (rounds: Round[]): number => median(rounds.map((each) => each.rate))
    const ms = (rounds: Round[], share: number): string =>
      `${percentile(
        rounds.flatMap((each) => each.latencies),
        share,
      ).toFixed(0)} ms`
    const rows: Row[] = [
      {
        what: `messages/s of ${CONNECTIONS} clients`,
        value: `${rates(beside).toFixed(0)}/s`,
        beside: `without the slow ones: ${rates(without).toFixed(0)}/s`,
        ratio: (rates(beside) / rates(without)).toFixed(2),
      },
      { what: 'reply to a message, median', value: ms(beside, 0.5), beside: `without: ${ms(without, 0.5)}` },
      { what: 'the same, 99th percentile', value: ms(beside, 0.99), beside: `without: ${ms(without, 0.99)}` },
      { what: 'memory of the daemon for each slow session', value: `${sessionKilobytes.toFixed(0)} KB` },
      { what: `CPU of the daemon over ${WATCHED_MS / 1000} s of dripping alone`, value: `${drippingCpu} ms` },
    ]
    return table(
      `${DRIPPERS + CONNECTIONS} sessions, ${DRIPPERS} of which drip a byte a second (median of ${ROUNDS})`,
      rows,
    )
  } finally {
    clearInterval(dripping)
    for (const socket of drippers) socket.destroy()
    await load.stop()
    await daemon.remove()
    await dns.close()
  }
}
