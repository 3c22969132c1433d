/** Sends one message to an SMTP port as an ordinary client. */
import { createTransport } from 'nodemailer'

export interface TestMail {
  from?: string
  to: string[]
  subject?: string
  text?: string
  html?: string
  headers?: Record<string, string>
  raw?: string | Buffer
  attachments?: { filename: string; content: Buffer | string; contentType?: string }[]
}

/**
 * @param patience how long it waits for a connection and for each reply, in milliseconds; as long as nodemailer when not given
 * @returns the reply to DATA; rejects with the server's reply when it refuses
 */
export async function deliver(port: number, mail: TestMail, patience?: number): Promise<string> {
  const { from = 'bob@peer.test', to, ...rest } = mail
  const waits =
    patience === undefined ? {} : { connectionTimeout: patience, greetingTimeout: patience, socketTimeout: patience }
  const transport = createTransport({ host: '127.0.0.1', port, ignoreTLS: true, name: 'client.peer.test', ...waits })
  const sender = from.includes('<') ? from.slice(from.indexOf('<') + 1, -1) : from
  const info = await transport.sendMail({ from, to, envelope: { from: sender, to }, ...rest })
  return info.response
}
