/**
 * Names of folders: those of the service, and for a label its own name or what a program called it. A label has a small alphabet; the name that a program chose is kept
 * beside it.
 */
import { createHash } from 'node:crypto'
import { LABEL } from '../labels.js'
import { type FolderKey, isFolderLabel, labelFolder, labelOf, type SystemFolder } from './folder.js'
import type { FolderRow, NameRow } from './index-rows.js'

/** Between the levels of a name. */
export const DELIMITER = '/'
export const INBOX = 'INBOX'

const SYSTEM_NAMES: Readonly<Record<SystemFolder, string>> = {
  inbox: INBOX,
  drafts: 'Drafts',
  sent: 'Sent',
  junk: 'Junk',
  trash: 'Trash',
  archive: 'Archive',
}

const SYSTEM_KEYS: ReadonlyMap<string, SystemFolder> = new Map(
  Object.entries(SYSTEM_NAMES).map(([key, name]) => [name, key as SystemFolder]),
)

/** The folder of the service with this name: they are in every mailbox, and keep their names. */
export const systemFolder = (name: string): SystemFolder | undefined => SYSTEM_KEYS.get(withInbox(name))

/** Attributes of special use (RFC 6154 §2). */
export const SPECIAL_USE: Readonly<Partial<Record<FolderKey, string>>> = {
  drafts: '\\Drafts',
  sent: '\\Sent',
  junk: '\\Junk',
  trash: '\\Trash',
  archive: '\\Archive',
}

/** RFC 8474 §4.1. It changes with UIDVALIDITY, but for a folder that is renamed. */
export const mailboxIdOf = ({ id, number, validity }: Pick<FolderRow, 'id' | 'number' | 'validity'>): string =>
  id ?? `F${number}-${validity}`

const MAX_NAME_CHARS = 200
const MAX_LABEL_CHARS = 64
const MAX_LEVELS = 20

export interface NamedFolder {
  name: string
  key: FolderKey
  row: FolderRow
  subscribed: boolean
  /** Its name before it was renamed. */
  renamedFrom?: string | undefined
}

/** All folders, in the order of the service, then by name. Labels that no message has are none, unless a program made the folder. */
export function namedFolders(rows: readonly FolderRow[], names: ReadonlyMap<string, NameRow>): NamedFolder[] {
  const byKey = new Map(rows.map((row) => [row.key, row]))
  const named = (key: FolderKey, name: string): NamedFolder[] => {
    const row = byKey.get(key)
    const { unsubscribed, renamedFrom } = names.get(key) ?? {}
    return row ? [{ name, key, row, subscribed: unsubscribed !== true, renamedFrom }] : []
  }
  const system = Object.entries(SYSTEM_NAMES).flatMap(([key, name]) => named(key as SystemFolder, name))
  const labels = new Set(rows.filter(({ exists }) => exists > 0).flatMap(({ key }) => labelOf(key) ?? []))
  for (const [key, { created }] of names) if (created) labels.add(labelOf(key as FolderKey) ?? '')
  labels.delete('')
  const taken = new Set(system.map(({ name }) => name.toLowerCase()))
  const others = [...labels].sort().flatMap((label) => named(labelFolder(label), shownName(label, names, taken)))
  return [...system, ...others.sort((a, b) => (a.name < b.name ? -1 : 1))]
}

/** @param taken names of the service, in lower case */
function shownName(label: string, names: ReadonlyMap<string, NameRow>, taken: ReadonlySet<string>): string {
  const name = names.get(labelFolder(label))?.name ?? label
  // A level without a name, as in `a//b`, is none that programs can show.
  const levels = name.split(DELIMITER).map((level) => (level === '' ? '-' : level))
  const joined = levels.join(DELIMITER)
  // A label `inbox` is none that is shown here.
  const whole = levels.length > 1 ? withInbox(joined) : joined
  return taken.has(whole.toLowerCase()) ? `${whole} (label)` : whole
}

/** INBOX is the same in any case (RFC 9051 §5.1), also as the level above others: in another case it would be a second tree. */
export const withInbox = (name: string): string => name.replace(/^inbox(?=$|\/)/i, INBOX)

/** The problem of a name for a new folder; undefined if it is fine. */
export function problemOfName(name: string): string | undefined {
  const levels = name.split(DELIMITER)
  if (name.length > MAX_NAME_CHARS) return `The name has more than ${MAX_NAME_CHARS} characters.`
  if (levels.length > MAX_LEVELS) return `The name has more than ${MAX_LEVELS} levels.`
  if (levels.some((level) => level.trim() !== level || level === ''))
    return 'A level of the name is empty, or begins or ends with a space.'

  if (/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/u.test(name)) return 'The name has control characters.'
  return undefined
}

/**
 * A label for the name of a new folder.
 *
 * @param used labels of other folders
 */
export function labelForName(name: string, used: ReadonlySet<string>): string {
  const plain = name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9\-_./:]+/g, '-')
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 8)
  const stem = (/[a-z0-9]/.test(plain) ? plain : `folder-${hash}`).slice(0, MAX_LABEL_CHARS)
  if (isFree(stem, used)) return stem
  const short = stem.slice(0, MAX_LABEL_CHARS - hash.length - 1)
  return `${short}-${hash}`
}

const isFree = (label: string, used: ReadonlySet<string>): boolean =>
  LABEL.test(label) && isFolderLabel(label) && !used.has(label)
