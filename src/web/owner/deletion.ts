/** Account deletion: consequences, request, cancellation. */
import { ServiceError } from '../../lib/errors.js'
import { html } from '../page/html.js'
import { exactly } from '../page/words.js'
import { form, notice, ownerAction, ownerView, PATHS, type OwnerPage } from '../page/person-frame.js'

/** The word to type, against accidental deletion. */
const WORD = 'delete'

const view = ownerView(PATHS.deletion, 'Delete account', async ({ query, visitor }, deps) => {
  const pending = await deps.deletion.pending(visitor.session.accountId)
  const mailboxes = await deps.accounts.mailboxes(visitor.session.accountId)
  return html`${notice(query, {
    started: 'Your account will be deleted. You can change your mind until then.',
    cancelled: 'Your account stays. The keys of your agents work again.',
  })}
  ${
    pending
      ? html`<p>It was requested on ${exactly(pending.startedAt)}, and happens on ${exactly(pending.endsAt)}.</p>`
      : html`<p>
            Sending stops at once, and the keys of your agents no longer work. For 30 days mail still arrives, and you
            can change your mind here. Then everything is removed for good: mail and attachments,
            ${mailboxes.length === 1 ? 'your mailbox' : `your ${mailboxes.length} mailboxes`}, keys, sign-ins and
            settings. It can't be brought back.
          </p>
          <p>You may want to <a href="${PATHS.export}">make an archive</a> first.</p>
          ${form(
            visitor,
            PATHS.deletion,
            html`<label for="word">Type <strong>${WORD}</strong> to confirm</label>
              <input type="text" id="word" name="word" required autocomplete="off" />
              <p><button class="danger">Delete my account</button></p>`,
          )}`
  }`
})

const start = ownerAction(PATHS.deletion, async ({ form: sent, visitor: { session }, audit }, { deletion }) => {
  if ((sent.get('word') ?? '').trim().toLowerCase() !== WORD)
    throw new ServiceError(
      'invalid_request',
      `The word was not "${WORD}", so nothing was changed.`,
      `Go back to ${PATHS.deletion} and type it, if you want to delete your account.`,
    )
  await audit({ action: 'account.deletion_scheduled' }, () =>
    deletion.start(session.accountId, { kind: 'session', id: session.id }),
  )
  return `${PATHS.deletion}?done=started`
})

const cancel = ownerAction(`${PATHS.deletion}/cancel`, async ({ visitor: { session }, audit }, { deletion }) => {
  await audit({ action: 'account.deletion_cancelled' }, () =>
    deletion.cancel(session.accountId, { kind: 'session', id: session.id }),
  )
  return `${PATHS.deletion}?done=cancelled`
})

export const deletionPages: readonly OwnerPage[] = [view, start, cancel]
