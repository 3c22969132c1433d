/** What `restante verify` finds. */

/** What can be done: `repair` by `restante repair`, `restore` from a backup only, `none` where it does no harm or ends by itself. */
export type Remedy = 'repair' | 'restore' | 'none'

export interface Finding {
  kind: FindingKind
  /** Of which mailbox, account, queue or partition; ids and addresses only. */
  where: string
  /** In words, with ids and numbers. */
  what: string
  repair: Remedy
  /** The one row whose change mends it, where it is so simple. Its value may be of a message, so it is not shown. */
  mend?: Mend
  /** The task that mends it when it is queued. */
  task?: LostTask
}

/** What has to stand in a row; key and value in hexadecimal, null for a row that has to go. */
export interface Mend {
  partition: string
  key: string
  value: string | null
}

/** Each kind with what is wrong and what can be done about it. */
export const FINDINGS = {
  'store-damaged': { about: 'a database that can not be read', repair: 'restore' },
  'store-page': { about: 'pages of the database that are not what was written', repair: 'restore' },
  'store-rows': { about: 'rows that the database counts and that can not be reached', repair: 'restore' },
  'store-lost': { about: 'files of mail that nearly nothing in the database names', repair: 'restore' },
  unreadable: { about: 'a record that can not be read', repair: 'restore' },
  garbled: { about: 'a row that can not be read, and that follows from others or ends by itself', repair: 'repair' },
  'row-unknown': { about: 'a row that this version knows nothing of', repair: 'none' },
  'row-aside': { about: 'a row that an upgrade could not read and kept aside', repair: 'none' },
  'row-stray': { about: 'a row that nothing stands behind any more', repair: 'repair' },
  'row-missing': { about: 'a row that follows from others and is not there', repair: 'repair' },
  'row-wrong': { about: 'a row that says something else than what it follows from', repair: 'repair' },
  'record-missing': { about: 'rows of something whose record is lost', repair: 'restore' },
  'index-wrong': { about: 'a search index that does not say what the mail says', repair: 'repair' },
  'content-missing': { about: 'a message without its content', repair: 'restore' },
  'raw-missing': { about: 'a message without its raw text', repair: 'restore' },
  'file-missing': { about: 'a file that a message or draft names and that is not there', repair: 'restore' },
  'file-size': { about: 'a file of another length than its record says', repair: 'restore' },
  'file-hash': { about: 'a file whose bytes are not those that were written', repair: 'restore' },
  'file-orphan': { about: 'a file that nothing names, older than an hour', repair: 'repair' },
  'thread-missing': { about: 'messages of a conversation without a record', repair: 'repair' },
  'thread-wrong': {
    about: 'a conversation whose counts or last message are not those of its messages',
    repair: 'repair',
  },
  'place-row': { about: 'a message that is not found by its id', repair: 'repair' },
  'list-row': {
    about: 'a conversation or a message that is missing in a list, or should not be in it',
    repair: 'repair',
  },
  counter: { about: 'a count of a mailbox that is not what it holds', repair: 'repair' },
  'event-gap': { about: 'numbers of events with a gap, or past the newest', repair: 'none' },
  address: { about: 'an address of a mailbox that does not lead to it', repair: 'repair' },
  'account-missing': { about: 'a mailbox of an account without a record', repair: 'restore' },
  'account-unlisted': { about: 'an account without an owner that no list has', repair: 'restore' },
  'task-lost': { about: 'a claim, an export or a deletion that nobody works on', repair: 'repair' },
  'key-row': { about: 'a key that is listed and is not there, or is for another mailbox', repair: 'none' },
  'claim-missing': { about: 'a mailbox that waits for approval without its claim', repair: 'none' },
  'task-missing': { about: 'a message that is on its way and has no task', repair: 'repair' },
} as const satisfies Record<string, { about: string; repair: Remedy }>

export type FindingKind = keyof typeof FINDINGS

/** Of these nothing can be repaired, and nothing else that was found can be relied on. */
export const STORE_FINDINGS: readonly FindingKind[] = ['store-damaged', 'store-page', 'store-rows', 'store-lost']

export type Report = (kind: FindingKind, where: string, what: string, means?: Pick<Finding, 'mend' | 'task'>) => void

/** A task that something needs and does not have. */
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
  /** Rows of everything. */
  rows: number
  /** Files whose bytes were read and compared. */
  hashed: number
  findings: Finding[]
  /** Found beyond what is listed. */
  more: number
}
