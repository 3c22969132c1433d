/** A sentence of the owner to the staff about a held or blocked message. It is kept with the message's place in the review, and goes with it. */
import { invalidRequest, ServiceError } from '../../lib/errors.js'
import { encode } from '../../store/keys.js'
import { isWaiting, type ReviewReading, type ReviewReadingDeps } from './reading.js'
import { isLine, MAX_LINE_CHARS, placeKey, readPlace, REVIEW_PARTITION, type ReviewPlace } from './rows.js'

export function createAppeals({ store, clock }: Pick<ReviewReadingDeps, 'store' | 'clock'>, reading: ReviewReading) {
  async function waiting(mailboxId: string, messageId: string) {
    const place = await store.read(REVIEW_PARTITION, (view) => readPlace(view, messageId))
    if (!place || place.mailboxId !== mailboxId || place.list === null) return undefined
    const message = await reading.find(mailboxId, messageId)
    return message && isWaiting(message, place.list, place.at, clock.now()) ? place : undefined
  }

  return {
    /** Whether the staff can still decide about a message, and what its owner has told them. Undefined if they cannot. Two reads. */
    async appealOf(mailboxId: string, messageId: string): Promise<{ appeal: string | null } | undefined> {
      const place = await waiting(mailboxId, messageId)
      return place && { appeal: place.appeal ?? null }
    },

    /**
     * Tells the staff; what was told before about the same message is replaced.
     *
     * @throws ServiceError `invalid_request` for a text that is empty, longer than 500 characters or not on one line, `not_found` if the message does not
     * wait, or not any more
     */
    async appeal(mailboxId: string, messageId: string, given: string): Promise<void> {
      const appeal = checked(given)
      const before = await waiting(mailboxId, messageId)
      await store.write(REVIEW_PARTITION, async (tx) => {
        const place = await readPlace(tx, messageId)
        // A decision since then has taken it off its list.
        if (!before || !place || place.list !== before.list || place.at !== before.at) throw decidedAlready()
        tx.put(placeKey(messageId), encode({ ...place, appeal } satisfies ReviewPlace))
      })
    },
  }
}

function checked(given: string): string {
  const appeal = given.trim()
  if (appeal !== '' && isLine(appeal)) return appeal
  throw invalidRequest(
    "The words to the staff can't be used.",
    `Write one line of 1 to ${MAX_LINE_CHARS} characters.`,
    [{ field: 'appeal', problem: `1 to ${MAX_LINE_CHARS} characters on one line` }],
  )
}

const decidedAlready = (): ServiceError =>
  new ServiceError(
    'not_found',
    'This message does not wait for the staff any more.',
    'Go back to see what was decided. One that was blocked can be sent again, and waits again if it is blocked again.',
  )
