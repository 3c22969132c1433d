/** APPEND (RFC 9051 §6.3.12, RFC 3502): all its messages, or none. */
import type { AppendCommand } from '../grammar/append.js'
import { formatSet } from '../wire/set-text.js'
import { readFlagNames } from './flag-names.js'
import { type Completion, Refused } from './completion.js'
import type { ImapSession } from './session.js'

export async function append(session: ImapSession, { mailbox, messages }: AppendCommand): Promise<Completion> {
  const { mailboxId } = session.mustWrite()
  const { folders, importing } = session.parts
  const folder = await folders.find(mailboxId, mailbox)
  if (!folder) throw new Refused({ status: 'NO', code: 'TRYCREATE', text: 'there is no such mailbox' })
  const given = messages.map(({ flags, internalDateMs, literal }) => {
    if (!literal.octets) throw new Error('a literal of APPEND was not kept')
    return {
      raw: literal.octets,
      ...readFlagNames(flags),
      ...(internalDateMs !== undefined && { internalDateMs }),
    }
  })
  const appended = await importing.appendAll(mailboxId, folder.key, given, {
    owner: mailboxId,
    charge: session.charge,
  })
  session.madeItself(
    folder.row.number,
    appended.map(({ uid }) => uid),
  )
  const [first] = appended
  if (!first) return { status: 'OK' }
  return { status: 'OK', code: `APPENDUID ${first.validity} ${formatSet(appended.map(({ uid }) => uid))}` }
}
