/** The process of `bench/support/load.ts`. One reply at a time is waited for, with MAIL, RCPT and DATA in one packet (RFC 2920), as a relay sends. */
import { connect, type Socket } from 'node:net'
import type { Batch, Order, Pour, Poured, Report } from '../support/load.js'
import { createWriter, SENDER_DOMAIN, signer } from '../support/messages.js'

/** Each connection comes from a network of its own, as strangers do: limits for one client are not what is measured here. */
const sourceAddress = (connection: number): string => `127.${10 + (connection >> 8)}.${connection & 255}.1`
/** Signatures at work at once, in the thread pool. */
const SIGN_AT_ONCE = 8

export interface Client {
  /** Sends bytes and resolves with the last line of the reply after `skip` others. */
  say(bytes: string | Buffer, skip?: number): Promise<string>
  socket: Socket
}

/** A session that has said EHLO. */
export async function greetedClient(port: number, connection: number): Promise<Client> {
  const socket = connect({ port, host: '127.0.0.1', localAddress: sourceAddress(connection) }).setNoDelay(true)
  let pending = ''
  let left = 0
  let waiter: { resolve: (line: string) => void; reject: (error: Error) => void } | undefined
  socket.setEncoding('latin1')
  socket.on('data', (text: string) => {
    pending += text
    for (let end = pending.indexOf('\n'); end !== -1; end = pending.indexOf('\n')) {
      const line = pending.slice(0, end).trimEnd()
      pending = pending.slice(end + 1)
      // A refused command of the group makes the others meaningless: its reply is the one that counts.
      const refused = line.charAt(0) >= '4'
      if (line.charAt(3) === '-' || (left-- > 0 && !refused)) continue
      waiter?.resolve(line)
      waiter = undefined
    }
  })
  const ended = (): Error => new Error('the server ended the connection')
  socket.on('error', () => socket.destroy())
  socket.on('close', () => waiter?.reject(ended()))
  const reply = (skip: number): Promise<string> =>
    new Promise((resolve, reject) => {
      if (socket.destroyed) return reject(ended())
      left = skip
      waiter = { resolve, reject }
    })
  const client: Client = {
    socket,
    say(bytes, skip = 0) {
      const answer = reply(skip)
      socket.write(bytes)
      return answer
    },
  }
  await reply(0)
  await client.say(`EHLO client.${SENDER_DOMAIN}\r\n`)
  return client
}

interface Outgoing {
  envelope: string
  data: Buffer
}

let batch: Outgoing[] = []

const envelopeTo = (to: string): string => `MAIL FROM:<bounce@${SENDER_DOMAIN}>\r\nRCPT TO:<${to}>\r\nDATA\r\n`

async function write({ seed, messages, bytes, to, pem }: Batch): Promise<Report> {
  const writer = createWriter(seed)
  const sign = pem === undefined ? (message: string) => Promise.resolve(Buffer.from(message)) : signer(pem)
  const envelope = envelopeTo(to)
  batch = []
  for (let n = 0; n < messages; n += SIGN_AT_ONCE) {
    const texts = Array.from({ length: Math.min(SIGN_AT_ONCE, messages - n) }, (_, i) =>
      writer.message(`bench-${seed}-${n + i}`, to, bytes),
    )
    for (const signed of await Promise.all(texts.map(sign))) {
      // No line of it begins with a dot.
      batch.push({ envelope, data: Buffer.concat([signed, Buffer.from('.\r\n')]) })
    }
  }
  return { kind: 'written' }
}

function take(messages: Uint8Array[], to: string): Report {
  const envelope = envelopeTo(to)
  batch = messages.map((message) => {
    // RFC 5321 §4.5.2: a dot at the start of a line is doubled.
    const text = Buffer.from(message).toString('latin1').replace(/^\./gm, '..')
    return { envelope, data: Buffer.from(`${text}${text.endsWith('\r\n') ? '' : '\r\n'}.\r\n`, 'latin1') }
  })
  return { kind: 'written' }
}

async function pour({ port, connections }: Pour): Promise<Report> {
  const clients = await Promise.all(Array.from({ length: connections }, (_, n) => greetedClient(port, n)))
  const poured: Poured = { ms: 0, latenciesMs: [], refused: {} }
  const queue = batch.values()
  const begun = performance.now()
  await Promise.all(
    clients.map(async ({ say }) => {
      for (const { envelope, data } of queue) {
        const from = performance.now()
        const ready = await say(envelope, 2)
        const reply = ready.startsWith('354') ? await say(data) : ready
        poured.latenciesMs.push(performance.now() - from)
        if (reply.startsWith('250')) continue
        poured.refused[reply] = (poured.refused[reply] ?? 0) + 1
        await say('RSET\r\n')
      }
    }),
  )
  poured.ms = performance.now() - begun
  for (const { socket, say } of clients) await say('QUIT\r\n').finally(() => socket.destroy())
  return { kind: 'poured', poured }
}

async function work(order: Order): Promise<Report> {
  if (order.kind === 'write') return write(order.batch)
  if (order.kind === 'take') return take(order.messages, order.to)
  return pour(order.pour)
}

process.on('message', (order: Order) => {
  work(order)
    .catch((error: unknown): Report => ({ kind: 'failed', reason: String(error) }))
    .then((report) => process.send?.(report))
    .catch((error: unknown) => process.emitWarning(String(error)))
})
process.on('disconnect', () => process.exit())
