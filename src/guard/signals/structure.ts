/** Points of the spam score from the form of a message: details that mail programs get right and spam scripts often do not. */
import { DAY } from '../../lib/clock.js'
import { domainOf } from '../../mime/address.js'
import type { ParsedMessage } from '../../mime/types.js'
import type { SpamReason } from '../types.js'

/** Free mail services; a business with its own domain that takes replies there is suspicious. */
const FREE_MAIL =
  /^(?:gmail|googlemail|outlook|hotmail|live|msn|yahoo|ymail|aol|gmx|mail|inbox|protonmail|proton|zoho|yandex|qq|163|126|mail2world)\.(?:com|net|org|de|fr|co\.uk|ru|me|[a-z]{2})$/

export function structurePoints(parsed: ParsedMessage, now: number | undefined): SpamReason[] {
  const found: SpamReason[] = []
  const { from, date, messageId, subject, inReplyTo, references, replyTo, automation } = parsed
  const add = (code: string, score: number, detail: string): void => void found.push({ code, score, detail })

  if (parsed.fromCount === 0) add('no_from', 1.5, 'has no author')
  else if (parsed.fromCount > 1) add('several_from', 2, 'has more than one author')
  // RFC 5322 §3.6: the origination date is required.
  if (date === null) add('no_date', 1, 'has no valid date')
  else if (now !== undefined && date > now + DAY) add('date_in_future', 1, 'has a date more than a day in the future')
  if (messageId === null) add('no_message_id', 0.5, 'has no Message-ID')
  if (parsed.to.length + parsed.cc.length === 0 && automation === null)
    add('no_recipient_named', 0.5, 'names no recipient')
  if (/^re:/i.test(subject) && inReplyTo === null && references.length === 0 && automation === null)
    add('reply_to_nothing', 0.5, 'has the subject of a reply, but replies to nothing')
  if (subject.trim() === '' && parsed.text.trim() === '' && parsed.attachments.length === 0)
    add('empty', 0.5, 'is empty')

  const [answerTo] = replyTo
  if (from && answerTo && automation !== 'list') {
    const [author, answers] = [domainOf(from.address), domainOf(answerTo.address)]
    const isElsewhere = author !== answers && FREE_MAIL.test(answers)
    if (isElsewhere && FREE_MAIL.test(author))
      add('other_free_mail', 1, `comes from ${author}, but replies go to ${answers}`)
    else if (isElsewhere) add('answers_to_free_mail', 1, `comes from ${author}, but replies go to ${answers}`)
  }
  return found
}
