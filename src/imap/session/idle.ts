/** IDLE (RFC 2177, RFC 9051 §6.3.13): the client is told of changes until it says DONE; after NOTIFY, of those that it named (RFC 5465 §4). */
import type { Command } from '../grammar/command.js'
import { catchUp } from './catch-up.js'
import { type Completion, Refused } from './completion.js'
import type { ImapSession } from './session.js'

export async function idle(session: ImapSession, _command: Pick<Command, 'tag'>): Promise<Completion> {
  const { mailboxId } = session.mustUser()
  const { wire } = session
  await wire.output.write([Buffer.from('+ idling\r\n')])
  const done = new AbortController()
  const stop = (): void => done.abort()
  wire.closed.addEventListener('abort', stop, { once: true })
  const line = wire.readLine().finally(stop)
  try {
    await tellUntil(session, mailboxId, done.signal)
  } finally {
    wire.closed.removeEventListener('abort', stop)
  }
  const answer = await line
  if (answer !== undefined && answer.toString('latin1').toUpperCase() !== 'DONE')
    throw new Refused({ status: 'BAD', text: 'IDLE ends with DONE' })
  return { status: 'OK', text: 'IDLE ended' }
}

async function tellUntil(session: ImapSession, mailboxId: string, signal: AbortSignal): Promise<void> {
  const { folders } = session.parts
  let moment = await folders.moment(mailboxId)
  while (!signal.aborted) {
    await catchUp(session, 'all')
    if (signal.aborted) return
    moment = await folders.changed(mailboxId, moment, signal)
  }
}
