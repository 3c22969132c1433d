/** An SMTP server of nothing but the protocol: a handler that a test gives decides. */
import { ManualClock } from '../../src/lib/clock.js'
import { SmtpConnection } from '../../src/smtp/connection.js'
import { Listener } from '../../src/smtp/listener.js'
import { reply } from '../../src/smtp/replies.js'
import type { ConnectionOptions, DataSink, SessionHandler } from '../../src/smtp/session.js'

export const TAKEN = reply(250, '2.0.0', 'taken')

export const TAKE_ALL: SessionHandler = {
  mail: () => undefined,
  mailTooLarge: () => undefined,
  recipient: () => undefined,
  data: () => sink(),
}

export function sink(change: Partial<DataSink> = {}): DataSink {
  return { write: () => undefined, end: async () => TAKEN, abort: () => undefined, ...change }
}

export interface SessionServer {
  port: number
  connections: SmtpConnection[]
  /** What went wrong in them, and how many have ended. */
  failures: Error[]
  closed: () => number
  close(): Promise<void>
}

export async function startSessionServer(
  handler: Partial<SessionHandler> = {},
  options: Partial<ConnectionOptions> = {},
): Promise<SessionServer> {
  const connections: SmtpConnection[] = []
  const failures: Error[] = []
  let closed = 0
  const listener = new Listener(
    [{ host: '127.0.0.1', port: 0 }],
    (socket) => {
      const connection = new SmtpConnection(socket, {
        hostname: 'mx.test',
        maxMessageBytes: 100_000,
        maxRecipients: 3,
        dsn: true,
        idleMs: 60_000,
        tls: () => undefined,
        clock: new ManualClock(),
        ...options,
      })
      connections.push(connection)
      connection.start(
        { ...TAKE_ALL, ...handler },
        { replied: () => undefined, failed: (error) => failures.push(error), closed: () => closed++ },
      )
    },
    (error) => failures.push(error),
  )
  const [bound] = await listener.open()
  return {
    port: bound?.port ?? 0,
    connections,
    failures,
    closed: () => closed,
    async close() {
      for (const connection of connections) connection.destroy()
      await listener.close()
    },
  }
}
