/** NOTIFY (RFC 5465 §3, §5, §8). Events of metadata and annotations are not known here, and refused with BADEVENT. */
import { readMailbox } from '../wire/mailbox-name.js'
import type { Scanner } from '../wire/scanner.js'
import { readFetchItemList, type FetchItem } from './fetch-items.js'
import { MAX_NOTIFY_GROUPS, MAX_NOTIFY_MAILBOXES, MAX_OPTIONS } from './limits.js'

export type NotifyCommand =
  | { name: 'NOTIFY'; mode: 'none' }
  /** `status`: send the STATUS of the mailboxes first. */
  | { name: 'NOTIFY'; mode: 'set'; status: boolean; groups: NotifyGroup[] }

export interface NotifyGroup {
  mailboxes: NotifyMailboxes
  events: NotifyEvents
}

export type NotifyMailboxes =
  | { kind: 'SELECTED' | 'SELECTED-DELAYED' | 'INBOXES' | 'PERSONAL' | 'SUBSCRIBED' }
  | { kind: 'SUBTREE' | 'MAILBOXES'; names: string[] }

/** Without any: the mailboxes are excluded (RFC 5465 §3.1: NONE). */
export interface NotifyEvents {
  /** MessageNew and MessageExpunge, which come together; `items`: what is fetched of new messages of the selected mailbox. */
  messages: { items: FetchItem[]; flagChange: boolean } | undefined
  mailboxName: boolean
  subscriptionChange: boolean
}

const SELECTED = ['SELECTED', 'SELECTED-DELAYED'] as const
const FILTERS = [...SELECTED, 'INBOXES', 'PERSONAL', 'SUBSCRIBED', 'SUBTREE', 'MAILBOXES'] as const
const EVENTS = ['MessageNew', 'MessageExpunge', 'FlagChange', 'MailboxName', 'SubscriptionChange'] as const
type Event = (typeof EVENTS)[number]

export function readNotify(scanner: Scanner): NotifyCommand {
  scanner.space()
  if (scanner.oneOf(['SET', 'NONE'], 'form of NOTIFY') === 'NONE') return { name: 'NOTIFY', mode: 'none' }
  const status = scanner.skip(' STATUS')
  const groups: NotifyGroup[] = []
  do {
    scanner.space()
    if (groups.length === MAX_NOTIFY_GROUPS)
      // RFC 5465 §3.1.
      scanner.fail(`more than ${MAX_NOTIFY_GROUPS} groups of events`, { status: 'NO', code: 'NOTIFICATIONOVERFLOW' })
    groups.push(readGroup(scanner))
  } while (!scanner.isAtEnd)
  if (groups.filter(({ mailboxes }) => isSelected(mailboxes)).length > 1)
    scanner.fail('more than one group for the selected mailbox')
  return { name: 'NOTIFY', mode: 'set', status, groups }
}

function isSelected({ kind }: NotifyMailboxes): boolean {
  return SELECTED.some((selected) => selected === kind)
}

function readGroup(scanner: Scanner): NotifyGroup {
  scanner.expect('(')
  const mailboxes = readFilter(scanner)
  scanner.space()
  const events = readEvents(scanner, isSelected(mailboxes))
  scanner.expect(')')
  return { mailboxes, events }
}

function readFilter(scanner: Scanner): NotifyMailboxes {
  const kind = scanner.oneOf(FILTERS, 'kind of mailboxes')
  if (kind !== 'SUBTREE' && kind !== 'MAILBOXES') return { kind }
  scanner.space()
  return { kind, names: scanner.oneOrList('mailboxes', MAX_NOTIFY_MAILBOXES, () => readMailbox(scanner)) }
}

function readEvents(scanner: Scanner, isOfSelected: boolean): NotifyEvents {
  const given = new Set<Event>()
  let items: FetchItem[] = []
  if (!scanner.skip('NONE')) {
    scanner.list('events', { min: 1, max: MAX_OPTIONS }, () => {
      const event = readEvent(scanner)
      given.add(event)
      if (event === 'MessageNew' && scanner.looksAt(' (')) {
        scanner.space()
        // RFC 5465 §5.2.
        if (!isOfSelected) scanner.fail('only for the selected mailbox can new messages be fetched')
        items = readFetchItemList(scanner)
      }
    })
  }
  // RFC 5465 §5: one without the other would leave sequence numbers unknown.
  if (given.has('MessageNew') !== given.has('MessageExpunge'))
    scanner.fail('MessageNew and MessageExpunge are given together')
  if (given.has('FlagChange') && !given.has('MessageNew'))
    scanner.fail('FlagChange needs MessageNew and MessageExpunge')
  const [mailboxName, subscriptionChange] = [given.has('MailboxName'), given.has('SubscriptionChange')]
  if (isOfSelected && (mailboxName || subscriptionChange))
    scanner.fail('the selected mailbox has events of messages only')
  const messages = given.has('MessageNew') ? { items, flagChange: given.has('FlagChange') } : undefined
  return { messages, mailboxName, subscriptionChange }
}

function readEvent(scanner: Scanner): Event {
  const name = scanner.atom('an event').toUpperCase()
  const event = EVENTS.find((known) => known.toUpperCase() === name)
  return event ?? scanner.reject('unknown event', { status: 'NO', code: `BADEVENT (${EVENTS.join(' ')})` })
}
