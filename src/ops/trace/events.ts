/** The events of one message in the log of its mailbox. */
import type { Event } from '../../mailbox/objects/objects.js'
import type { ReadEvents } from '../../mailbox/events.js'

/** Max events of the mailbox that are searched, and how many at a time. */
const MAX_LOOKED_AT = 5000
const AT_ONCE = 100
const MAX_SHOWN = 200

/** @param first number of the message's first event @returns its events, the oldest first, and notes on missing ones */
export async function eventsOf(
  mailboxes: { events: ReadEvents },
  mailboxId: string,
  messageId: string,
  first: number,
): Promise<{ events: Event[]; missing: string[] }> {
  const signal = new AbortController().signal
  const events: Event[] = []
  const missing: string[] = []
  let after = first - 1
  for (let seen = 0; ; seen += AT_ONCE) {
    const page = await mailboxes.events(mailboxId, { after, limit: AT_ONCE, waitMs: 0, gone: 'skip' }, signal)
    const oldest = page.data[0]?.seq
    if (seen === 0 && oldest !== first) missing.push('Its first events are no longer kept (retention.events_days).')
    events.push(...page.data.filter(({ data }) => data['message_id'] === messageId))
    if (events.length > MAX_SHOWN || (page.has_more && seen + AT_ONCE >= MAX_LOOKED_AT)) {
      missing.push('Later events of it may be missing: this mailbox has too many.')
      break
    }
    if (!page.has_more) break
    after = page.next_after
  }
  return { events: events.slice(0, MAX_SHOWN), missing }
}
