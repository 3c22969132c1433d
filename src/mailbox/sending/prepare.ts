/** Composing: id, raw message, and recipients that count as new. */
import type { AccountRecord, Accounts, MessageTraits } from '../../accounts/types.js'
import { invalidRequest } from '../../lib/errors.js'
import type { Asker } from '../../lib/thread-pool.js'
import { domainOf } from '../../mime/address.js'
import { dsnRequestOf } from '../../mime/dsn-request.js'
import { MessageFormatError, type Address } from '../../mime/types.js'
import { isSimulatorAddress } from '../decisions/simulator.js'
import { traitsOf } from '../decisions/traits.js'
import { refuseUnlisted } from '../delivery/admission.js'
import { mailboxPartition } from '../keys.js'
import type { Given } from '../mail-work/mail-jobs.js'
import type { Composed } from '../mail-work/mail-work.js'
import type { MailboxRecord } from '../mailbox-record.js'
import type { MailboxSettings } from '../objects/set-types.js'
import { notEnoughRoom, roomLeft } from '../quota.js'
import { quotedParent } from '../threads/parent.js'
import { whoWroteFirst } from '../recipients.js'
import { ownMessageId } from '../tasks.js'
import type { Outgoing } from './outgoing.js'
import { tooLarge } from './send-checks.js'
import type { SendDeps } from './send-deps.js'
import { traced } from './submission.js'

type Authored = Outgoing & { author: Address }

interface Sender {
  mailbox: MailboxRecord
  settings: MailboxSettings
  account: AccountRecord
}

export interface Prepared extends Composed {
  id: string
  now: number
  mailbox: MailboxRecord
  account: AccountRecord
  mail: Authored
  recipients: string[]
  /** Recipients that may count as new: not simulated ones. */
  counted: string[]
  free: string[]
  /** What its account is told of it. */
  traits: MessageTraits
  /** Counts given to the guard for the verdict. */
  seen: Awaited<ReturnType<Accounts['previewRecipients']>>
  /** Text of the stored message that it replies to, '' for none; undefined where nothing is quoted. */
  parentText: string | undefined
}

export async function prepare(
  deps: SendDeps,
  { mailbox, settings, account }: Sender,
  mail: Authored,
  { recipients, asker }: { recipients: string[]; asker: Asker },
): Promise<Prepared> {
  const { store, queue, clock, limits, domains } = deps
  const now = clock.now()
  const id = ownMessageId(queue, recipients, now)
  const { bcc, labels: _labels, requireTls: _tls, threadId: _thread, answered: _answered, ...rest } = mail
  const { sendAt, draft: _draft, submitted, dsn: asked, author, ...parts } = rest
  const messageId = `${id.slice('msg_'.length).toLowerCase()}@${domainOf(author.address)}`
  const message = { ...parts, messageId, date: sendAt ?? now, from: author }
  const { raw, insides, displayed, ...made } = submitted
    ? traced(submitted, { id, messageId, date: sendAt ?? now, now })
    : await compose(deps, { message, bcc, now }, asker)
  // RFC 3461 §6.1: nothing is told to the null sender.
  const dsn = submitted?.nullSender ? undefined : dsnRequestOf(asked, recipients)
  const content = dsn ? { ...made.content, dsn } : made.content
  // A draft frees its room.
  if (raw.length > roomLeft(mailbox, limits) + (mail.draft?.bytes ?? 0)) throw notEnoughRoom(mailbox, limits)

  const counted = recipients.filter((address) => !isSimulatorAddress(address, domains.isLocal))
  // Mail to the simulator is meant to be repeated.
  const traits = counted.length === 0 ? {} : { print: made.print, traits: traitsOf(content) }
  // Scheduled mail counts when released.
  const refuses = sendAt === undefined
  const { free, seen, parentText } = await store.read(mailboxPartition(mailbox.id), async (view) => {
    const [free] = await Promise.all([whoWroteFirst(view, recipients), refuseUnlisted(view, settings, recipients)])
    const seen = await deps.accounts.previewRecipients(account.id, counted, free, traits, { refuses, view })
    return { free, seen, parentText: await quotedParent(view, content) }
  })
  const read = { raw, content, insides, displayed, print: made.print, traits }
  return { ...read, id, now, mailbox, account, mail, recipients, counted, free, seen, parentText }
}

/** Composes the message and parses it as recipients will, so that both ends show the same. */
async function compose(
  { composing, limits }: SendDeps,
  given: Pick<Given<'compose'>, 'message' | 'bcc' | 'now'>,
  asker: Asker,
): Promise<Composed> {
  try {
    const made = await composing.work.compose(
      { ...given, maxBytes: limits.messageBytes, limits: composing.parseLimits },
      asker,
    )
    if (!('raw' in made)) throw tooLarge(limits)
    return made
  } catch (error) {
    if (!(error instanceof MessageFormatError)) throw error
    throw invalidRequest(`The message cannot be sent: ${error.reason}.`, 'Send fewer attachments or recipients.')
  }
}

/** True if it replies to its only recipient, who wrote first. */
export function isAnswer({ content, recipients, free }: Prepared): boolean {
  return content.in_reply_to !== null && recipients.length === 1 && free.length === 1
}
