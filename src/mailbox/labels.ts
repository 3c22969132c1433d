/** Labels: those of the service (`inbox`, `sent`, `spam`, kinds of automatic mail) and custom ones. Unread is a separate flag. */
import { checkAll, invalidRequest } from '../lib/errors.js'
import type { MessageContent, MessageState } from './message.js'

/** Incoming mail. Excludes `spam`. */
export const INBOX_LABEL = 'inbox'
export const SPAM_LABEL = 'spam'
/** Released to its recipients and counted as sent. */
export const SENT_LABEL = 'sent'

export const isSpam = ({ labels }: { labels: readonly string[] }): boolean => labels.includes(SPAM_LABEL)

export interface MessageChange {
  addLabels?: string[] | undefined
  removeLabels?: string[] | undefined
  unread?: boolean | undefined
  /** Folders in which a mail program marks the message as deleted, and those in which it takes the mark back (mailbox/folders/folder.ts). */
  markDeleted?: string[] | undefined
  unmarkDeleted?: string[] | undefined
}

export const MAX_LABELS = 50
/** For scheduled mail; replaced by `sent`. */
export const SCHEDULED_LABEL = 'scheduled'
/** A custom label, or after `$` a flag that mail programs set and show (mailbox/folders/flags.ts). */
export const LABEL = /^(?:[a-z0-9\-_./:]{1,64}|\$:?[a-z0-9\-_./=]{1,62})$/

/** Labels by kind of incoming message, so that agents can list or ignore automatic mail. */
export function kindLabels({ automation }: Pick<MessageContent, 'automation'>): string[] {
  return automation === null || automation === 'bulk' ? [] : [automation]
}

/** @throws ServiceError `invalid_request` for an invalid label */
export function checkLabel(label: string, field: string): void {
  if (LABEL.test(label)) return
  throw invalidRequest('A label is not well-formed.', 'Use 1 to 64 lower-case letters, digits and - _ . / : only.', [
    { field, problem: 'Not 1 to 64 characters of a-z 0-9 - _ . / :' },
  ])
}

export function checkLabels(labels: string[], field: string): void {
  if (labels.length > MAX_LABELS) throw tooManyLabels(field)
  checkAll(
    ...labels.map((label, index) => () => checkLabel(label, `${field}.${index}`)),
    () => {
      if (!labels.includes(INBOX_LABEL) || !labels.includes(SPAM_LABEL)) return
      throw invalidRequest('A message is in `inbox` or in `spam`, never in both.', 'Give one of the two.', [
        { field, problem: '`inbox` and `spam` exclude each other' },
      ])
    },
    () => {
      if (!labels.includes(SENT_LABEL)) return
      throw invalidRequest('The label `sent` is set by the service.', 'Leave it out.', [
        { field, problem: '`sent` marks what this mailbox sent and cannot be changed' },
      ])
    },
  )
}

/** Labels of a message to send, which gets one more from the service. @throws ServiceError `invalid_request` */
export function checkLabelsToSend(labels: string[]): void {
  checkLabels(labels, 'labels')
  if (labels.length < MAX_LABELS) return
  const most = MAX_LABELS - 1
  throw invalidRequest(`A message can be sent with at most ${most} labels.`, 'Leave some out.', [
    { field: 'labels', problem: `It must have at most ${most} entries.` },
  ])
}

/** @throws ServiceError `invalid_request` */
export function checkChange({ addLabels = [], removeLabels = [] }: MessageChange): void {
  // Removing both would leave the message in neither.
  const removed = removeLabels.filter((label) => label !== INBOX_LABEL)
  checkAll(
    () => checkLabels(addLabels, 'add_labels'),
    () => checkLabels(removed, 'remove_labels'),
  )
}

/**
 * The state after a change; the same object if nothing changes. Removal wins over addition. Marking as spam removes `inbox`; unmarking incoming mail restores
 * it, unless the same change removes it.
 *
 * @throws ServiceError `invalid_request` for too many labels
 */
export function changed(state: MessageState, change: MessageChange, now: number): MessageState {
  const removed = new Set(change.removeLabels)
  const added = (change.addLabels ?? []).filter((label) => !removed.has(label))
  if (added.includes(SPAM_LABEL)) removed.add(INBOX_LABEL)
  else if (added.includes(INBOX_LABEL)) removed.add(SPAM_LABEL)
  else if (isSpam(state) && removed.has(SPAM_LABEL) && state.direction === 'inbound' && !removed.has(INBOX_LABEL))
    added.push(INBOX_LABEL)
  const labels = [...new Set([...state.labels, ...added])].filter((label) => !removed.has(label))
  const unread = change.unread ?? state.unread
  if (labels.length > MAX_LABELS) throw tooManyLabels('add_labels')
  const deletedIn = deletedAfter(state, labels, change)
  const same =
    unread === state.unread &&
    labels.join(' ') === state.labels.join(' ') &&
    deletedIn.join(' ') === (state.deletedIn ?? []).join(' ')
  if (same) return state
  const { deletedIn: _before, ...rest } = state
  return { ...rest, labels, unread, updatedAt: now, ...(deletedIn.length > 0 && { deletedIn }) }
}

/** Marks of deletion are for the folders that it is in: a message that comes elsewhere has none. */
function deletedAfter(
  state: MessageState,
  labels: string[],
  { markDeleted = [], unmarkDeleted = [] }: MessageChange,
): string[] {
  const places = (all: string[]): string =>
    all
      .filter((label) => !label.startsWith('$'))
      .sort()
      .join(' ')
  const before = places(labels) === places(state.labels) ? (state.deletedIn ?? []) : []
  return [...new Set([...before, ...markDeleted])].filter((folder) => !unmarkDeleted.includes(folder))
}

function tooManyLabels(field: string): Error {
  return invalidRequest(`A message has at most ${MAX_LABELS} labels.`, 'Remove some labels first.', [
    { field, problem: `A message has at most ${MAX_LABELS} labels.` },
  ])
}
