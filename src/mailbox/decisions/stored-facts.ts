/**
 * What the guard is told of a stored message when it is judged again: the same as when it was sent. Counts are stored with it; what its files contain and
 * what is displayed of it is read again from its raw text, and the parent that it quotes from the mailbox.
 */
import type { Displayed } from '../../guard/reading/displayed.js'
import type { GuardSubject } from '../../guard/types.js'
import type { AttachmentInside, ParseLimits } from '../../mime/types.js'
import type { Log } from '../../observe/log.js'
import type { Store } from '../../store/types.js'
import { mailboxPartition } from '../keys.js'
import type { MailWork } from '../mail-work/mail-work.js'
import type { StoredMessage } from '../message.js'
import type { RawStore } from '../raw.js'
import { quotedParent } from '../threads/parent.js'
import { factsOf, subjectOf, type Facts } from './guard-check.js'

export interface StoredFactsDeps {
  store: Store
  raws: Pick<RawStore, 'read'>
  work: Pick<MailWork, 'checked'>
  parseLimits: ParseLimits
  log: Pick<Log, 'warn'>
}

/** @param trust of the account by now */
export async function storedFacts(
  deps: StoredFactsDeps,
  mailboxId: string,
  message: StoredMessage,
  trust: number,
): Promise<Facts> {
  const parentText = await deps.store.read(mailboxPartition(mailboxId), (view) => quotedParent(view, message.content))
  return { ...factsOf(message, trust), ...(await inRaw(deps, mailboxId, message)), parentText }
}

/** The same as the guard's input. */
export async function storedSubject(
  deps: StoredFactsDeps,
  mailboxId: string,
  message: StoredMessage,
  trust: number,
): Promise<GuardSubject> {
  return subjectOf(await storedFacts(deps, mailboxId, message, trust))
}

/** Nothing if the raw text is damaged or takes too long: the message is then judged by its stored content, and can still be reviewed. */
async function inRaw(
  { raws, work, parseLimits, log }: StoredFactsDeps,
  mailboxId: string,
  { state }: StoredMessage,
): Promise<{ insides?: AttachmentInside[]; displayed?: Displayed | undefined }> {
  try {
    return await work.checked(await raws.read(mailboxId, state), parseLimits, { owner: mailboxId })
  } catch (err) {
    log.warn({ err, message_id: state.id }, 'The raw text could not be read again; the guard judges without its files')
    return {}
  }
}
