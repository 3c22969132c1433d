/** AUTH (RFC 4954) with name and password: PLAIN (RFC 4616), LOGIN, CRAM-MD5 (RFC 2195). */
import { createHmac } from 'node:crypto'
import type { SmtpConnection } from './connection.js'
import { isAnswered, type Reply } from './replies.js'

export interface Credentials {
  user: string
  password: string
}

/**
 * @param mechanisms as announced; PLAIN is tried if none is known
 * @returns the refusal; undefined on success
 * @throws ConnectionError, ProtocolError
 */
export async function logIn(
  connection: SmtpConnection,
  mechanisms: string[],
  { user, password }: Credentials,
): Promise<Reply | undefined> {
  const mechanism = ['PLAIN', 'LOGIN', 'CRAM-MD5'].find((one) => mechanisms.includes(one)) ?? 'PLAIN'
  if (mechanism === 'PLAIN') {
    const reply = await connection.ask(`AUTH PLAIN ${base64(`\0${user}\0${password}`)}`)
    return isAnswered('AUTH', 235, reply) ? undefined : reply
  }
  const steps: ((challenge: Buffer) => string)[] =
    mechanism === 'LOGIN'
      ? [() => user, () => password]
      : [(challenge) => `${user} ${createHmac('md5', password).update(challenge).digest('hex')}`]
  let reply = await connection.ask(`AUTH ${mechanism}`)
  for (const step of steps) {
    if (!isAnswered('AUTH', 334, reply)) return reply
    reply = await connection.ask(base64(step(Buffer.from(reply.lines[0] ?? '', 'base64'))))
  }
  return isAnswered('AUTH', 235, reply) ? undefined : reply
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64')
}
