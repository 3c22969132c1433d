/** One line to the staff about a message that is held or blocked. */
import { ServiceError } from '../../lib/errors.js'
import type { Message } from '../../mailbox/objects/objects.js'
import { MAX_LINE_CHARS } from '../../mailbox/review/rows.js'
import { redirect } from '../page/frame.js'
import { html, type Html } from '../page/html.js'
import type { Visitor } from '../page/page.js'
import { form } from '../page/person-frame.js'
import { plain } from '../page/words.js'
import { inboxMailbox, itemPath, type InboxDeps, type InboxPage } from './deps.js'
import { orGone } from './gone.js'

/** The owner's line about each message that waits for the staff; null where there is none. */
export type Appeals = ReadonlyMap<string, string | null>

/** Costs two reads for each message that is held or blocked. */
export async function appealsOf(
  messages: readonly Message[],
  { reviewing }: Pick<InboxDeps, 'reviewing'>,
): Promise<Appeals> {
  if (!reviewing) return new Map()
  const stopped = messages.filter(({ status }) => status === 'held' || status === 'blocked')
  const found = await Promise.all(
    stopped.map(async ({ id, mailbox_id: mailboxId }) => ({ id, place: await reviewing.appealOf(mailboxId, id) })),
  )
  return new Map(found.flatMap(({ id, place }) => (place ? [[id, place.appeal]] : [])))
}

export function appealForm(message: Message, appeals: Appeals, visitor: Visitor): Html | undefined {
  const { id, mailbox_id: mailboxId } = message
  const told = appeals.get(id)
  if (told === undefined) return undefined
  return html`${told !== null && html`<p>You wrote to the staff: <q dir="auto">${plain(told)}</q></p>`}
  ${form(
    visitor,
    `${itemPath(mailboxId, id)}/appeal`,
    html`<label for="appeal-${id}"
        >${told === null ? ASK[message.status === 'held' ? 'held' : 'blocked'] : 'Write something else'}</label
      >
      <input type="text" id="appeal-${id}" name="appeal" maxlength="${MAX_LINE_CHARS}" required autocomplete="off" />
      <button class="plain">Tell the staff</button>`,
  )}`
}

const ASK = {
  held: 'Tell the staff in one line what it is for: they read it before they decide.',
  blocked: 'Was it wrong to block it? Tell the staff in one line: within 7 days they can still send it.',
}

export const appealPage: InboxPage = {
  method: 'POST',
  path: `${itemPath('{mailbox_id}', '{id}')}/appeal`,
  access: 'session',
  async answer({ params, visitor, form: sent, audit }, deps) {
    const { reviewing } = deps
    if (!reviewing) throw new ServiceError('not_found', 'There is no review here.', 'Nothing was sent to the staff.')
    const mailbox = await inboxMailbox(visitor, params['mailbox_id'] ?? '', deps)
    const id = params['id'] ?? ''
    const message = await orGone(() => deps.mailboxes.reading.message(mailbox.id, id))
    const back = `${itemPath(mailbox.id, message.thread_id)}?done=`
    try {
      await audit({ action: 'review.appealed', subject: { mailbox_id: mailbox.id, message_id: id } }, () =>
        reviewing.appeal(mailbox.id, id, sent.get('appeal') ?? ''),
      )
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      if (error.code === 'not_found') return redirect(`${back}decided`)
      if (error.code === 'invalid_request') return redirect(`${back}noline`)
      throw error
    }
    return redirect(`${back}appealed`)
  },
}
