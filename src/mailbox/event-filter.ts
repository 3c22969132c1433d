/** Which events somebody wants to hear of. */
import type { Event, EventType } from './objects.js'

/** What is given has to fit, all of it; an event that has no sender or no subject fits no word about it. */
export interface EventFilter {
  types?: ReadonlySet<EventType> | undefined
  /** An address, or `@` and a domain. */
  from?: string | undefined
  subjectContains?: string | undefined
  threadId?: string | undefined
}

export function fitsFilter({ type, data }: Event, { types, from, subjectContains, threadId }: EventFilter): boolean {
  if (types && !types.has(type)) return false
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
