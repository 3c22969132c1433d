/** Talking SMTP line by line, as with telnet. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'

export interface Dialog {
  /** The reply that comes next, all its lines, without the last line end. Rejects when the connection ends before it. */
  reply(): Promise<string>
  /** Sends a line and waits for its reply. */
  say(line: string): Promise<string>
  /** Sends bytes as they are. */
  write(bytes: string | Buffer): void
  /** Resolves when the connection has ended, from whichever side. */
  closed: Promise<void>
  /** Drops the connection without a word. */
  drop(): void
}

/** @param localAddress where the client comes from; all of 127.0.0.0/8 is this machine */
export async function openDialog(port: number, host = '127.0.0.1', localAddress?: string): Promise<Dialog> {
  const socket = connect({ port, host, ...(localAddress !== undefined && { localAddress }) })
  const dialog = dialogOn(socket)
  await once(socket, 'connect')
  return dialog
}

/** The same over TLS from the first byte, with a server that has a certificate of this authority. */
export async function openTlsDialog(port: number, { ca, name }: { ca: string; name: string }): Promise<Dialog> {
  const socket = connectTls({ port, host: '127.0.0.1', servername: name, ca })
  const dialog = dialogOn(socket)
  await once(socket, 'secureConnect')
  return dialog
}

function dialogOn(socket: Socket): Dialog {
  const replies: string[] = []
  const waiting: { resolve: (reply: string) => void; reject: (error: Error) => void }[] = []
  let pending = ''
  let ended = false
  socket.setEncoding('latin1')
  socket.on('data', (text: string) => {
    pending += text
    for (;;) {
      const reply = /^(?:\d{3}-[^\r\n]*\r\n)*\d{3}(?: [^\r\n]*)?\r\n/.exec(pending)?.[0]
      if (reply === undefined) return
      pending = pending.slice(reply.length)
      const waiter = waiting.shift()
      if (waiter) waiter.resolve(reply.trimEnd())
      else replies.push(reply.trimEnd())
    }
  })
  socket.on('error', () => socket.destroy())
  const closed = new Promise<void>((resolve) => {
    socket.on('close', () => {
      ended = true
      for (const waiter of waiting.splice(0)) waiter.reject(new Error('connection ended before a reply'))
      resolve()
    })
  })

  const dialog: Dialog = {
    reply() {
      const reply = replies.shift()
      if (reply !== undefined) return Promise.resolve(reply)
      if (ended) return Promise.reject(new Error('connection ended before a reply'))
      return new Promise((resolve, reject) => waiting.push({ resolve, reject }))
    },
    say(line) {
      socket.write(`${line}\r\n`)
      return dialog.reply()
    },
    write: (bytes) => void socket.write(bytes),
    closed,
    drop: () => socket.destroy(),
  }
  return dialog
}

/**
 * Holds a conversation written down as `C: …` (said) and `S: …` (the start of the last line of the expected reply).
 *
 * @returns the dialog, still open
 */
export async function follow(port: number, script: string): Promise<Dialog> {
  const dialog = await openDialog(port)
  for (const line of script.split('\n').map((text) => text.trim())) {
    if (line.startsWith('C: ')) dialog.write(`${line.slice(3)}\r\n`)
    if (!line.startsWith('S: ')) continue
    const reply = await dialog.reply()
    const last = reply.slice(reply.lastIndexOf('\n') + 1)
    if (!last.startsWith(line.slice(3))) throw new Error(`expected "${line.slice(3)}", the server said "${last}"`)
  }
  return dialog
}
