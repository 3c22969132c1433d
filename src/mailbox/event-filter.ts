import { SPAM_LABEL } from './labels.js'
import type { Event, EventType } from './objects/objects.js'
import { addressKey } from '../mime/address.js'

/** Events for those only who name their type: bringing in a thousand old messages is nothing that an agent has to act on. */
const ONLY_BY_NAME: ReadonlySet<EventType> = new Set(['message.imported'])

/** @param types those that are wanted; undefined or null for all but a few that must be named */
export const isWantedType = (type: EventType, types: { has(type: EventType): boolean } | undefined | null): boolean =>
  types ? types.has(type) : !ONLY_BY_NAME.has(type)

/** All given conditions must match; an event without sender or subject matches no condition on it. */
export interface EventFilter {
  types?: ReadonlySet<EventType> | undefined
  /** An address, or `@` and a domain. */
  from?: string | undefined
  subjectContains?: string | undefined
  threadId?: string | undefined
  /** Excludes events about spam. */
  withoutSpam?: boolean | undefined
}

export function isNarrow({ types, from, subjectContains, threadId }: EventFilter): boolean {
  return [types, from, subjectContains, threadId].some((given) => given !== undefined)
}

/** True if an event is about spam. Marking a message as spam is about mail that was not spam, so it is announced to all. */
export function isAboutSpam({ data }: Pick<Event, 'data'>): boolean {
  const { labels, was_spam: wasSpam } = data
  return Array.isArray(labels) && labels.includes(SPAM_LABEL) && wasSpam !== false
}

/** For clients that exclude spam, unmarked spam counts as `message.received`. */
function isNewlyVisible({ data }: Pick<Event, 'data'>): boolean {
  return data['newly_visible'] === true
}

function isOfTypes(event: Event, types: ReadonlySet<EventType> | undefined, withoutSpam: boolean): boolean {
  if (isWantedType(event.type, types)) return true
  return withoutSpam && types?.has('message.received') === true && isNewlyVisible(event)
}

export function fitsFilter(event: Event, filter: EventFilter): boolean {
  const { data } = event
  const { types, from, subjectContains, threadId, withoutSpam } = filter
  if (withoutSpam === true && isAboutSpam(event)) return false
  if (!isOfTypes(event, types, withoutSpam === true)) return false
  if (threadId !== undefined && data['thread_id'] !== threadId) return false
  if (from !== undefined && !isFrom(data['from'], addressKey(from))) return false
  if (subjectContains === undefined) return true
  const { subject } = data
  return typeof subject === 'string' && subject.toLowerCase().includes(subjectContains.toLowerCase())
}

function isFrom(sender: unknown, wanted: string): boolean {
  if (typeof sender !== 'object' || sender === null || !('address' in sender)) return false
  const address = addressKey(String(sender.address))
  return wanted.startsWith('@') ? address.endsWith(wanted) : address === wanted
}
