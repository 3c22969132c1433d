/** A receiving server that answers as a test tells it to, down to dropping the connection in the middle. */
import { createServer, type Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import builtIn from 'smtp-server/lib/tls-options'
import { listenAnywhere } from '../ports.js'

/** A reply line, `drop` to close without one, or undefined for what a willing server says. */
export type Answer = string | undefined

export interface PeerBehaviour {
  greeting?: () => Answer
  mail?: (line: string) => Answer
  rcpt?: (address: string) => Answer
  /** The reply to the message. */
  data?: () => Answer
  /** The whole line of any command, before all others. */
  command?: (line: string) => Answer
  extensions?: string[]
  /** `works` has a certificate nobody trusts, `refused` answers 454, `broken` speaks no TLS after its 220. */
  starttls?: 'works' | 'refused' | 'broken'
  /** Instead of one nobody trusts. */
  certificate?: { key: string; cert: string }
  /** Holds every reply to a message back until it resolves. */
  hold?: (to: string[]) => Promise<void>
}

export interface PeerMail {
  from: string
  to: string[]
  raw: string
  encrypted: boolean
  /** Number of the connection it came over, from 1. */
  connection: number
  /** When the end of its data was there, and when its 250 was written; milliseconds since the epoch. */
  dataAt: number
  at: number
}

export interface Peer {
  port: number
  mail: PeerMail[]
  /** Every command line, and `<message>` for data. */
  commands: string[]
  connections: number
  /** Connections that are open now. */
  open(): number
  /** Most messages held at once. */
  mostAtOnce: number
  /** Resolves when a message number `n` has been answered. */
  count(n: number): Promise<void>
  close(): Promise<void>
}

/** @param wanted its port; a free one when not given */
export async function startPeer(behaviour: PeerBehaviour = {}, wanted = 0): Promise<Peer> {
  const sockets = new Set<Socket>()
  const waiting: { n: number; done: () => void }[] = []
  let atOnce = 0

  const serve = (socket: Socket, connection: number): void => {
    let stream: Socket = socket
    let pending = ''
    let inData = false
    let from = ''
    let to: string[] = []
    let busy = Promise.resolve()

    const say = (answer: Answer, willing: string): boolean => {
      if (answer === 'drop') {
        stream.destroy()
        return false
      }
      stream.write(`${answer ?? willing}\r\n`)
      return (answer ?? willing) < '4'
    }
    const listen = (source: Socket): void => {
      source.setEncoding('latin1')
      source.on('error', () => source.destroy())
      source.on('data', (text: string) => {
        pending += text
        busy = busy.then(read)
      })
    }
    const read = async (): Promise<void> => {
      for (;;) {
        const end = inData ? pending.indexOf('\r\n.\r\n') + 2 : pending.indexOf('\r\n')
        if (end === (inData ? 1 : -1)) return
        const line = pending.slice(0, end)
        pending = pending.slice(end + (inData ? 3 : 2))
        if (inData) await message(line)
        else command(line)
      }
    }
    const message = async (raw: string): Promise<void> => {
      inData = false
      peer.commands.push('<message>')
      peer.mostAtOnce = Math.max(peer.mostAtOnce, ++atOnce)
      const dataAt = Date.now()
      await behaviour.hold?.(to)
      atOnce--
      if (say(behaviour.data?.(), '250 2.0.0 queued')) {
        const encrypted = stream instanceof TLSSocket
        peer.mail.push({ from, to, raw: raw.replace(/^\./gm, ''), encrypted, connection, dataAt, at: Date.now() })
        for (const waiter of waiting) if (peer.mail.length >= waiter.n) waiter.done()
      }
      to = []
    }
    const command = (line: string): void => {
      peer.commands.push(line)
      const special = behaviour.command?.(line)
      if (special !== undefined) return void say(special, '')
      const verb = line.slice(0, 4).toUpperCase()
      const address = /<(.*)>/.exec(line)?.[1] ?? ''
      switch (verb) {
        case 'EHLO': {
          const offers = behaviour.starttls && !(stream instanceof TLSSocket) ? ['STARTTLS'] : []
          const lines = ['peer.test', ...(behaviour.extensions ?? ['PIPELINING', 'SIZE 1000000']), ...offers]
          return void stream.write(lines.map((text, i) => `250${i < lines.length - 1 ? '-' : ' '}${text}\r\n`).join(''))
        }
        case 'STAR':
          if (behaviour.starttls === 'refused') return void say('454 4.7.0 not now', '')
          stream.write('220 go ahead\r\n')
          if (behaviour.starttls === 'broken') return void stream.write('what is TLS?\r\n')
          socket.removeAllListeners('data')
          stream = new TLSSocket(socket, { isServer: true, ...builtIn(), ...behaviour.certificate })
          return listen(stream)
        case 'MAIL':
          if (say(behaviour.mail?.(line), '250 2.1.0 ok')) from = address
          return
        case 'RCPT':
          if (say(behaviour.rcpt?.(address), '250 2.1.5 ok')) to.push(address)
          return
        case 'DATA':
          inData = say(to.length === 0 ? '503 5.5.1 nobody to send to' : undefined, '354 go ahead')
          return
        case 'RSET':
          to = []
          return void say(undefined, '250 2.0.0 ok')
        case 'QUIT':
          say(undefined, '221 2.0.0 bye')
          return void stream.end()
        default:
          return void say('500 5.5.1 what?', '')
      }
    }
    listen(socket)
    say(behaviour.greeting?.(), '220 peer.test ESMTP')
  }

  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    serve(socket, ++peer.connections)
  })
  const port = await listenAnywhere(server, wanted)
  const peer: Peer = {
    port,
    mail: [],
    commands: [],
    connections: 0,
    open: () => sockets.size,
    mostAtOnce: 0,
    count: (n) => (peer.mail.length >= n ? Promise.resolve() : new Promise((done) => waiting.push({ n, done }))),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
  return peer
}
