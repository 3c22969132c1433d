/** A change of flags (STORE, RFC 9051 §6.4.6) as a change of labels. */
import { invalidRequest } from '../../lib/errors.js'
import type { MessageChange } from '../labels.js'
import type { MessageState } from '../message.js'
import { ANSWERED, ANSWERED_LABEL, DELETED, FLAGGED, FLAGGED_LABEL, keywordOf, labelOfKeyword, SEEN } from './flags.js'
import type { FolderKey } from './folder.js'

export interface FlagChange {
  mode: 'add' | 'remove' | 'replace'
  /** Bits of flags.ts. */
  flags: number
  keywords: readonly string[]
}

/**
 * `\Draft` is never changed: it says what a message is. Keywords that the service derives are passed over when flags are replaced, as programs send back what they read.
 *
 * @throws ServiceError `invalid_request` for a keyword that cannot be set
 */
export function changeOfFlags(
  state: Pick<MessageState, 'labels'>,
  folder: FolderKey,
  change: FlagChange,
): MessageChange {
  const { mode, flags } = change
  const labels = labelsOf(change)
  const isMeant = (bit: number): boolean => (flags & bit) !== 0
  if (isMeant(FLAGGED)) labels.push(FLAGGED_LABEL)
  if (isMeant(ANSWERED)) labels.push(ANSWERED_LABEL)
  const deleted = isMeant(DELETED) ? [folder] : []
  if (mode === 'add') return { addLabels: labels, markDeleted: deleted, ...(isMeant(SEEN) && { unread: false }) }
  if (mode === 'remove') return { removeLabels: labels, unmarkDeleted: deleted, ...(isMeant(SEEN) && { unread: true }) }
  const kept = new Set(labels)
  const old = state.labels.filter(
    (label) => label === FLAGGED_LABEL || label === ANSWERED_LABEL || keywordOf(label) !== undefined,
  )
  return {
    addLabels: labels,
    removeLabels: old.filter((label) => !kept.has(label)),
    unread: !isMeant(SEEN),
    ...(isMeant(DELETED) ? { markDeleted: deleted } : { unmarkDeleted: [folder] }),
  }
}

function labelsOf({ mode, keywords }: FlagChange): string[] {
  return keywords.flatMap((keyword) => {
    const label = labelOfKeyword(keyword)
    if (label !== undefined) return [label]
    if (mode === 'replace') return []
    throw invalidRequest('A keyword cannot be set.', 'Choose another name, of at most 60 characters.', [
      { field: 'flags', problem: 'The service sets this keyword itself, or it is too long.' },
    ])
  })
}
