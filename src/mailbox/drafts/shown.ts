/** A draft as the human sees it before they decide: exactly as it would be sent, with a name that no other form of it has. */
import { sha256Hex } from '../../lib/ids.js'
import type { View } from '../../store/types.js'
import type { DraftFile, StoredDraft } from '../draft.js'
import type { MailboxRecord } from '../mailbox-record.js'
import type { Draft } from '../objects/draft-object.js'
import { signed } from '../sending/outgoing.js'
import { readSettings } from '../settings/settings.js'

export interface ShownDraft {
  draft: Draft
  /** Names this revision with this author and these words. */
  form: string
  /** What goes, octet for octet, if the human changes nothing: the message as a program sent it. Undefined: the message is composed. */
  submitted: DraftFile | undefined
}

/** The draft with its author, and with the signature below its text. One that was sent for approval has both. @param view of its mailbox */
export async function complete(view: View, mailbox: MailboxRecord, stored: StoredDraft): Promise<StoredDraft> {
  const { draft, words } = stored
  if (draft.signed) return stored
  const from = draft.from ?? { address: mailbox.address, name: mailbox.displayName }
  // A signature alone is no message.
  const isEmpty = words.text.trim() === '' && !words.html?.trim() && draft.files.length === 0
  const { signature } = await readSettings(view)
  return { draft: { ...draft, from, signed: true }, words: isEmpty ? words : signed(words, signature) }
}

/** The agent can change a draft by its revision, and author and signature of most by the settings of the mailbox. */
export const formOf = ({ draft, words }: StoredDraft): string =>
  `${draft.revision}-${sha256Hex(JSON.stringify([draft.from, words]))}`
