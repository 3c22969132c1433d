/** What `restante verify` finds. */

/** What can be done: `repair` by `restante repair`, `restore` from a backup only, `none` where it does no harm or ends by itself. */
export type Remedy = 'repair' | 'restore' | 'none'

export interface Finding {
  kind: FindingKind
  /** Of which mailbox, account or queue; ids and addresses only. */
  where: string
  /** In words, with ids and numbers. */
  what: string
  repair: Remedy
}

/** Each kind with what is wrong and what can be done about it. */
export const FINDINGS = {
  unreadable: { about: 'a record that can not be read', repair: 'restore' },
  'mailbox-missing': { about: 'a mailbox that is listed and has no record', repair: 'none' },
  'content-missing': { about: 'a message without its content', repair: 'restore' },
  'raw-missing': { about: 'a message without its raw text', repair: 'restore' },
  'file-missing': { about: 'a file that a message or draft names and that is not there', repair: 'restore' },
  'file-size': { about: 'a file of another length than its record says', repair: 'restore' },
  'file-orphan': { about: 'a file that nothing names, older than an hour', repair: 'repair' },
  'thread-missing': { about: 'messages of a conversation without a record', repair: 'repair' },
  'thread-wrong': {
    about: 'a conversation whose counts or last message are not those of its messages',
    repair: 'repair',
  },
  'thread-row': {
    about: 'a message that its conversation does not list, or a row without a message',
    repair: 'repair',
  },
  'list-row': { about: 'a conversation missing in a list, or a row of a list that is wrong', repair: 'repair' },
  'held-row': {
    about: 'a message that waits for review and is not in that list, or a row without one',
    repair: 'repair',
  },
  counter: { about: 'a count of a mailbox that is not what it holds', repair: 'repair' },
  'event-gap': { about: 'numbers of events with a gap, or past the newest', repair: 'none' },
  'index-ahead': { about: 'a search index that has come past the mailbox', repair: 'repair' },
  address: { about: 'an address of a mailbox that does not lead to it', repair: 'repair' },
  'account-missing': { about: 'a mailbox of an account without a record', repair: 'restore' },
  'account-row': { about: 'an account that does not list its mailbox', repair: 'none' },
  'key-row': { about: 'a key that is listed and is not there, or is for another mailbox', repair: 'none' },
  'claim-missing': { about: 'a mailbox that waits for approval without its claim', repair: 'none' },
  'task-missing': { about: 'a message that is on its way and has no task', repair: 'repair' },
  'task-stray': { about: 'a task whose message is not there; its worker drops it', repair: 'none' },
} as const satisfies Record<string, { about: string; repair: Remedy }>

export type FindingKind = keyof typeof FINDINGS

export type Report = (kind: FindingKind, where: string, what: string) => void

export interface Verified {
  mailboxes: number
  messages: number
  threads: number
  events: number
  files: number
  tasks: number
  findings: Finding[]
  /** Found beyond what is listed. */
  more: number
}
