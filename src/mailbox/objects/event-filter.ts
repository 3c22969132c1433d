/** Which events somebody wants to hear of. */
import { SPAM_LABEL } from './label-names.js'
import type { Event, EventType } from './objects.js'

/** What is given has to fit, all of it; an event that has no sender or no subject fits no word about it. */
export interface EventFilter {
  types?: ReadonlySet<EventType> | undefined
  /** An address, or `@` and a domain. */
  from?: string | undefined
  subjectContains?: string | undefined
  threadId?: string | undefined
  /** Leaves out what is about spam. */
  withoutSpam?: boolean | undefined
}

/** Whether a filter may pass few of the events. */
export function isNarrow({ types, from, subjectContains, threadId }: EventFilter): boolean {
  return [types, from, subjectContains, threadId].some((given) => given !== undefined)
}

/** Whether an event is about spam. That a message was marked as spam is about mail that was none, and is left to whoever has it. */
export function isAboutSpam({ data }: Pick<Event, 'data'>): boolean {
  const { labels, was_spam: wasSpam } = data
  return Array.isArray(labels) && labels.includes(SPAM_LABEL) && wasSpam !== false
}

/**
 * Whether an event is the first that tells of a message to those who leave out spam: it came as spam and was cleared. For them it is as if the message
 * came in now, so who waits for `message.received` gets it.
 */
function isNewlyVisible({ data }: Pick<Event, 'data'>): boolean {
  return data['newly_visible'] === true
}

function isOfTypes(event: Event, types: ReadonlySet<EventType>, withoutSpam: boolean): boolean {
  return types.has(event.type) || (withoutSpam && types.has('message.received') && isNewlyVisible(event))
}

export function fitsFilter(event: Event, filter: EventFilter): boolean {
  const { data } = event
  const { types, from, subjectContains, threadId, withoutSpam } = filter
  if (withoutSpam === true && isAboutSpam(event)) return false
  if (types && !isOfTypes(event, types, withoutSpam === true)) return false
  if (threadId !== undefined && data['thread_id'] !== threadId) return false
  if (from !== undefined && !isFrom(data['from'], from.toLowerCase())) return false
  if (subjectContains === undefined) return true
  const { subject } = data
  return typeof subject === 'string' && subject.toLowerCase().includes(subjectContains.toLowerCase())
}

function isFrom(sender: unknown, wanted: string): boolean {
  if (typeof sender !== 'object' || sender === null || !('address' in sender)) return false
  const address = String(sender.address).toLowerCase()
  return wanted.startsWith('@') ? address.endsWith(wanted) : address === wanted
}
