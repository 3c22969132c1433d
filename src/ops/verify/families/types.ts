/** Findings of `restante verify`. */

/** `repair`: by `restante repair`. `restore`: from a backup only. `none`: harmless or temporary. */
export type Remedy = 'repair' | 'restore' | 'none'

export interface Finding {
  kind: FindingKind
  /** Mailbox, account, queue or partition; ids and addresses only. */
  where: string
  what: string
  repair: Remedy
  /** The row whose change repairs it, if that is enough. Its value may contain mail, so it is not shown. */
  rowRepair?: RowRepair
  /** The task that repairs it when queued. */
  task?: LostTask
}

/** Wanted content of a row; key and value in hexadecimal, null for a row to remove. */
export interface RowRepair {
  partition: string
  key: string
  value: string | null
}

/** All kinds of findings, with description and remedy. */
export const FINDINGS = {
  'store-damaged': { about: 'the database cannot be read', repair: 'restore' },
  'store-page': { about: 'damaged pages of the database', repair: 'restore' },
  'store-rows': { about: 'unreachable rows of the database', repair: 'restore' },
  'store-lost': { about: 'most mail files have no record in the database', repair: 'restore' },
  unreadable: { about: 'a record cannot be read', repair: 'restore' },
  garbled: { about: 'a derived or temporary row cannot be read', repair: 'repair' },
  'row-unknown': { about: 'a row is unknown to this version', repair: 'none' },
  'row-aside': { about: 'a row was quarantined by an upgrade that could not read it', repair: 'none' },
  'row-stray': { about: 'a row refers to something that no longer exists', repair: 'repair' },
  'row-missing': { about: 'a derived row is missing', repair: 'repair' },
  'row-wrong': { about: 'a derived row differs from its source', repair: 'repair' },
  'record-missing': { about: 'rows belong to a lost record', repair: 'restore' },
  'index-wrong': { about: 'the search index differs from the mail', repair: 'repair' },
  'content-missing': { about: 'a message has lost its content', repair: 'restore' },
  'raw-missing': { about: 'a message has lost its raw text', repair: 'restore' },
  'file-missing': { about: 'a file of a message or draft is missing', repair: 'restore' },
  'file-size': { about: 'a file has another size than its record', repair: 'restore' },
  'file-hash': { about: 'a file is damaged', repair: 'restore' },
  'file-orphan': { about: 'a file older than an hour has no record', repair: 'repair' },
  'thread-missing': { about: 'messages belong to a conversation without a record', repair: 'repair' },
  'thread-wrong': {
    about: 'a conversation has other counts or another last message than its messages',
    repair: 'repair',
  },
  'place-row': { about: 'a message is not found by its id', repair: 'repair' },
  'list-row': {
    about: 'a conversation or message is missing in a list, or should not be in it',
    repair: 'repair',
  },
  counter: { about: 'a count of a mailbox is wrong', repair: 'repair' },
  'event-gap': { about: 'event numbers have a gap, or exceed the newest', repair: 'none' },
  address: { about: 'an address of a mailbox does not lead to it', repair: 'repair' },
  'account-missing': { about: 'a mailbox belongs to an account without a record', repair: 'restore' },
  'account-unlisted': { about: 'an account without an owner is in no list', repair: 'restore' },
  'task-lost': { about: 'a claim, export or deletion has no task', repair: 'repair' },
  'key-row': { about: 'a listed key is missing, or is for another mailbox', repair: 'none' },
  'claim-missing': { about: 'a pending mailbox has no claim', repair: 'none' },
  'task-missing': { about: 'a message being sent has no task', repair: 'repair' },
} as const satisfies Record<string, { about: string; repair: Remedy }>

export type FindingKind = keyof typeof FINDINGS

/** With these nothing can be repaired, and other findings are unreliable. */
export const STORE_FINDINGS: readonly FindingKind[] = ['store-damaged', 'store-page', 'store-rows', 'store-lost']

export type Report = (
  kind: FindingKind,
  where: string,
  what: string,
  means?: Pick<Finding, 'rowRepair' | 'task'>,
) => void

export interface LostTask {
  kind: string
  id: string
  payload: unknown
}

export interface Verified {
  mailboxes: number
  messages: number
  threads: number
  events: number
  files: number
  tasks: number
  rows: number
  /** Files whose bytes were read and compared. */
  hashed: number
  findings: Finding[]
  /** Found beyond what is listed. */
  more: number
}
