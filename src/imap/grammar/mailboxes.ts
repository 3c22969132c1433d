/** Commands about mailboxes by name: CREATE, DELETE, RENAME, SUBSCRIBE, STATUS, quotas (RFC 9051 §6.3, RFC 6154, RFC 9208). */
import { readMailbox } from '../wire/mailbox-name.js'
import type { Scanner } from '../wire/scanner.js'
import { MAX_OPTIONS } from './limits.js'

export const STATUS_ITEMS = [
  'MESSAGES',
  'RECENT',
  'UIDNEXT',
  'UIDVALIDITY',
  'UNSEEN',
  'DELETED',
  'SIZE',
  /** RFC 7162 §3.1.7. */
  'HIGHESTMODSEQ',
  /** RFC 8474 §4.3. */
  'MAILBOXID',
  /** RFC 7889 §3. */
  'APPENDLIMIT',
] as const
export type StatusItem = (typeof STATUS_ITEMS)[number]

export type MailboxCommand =
  | {
      name: 'CREATE'
      mailbox: string
      /** Special uses asked for, such as `\Drafts` (RFC 6154 §3). */
      uses: string[]
    }
  | { name: 'DELETE' | 'SUBSCRIBE' | 'UNSUBSCRIBE' | 'GETQUOTAROOT'; mailbox: string }
  | { name: 'RENAME'; mailbox: string; to: string }
  | { name: 'STATUS'; mailbox: string; items: StatusItem[] }
  /** RFC 9208 §4.1.1. */
  | { name: 'GETQUOTA'; root: string }

export function readNamed(
  name: 'DELETE' | 'SUBSCRIBE' | 'UNSUBSCRIBE' | 'GETQUOTAROOT',
): (scanner: Scanner) => MailboxCommand {
  return (scanner) => {
    scanner.space()
    return { name, mailbox: readMailbox(scanner) }
  }
}

export function readCreate(scanner: Scanner): MailboxCommand {
  scanner.space()
  const mailbox = readMailbox(scanner)
  if (!scanner.skip(' ')) return { name: 'CREATE', mailbox, uses: [] }
  const [uses = []] = scanner.list('parameters of CREATE', { min: 1, max: 1 }, () => {
    scanner.oneOf(['USE'], 'parameter')
    scanner.space()
    return scanner.list('special uses', { min: 0, max: MAX_OPTIONS }, () => {
      scanner.expect('\\')
      return `\\${scanner.atom('a special use')}`
    })
  })
  return { name: 'CREATE', mailbox, uses }
}

export function readRename(scanner: Scanner): MailboxCommand {
  scanner.space()
  const mailbox = readMailbox(scanner)
  scanner.space()
  return { name: 'RENAME', mailbox, to: readMailbox(scanner) }
}

export function readStatus(scanner: Scanner): MailboxCommand {
  scanner.space()
  const mailbox = readMailbox(scanner)
  scanner.space()
  return { name: 'STATUS', mailbox, items: readStatusItems(scanner) }
}

/** Status items in parentheses, each once. */
export function readStatusItems(scanner: Scanner): StatusItem[] {
  const items = scanner.list('status items', { min: 1, max: MAX_OPTIONS }, () =>
    scanner.oneOf(STATUS_ITEMS, 'status item'),
  )
  return [...new Set(items)]
}

export function readGetQuota(scanner: Scanner): MailboxCommand {
  scanner.space()
  return { name: 'GETQUOTA', root: scanner.astring('a quota root') }
}
