/** An IMAP client that does next to nothing with what it gets, so that a bench measures the server: it knows where a response ends, and no more. */
import { once } from 'node:events'
import type { Duplex } from 'node:stream'
import { connect } from 'node:tls'
import { constants, createDeflateRaw, createInflateRaw } from 'node:zlib'

export interface Account {
  port: number
  ca: string
  host: string
  user: string
  password: string
}

export interface ImapClient {
  /** Sends a command with a tag of its own. @returns all that came until its completion @throws if it is not OK */
  ask(...command: (string | Buffer)[]): Promise<string>
  /** Sends it, and does not wait for its completion. @returns its tag */
  send(...command: (string | Buffer)[]): string
  /** Resolves with all that came, once it has the text. */
  until(text: string): Promise<string>
  /** Drops what has come so far. */
  forget(): void
  /** Goes on compressed (RFC 4978). */
  compress(): Promise<void>
  close(): void
}

/** Signed in. */
export async function openImap({ port, ca, host, user, password }: Account): Promise<ImapClient> {
  const socket = connect({ port, host: '127.0.0.1', ca, servername: host })
  let from: Duplex = socket
  let to: Duplex = socket
  let chunks: Buffer[] = []
  let tag = 0
  let wake: () => void = () => undefined
  let problem: Error | undefined
  const listen = (): void => {
    from.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      wake()
    })
  }
  const failed = (error: Error): void => {
    problem ??= error
    wake()
  }
  socket.on('error', failed).on('close', () => failed(new Error('the connection is closed')))
  await once(socket, 'secureConnect')
  listen()

  /** What has come, once its end fits. */
  async function heard(isAll: (end: string) => boolean): Promise<string> {
    for (;;) {
      const last = Buffer.concat(chunks.slice(-4)).toString('latin1')
      if (isAll(last)) {
        const text = Buffer.concat(chunks).toString('latin1')
        chunks = []
        return text
      }
      if (problem) throw problem
      await new Promise<void>((resolve) => (wake = resolve))
    }
  }
  const send: ImapClient['send'] = (...command) => {
    const name = `a${++tag}`
    to.write(Buffer.concat([`${name} `, ...command, '\r\n'].map((each) => Buffer.from(each))))
    return name
  }
  const client: ImapClient = {
    send,
    async ask(...command) {
      const name = send(...command)
      const completion = new RegExp(`(?:^|\n)${name} (?:OK|NO|BAD)[^\n]*\n$`)
      const text = await heard((end) => completion.test(end.slice(-1000)))
      if (!text.includes(`${name} OK`)) throw new Error(`${String(command[0])}: ${text.slice(-500)}`)
      return text
    },
    until: (text) => heard((end) => end.includes(text)),
    forget: () => void (chunks = []),
    async compress() {
      await client.ask('COMPRESS DEFLATE')
      const inflate = createInflateRaw({ windowBits: 15, chunkSize: 1024 })
      const deflate = createDeflateRaw({ flush: constants.Z_SYNC_FLUSH, windowBits: 9, memLevel: 1, chunkSize: 1024 })
      socket.removeAllListeners('data')
      deflate.pipe(socket)
      socket.pipe(inflate)
      from = inflate
      to = deflate
      listen()
    },
    close: () => socket.destroy(),
  }
  try {
    await client.until('\n')
    await client.ask(`LOGIN ${user} ${password}`)
  } catch (error) {
    socket.destroy()
    throw error
  }
  return client
}
