/**
 * The folders of a mailbox as mail programs see them, derived from labels (docs/mail-programs.md has the table). A message can be in several.
 *
 * | folder   | key         | its messages                                                                                   |
 * | -------- | ----------- | ---------------------------------------------------------------------------------------------- |
 * | INBOX    | `inbox`     | with the label `inbox`                                                                         |
 * | Drafts   | `drafts`    | drafts                                                                                         |
 * | Sent     | `sent`      | outgoing ones, also those that wait or were refused, but not those that were moved elsewhere    |
 * | Junk     | `junk`      | with the label `spam`, and in no other folder                                                   |
 * | Trash    | `trash`     | deleted ones, until they are purged                                                             |
 * | Archive  | `archive`   | those in no other folder, and those that a program moved there                                  |
 * | others   | `label:<l>` | with this custom label                                                                          |
 */
import { INBOX_LABEL, type MessageChange, SCHEDULED_LABEL, SENT_LABEL, SPAM_LABEL } from '../labels.js'
import type { MessageState } from '../message.js'
import { ARCHIVED_LABEL, FILED_LABEL, isFlagLabel } from './flags.js'

export type SystemFolder = 'inbox' | 'drafts' | 'sent' | 'junk' | 'trash' | 'archive'
export type LabelFolder = `label:${string}`
export type FolderKey = SystemFolder | LabelFolder

/** In the order of their numbers in the index: append new ones. */
export const SYSTEM_FOLDERS: readonly SystemFolder[] = ['inbox', 'drafts', 'sent', 'junk', 'trash', 'archive']

const LABEL_PREFIX = 'label:'

/** Labels of the service: they are no folders of their own. */
const SERVICE_LABELS = new Set([
  INBOX_LABEL,
  SENT_LABEL,
  SPAM_LABEL,
  SCHEDULED_LABEL,
  'held',
  'blocked',
  'auto-reply',
  'bounce',
  'complaint',
  'list',
])

/** True for a label that is a folder. */
export const isFolderLabel = (label: string): boolean => !isFlagLabel(label) && !SERVICE_LABELS.has(label)

export const labelFolder = (label: string): LabelFolder => `${LABEL_PREFIX}${label}`

/** Label of the folder; undefined for system folders. */
export const labelOf = (folder: FolderKey): string | undefined =>
  folder.startsWith(LABEL_PREFIX) ? folder.slice(LABEL_PREFIX.length) : undefined

/** The folders of a message. */
export function foldersOf({
  labels,
  direction,
  trashed,
}: Pick<MessageState, 'labels' | 'direction' | 'trashed'>): FolderKey[] {
  if (trashed) return ['trash']
  if (labels.includes(SPAM_LABEL)) return ['junk']
  const folders: FolderKey[] = labels.filter(isFolderLabel).map(labelFolder)
  if (labels.includes(INBOX_LABEL)) folders.push('inbox')
  if (direction === 'outbound' && !labels.includes(FILED_LABEL)) folders.push('sent')
  if (folders.length === 0 || labels.includes(ARCHIVED_LABEL)) folders.push('archive')
  return folders
}

/** What a copy or a move to a folder does. `delete` and `restore`: to and from the trash; the labels change afterwards. */
export interface Transfer extends MessageChange {
  delete?: true
  restore?: true
}

/**
 * The change that brings a message from one folder to another; undefined where it cannot be there: in Drafts, what others sent in Sent, and what this
 * mailbox sent in Junk. A message in Junk or Trash is in no other folder, so a copy to or from them moves it.
 *
 * @param leaves true for a move
 */
export function transferOf(
  state: Pick<MessageState, 'labels' | 'direction' | 'trashed'>,
  from: FolderKey,
  to: FolderKey,
  leaves: boolean,
): Transfer | undefined {
  if (from === to) return {}
  const entering = enteringOf(state, to)
  if (!entering) return undefined
  if (to === 'trash') return entering
  const leaving = leaves ? leavingOf(from) : {}
  const addLabels = [...(leaving.addLabels ?? []), ...(entering.addLabels ?? [])]
  const removeLabels = [...(leaving.removeLabels ?? []), ...(entering.removeLabels ?? [])]
  if (from === 'junk') removeLabels.push(SPAM_LABEL)
  // What the labels were before it was deleted does not say where it goes.
  if (from === 'trash') removeLabels.push(...state.labels.filter(isFolderLabel), SPAM_LABEL, ARCHIVED_LABEL)
  if (from === 'trash' && state.direction === 'outbound' && to !== 'sent') addLabels.push(FILED_LABEL)
  // Unmarking spam would put it into INBOX.
  if (from === 'junk' || from === 'trash') removeLabels.push(INBOX_LABEL)
  const added = new Set(entering.addLabels)
  const removed = new Set(removeLabels.filter((label) => !added.has(label)))
  const labels = [...state.labels, ...addLabels].filter((label) => !removed.has(label))
  const stays = from === 'archive' && !leaves
  if ((to === 'archive' || stays) && !foldersOf({ labels, direction: state.direction }).includes('archive'))
    addLabels.push(ARCHIVED_LABEL)
  return { addLabels, removeLabels: [...removed], ...(from === 'trash' && { restore: true }) }
}

function enteringOf({ direction }: Pick<MessageState, 'direction'>, to: FolderKey): Transfer | undefined {
  switch (to) {
    case 'inbox':
      return { addLabels: [INBOX_LABEL] }
    case 'junk':
      return direction === 'inbound' ? { addLabels: [SPAM_LABEL] } : undefined
    case 'sent':
      return direction === 'outbound' ? { removeLabels: [FILED_LABEL] } : undefined
    case 'trash':
      return { delete: true }
    case 'drafts':
      return undefined
    case 'archive':
      return {}
    default:
      return { addLabels: [to.slice(LABEL_PREFIX.length)] }
  }
}

/** The change that takes a message out of a folder and leaves it in the others; none for Junk, Trash and Drafts, as it is in no other then. */
export function leavingOf(from: FolderKey): MessageChange {
  switch (from) {
    case 'inbox':
      return { removeLabels: [INBOX_LABEL] }
    case 'sent':
      return { addLabels: [FILED_LABEL] }
    case 'archive':
      return { removeLabels: [ARCHIVED_LABEL] }
    case 'junk':
    case 'trash':
    case 'drafts':
      return {}
    default:
      return { removeLabels: [from.slice(LABEL_PREFIX.length)] }
  }
}
