/** Settings of a mailbox. All but the name are stored apart from the record, which every message reads and writes. */
import type { Clock } from '../../lib/clock.js'
import { checkAll, invalidRequest, ServiceError } from '../../lib/errors.js'
import { displayNameProblem, MAX_DISPLAY_NAME_CHARS } from '../../mime/display-name.js'
import type { Signature } from '../../mime/reply/signature.js'
import { createRowMemory, frozen } from '../../store/row-memory.js'
import { decode, encode } from '../../store/keys.js'
import type { Store, View } from '../../store/types.js'
import { checkedAutoLabels } from './auto-labels.js'
import { appendEvent } from '../events.js'
import { mailboxPartition, settingsKey } from '../keys.js'
import { changeMailbox, readMailbox } from '../record.js'
import type { MailboxSettings, SettingsChange } from '../objects/set-types.js'
import type { MailboxRecord } from '../mailbox-record.js'

const DEFAULTS = frozen<MailboxSettings>({
  signature: null,
  autoLabels: [],
  receiveOnlyAllowed: false,
  sendOnlyAllowed: false,
  requiresApproval: false,
  approvalDays: 7,
})
export const APPROVAL_DAYS = { min: 1, max: 30 } as const
const MAX_SIGNATURE_BYTES = 4096
const MAX_SIGNATURE_HTML_BYTES = 16 * 1024
const MAX_SIGNATURE_LINES = 30
/** Line breaks and tabs are allowed. */
const UNFIT_IN_TEXT = /[^\P{Cc}\n\t]|\p{Cs}/u

export async function readSettings(view: View): Promise<MailboxSettings> {
  const row = await view.get(settingsKey)
  return row ? settingsIn(row) : DEFAULTS
}

/** Max memory for decoded rows of all mailboxes. */
const MEMORY_BYTES = 4 * 1024 * 1024
const settingsIn = createRowMemory(
  (row): MailboxSettings => frozen({ ...DEFAULTS, ...decode<Partial<MailboxSettings>>(row) }),
  MEMORY_BYTES,
)

export interface SettingsDeps {
  store: Store
  clock: Clock
  /** @throws ServiceError `unavailable` */
  mayAskApproval: () => Promise<void>
}

export function createSettings({ store, clock, mayAskApproval }: SettingsDeps) {
  return {
    get: (mailboxId: string) => store.read(mailboxPartition(mailboxId), readSettings),

    /** Validates without changing anything. @throws ServiceError `invalid_request` with all problems */
    async check(mailboxId: string, change: SettingsChange): Promise<void> {
      const mailbox = await readMailbox(store, mailboxId)
      if (mailbox) checkSettings(change, mailbox)
    },

    /**
     * Emits `mailbox.updated` with what changed; idempotent.
     *
     * @param by only the human ends the need of approval
     * @throws ServiceError `invalid_request`, `not_found`, `insufficient_scope`
     */
    async change(mailboxId: string, change: SettingsChange, by: 'human' | 'key' = 'key') {
      if (change.requiresApproval) await mayAskApproval()
      const displayName = change.displayName?.trim()
      return changeMailbox(store, mailboxId, async (tx, mailbox) => {
        checkSettings(change, mailbox)
        const wanted = checked(change)
        const before = await readSettings(tx)
        if (by === 'key' && before.requiresApproval && change.requiresApproval === false) throw onlyTheHuman()
        const settings = { ...before, ...wanted }
        const changed = Object.entries(wanted).flatMap(([name, value]) =>
          JSON.stringify(value) === JSON.stringify(Object.entries(before).find(([key]) => key === name)?.[1])
            ? []
            : [snake(name)],
        )
        if (displayName !== undefined && displayName !== mailbox.displayName) {
          mailbox.displayName = displayName
          changed.unshift('display_name')
        }
        if (changed.length > 0) {
          tx.put(settingsKey, encode(settings))
          appendEvent(mailbox, clock.now(), 'mailbox.updated', { changed })
        }
        return { mailbox: { ...mailbox }, settings }
      })
    },
  }
}

function onlyTheHuman(): ServiceError {
  return new ServiceError(
    'insufficient_scope',
    "What is sent from this mailbox needs the human's approval, and no key can end that.",
    'Ask your human to do it on the page of the mailbox, under /account.',
  )
}

const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** @throws ServiceError `invalid_request` with all problems */
function checkSettings(change: SettingsChange, mailbox: MailboxRecord): void {
  const { displayName, signature, autoLabels, approvalDays } = change
  checkAll(
    () => displayName !== undefined && mustBeOwn(displayName.trim(), mailbox),
    () => signature && checkedSignature(signature),
    () => autoLabels && checkedAutoLabels(autoLabels),
    () => approvalDays !== undefined && checkApprovalDays(approvalDays),
  )
}

function checked(change: SettingsChange): Partial<MailboxSettings> {
  const { signature, autoLabels, receiveOnlyAllowed, sendOnlyAllowed, requiresApproval, approvalDays } = change
  return {
    ...(signature !== undefined && { signature: checkedSignature(signature) }),
    ...(autoLabels !== undefined && { autoLabels: checkedAutoLabels(autoLabels) }),
    ...(receiveOnlyAllowed !== undefined && { receiveOnlyAllowed }),
    ...(sendOnlyAllowed !== undefined && { sendOnlyAllowed }),
    ...(requiresApproval !== undefined && { requiresApproval }),
    ...(approvalDays !== undefined && { approvalDays }),
  }
}

/** @throws ServiceError `invalid_request` */
function checkApprovalDays(days: number): void {
  const { min, max } = APPROVAL_DAYS
  if (Number.isInteger(days) && days >= min && days <= max) return
  throw invalidRequest("Drafts can't wait that long.", `Give whole days, ${min} to ${max}.`, [
    { field: 'approval_days', problem: `It must be ${min} to ${max}.` },
  ])
}

function mustBeOwn(displayName: string, { address, aliases = [] }: MailboxRecord): void {
  const problem = displayNameProblem(displayName, [address, ...aliases.map((alias) => alias.address)])
  if (problem === undefined) return
  throw invalidRequest(
    `The display name can't be used: it ${problem}.`,
    `Give a name of at most ${MAX_DISPLAY_NAME_CHARS} characters on one line, without an address other than the mailbox's own.`,
    [{ field: 'display_name', problem: `It ${problem}` }],
  )
}

/** @returns null for an empty one @throws ServiceError `invalid_request` */
function checkedSignature(given: NonNullable<SettingsChange['signature']> | null): Signature | null {
  if (given === null) return null
  const text = given.text.replace(/\r\n?/g, '\n').trimEnd()
  const html = given.html?.replace(/\r\n?/g, '\n').trim() || null
  if (text === '' && html === null) return null
  refuseUnfit('signature.text', text, MAX_SIGNATURE_BYTES)
  if (html !== null) refuseUnfit('signature.html', html, MAX_SIGNATURE_HTML_BYTES)
  if (text === '' || text.split('\n').length > MAX_SIGNATURE_LINES)
    throw signatureRefused('signature.text', `1 to ${MAX_SIGNATURE_LINES} lines`)
  return { text, html }
}

function refuseUnfit(field: string, value: string, maxBytes: number): void {
  if (Buffer.byteLength(value) > maxBytes) throw signatureRefused(field, `At most ${maxBytes} bytes`)
  if (UNFIT_IN_TEXT.test(value)) throw signatureRefused(field, 'No control characters but line breaks and tabs')
}

function signatureRefused(field: string, problem: string): Error {
  return invalidRequest("The signature can't be used.", 'Give a few lines of plain text, and HTML only beside it.', [
    { field, problem },
  ])
}
