/** A mail server that keeps what comes, and can be told to misbehave. */
import { once } from 'node:events'
import { SMTPServer } from 'smtp-server'

export interface Received {
  from: string
  to: string[]
  raw: Buffer
}

export interface Sink {
  port: number
  mail: Received[]
  /** Resolves when so many messages have come. */
  count(n: number): Promise<void>
  close(): Promise<void>
}

/** @param refuse for a recipient: the reply code to refuse it with, or undefined to take it */
export async function startSink(refuse: (recipient: string) => number | undefined = () => undefined): Promise<Sink> {
  const mail: Received[] = []
  const waiting: { n: number; done: () => void }[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    logger: false,
    onRcptTo(address, _session, done) {
      const code = refuse(address.address)
      if (code === undefined) return done()
      done(Object.assign(new Error(code >= 500 ? '5.1.1 no such user' : '4.2.1 not now'), { responseCode: code }))
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const from = session.envelope.mailFrom ? session.envelope.mailFrom.address : ''
        mail.push({ from, to: session.envelope.rcptTo.map((r) => r.address), raw: Buffer.concat(chunks) })
        done()
        for (const waiter of waiting) if (mail.length >= waiter.n) waiter.done()
      })
    },
  })
  server.on('error', () => undefined)
  const listener = server.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const address = listener.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    port: address.port,
    mail,
    count: (n) => (mail.length >= n ? Promise.resolve() : new Promise((resolve) => waiting.push({ n, done: resolve }))),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
