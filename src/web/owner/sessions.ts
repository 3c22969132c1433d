/** The owner's sessions: list and end them. */
import type { Session } from '../../accounts/sessions.js'
import { html, type Html } from '../page/html.js'
import type { PageInput, Visitor } from '../page/page.js'
import { PASSKEY_SCRIPT_PATH } from '../sign-in/passkey-script.js'
import { passkeyOwnerPages, passkeySection } from './passkeys.js'
import { browserName, exactly, moment } from '../page/words.js'
import {
  form,
  notice,
  ownerAction,
  ownerPage,
  PATHS,
  providerName,
  type OwnerDeps,
  type OwnerPage,
} from '../page/person-frame.js'

const view: OwnerPage = {
  method: 'GET',
  path: PATHS.sessions,
  access: 'session',
  answer: async (input, deps) =>
    ownerPage(
      {
        place: PATHS.sessions,
        title: 'Sessions and devices',
        body: await bodyOf(input, deps),
        ...(deps.passkeys && { script: PASSKEY_SCRIPT_PATH }),
      },
      input.visitor,
      deps,
    ),
}

async function bodyOf({ query, visitor }: PageInput<Visitor>, deps: OwnerDeps): Promise<Html> {
  const { accountId } = visitor.session
  const [sessions, devices] = [await deps.sessions.list(accountId), await deps.sessions.devices(accountId)]
  const now = deps.clock.now()
  return html`${notice(query, NOTICES)}
    <p>If you don't know one of these, end it, and change your password where you sign in.</p>
    <ul>
      ${sessions.map((session) => sessionItem(session, visitor, deps))}
    </ul>
    ${
      sessions.length > 1 &&
      form(visitor, `${PATHS.sessions}/end-others`, html`<button class="danger">End all other sessions</button>`)
    }
    <h2>Devices</h2>
    <p class="small">Browsers that have signed in to this account.</p>
    <ul>
      ${devices.map(
        (device) =>
          html`<li>
            ${browserName(device.userAgent)}
            <span class="small">first ${exactly(device.firstAt)}, last ${moment(device.lastAt, now)}</span>
          </li>`,
      )}
    </ul>
    ${await passkeySection(visitor, deps)}`
}

const NOTICES = {
  ended: 'That session has ended.',
  others: 'All other sessions have ended.',
  'passkey-added': 'The passkey was added: sign in with it from now on.',
  'passkey-removed': 'The passkey was removed. Sessions that it opened go on until you end them.',
}

const end = ownerAction(`${PATHS.sessions}/{id}/end`, async ({ params, visitor, audit }, { sessions }) => {
  const ended = params['id'] ?? ''
  await audit({ action: 'session.ended', subject: { session_id: ended } }, () =>
    sessions.end(visitor.session.accountId, ended),
  )
  return `${PATHS.sessions}?done=ended`
})

const endOthers = ownerAction(`${PATHS.sessions}/end-others`, async ({ visitor: { session }, audit }, { sessions }) => {
  await audit({ action: 'session.ended', subject: { name: 'all others' } }, () =>
    sessions.endAll(session.accountId, session.id),
  )
  return `${PATHS.sessions}?done=others`
})

export const sessionPages: readonly OwnerPage[] = [view, end, endOthers, ...passkeyOwnerPages]

function sessionItem(session: Session, visitor: Visitor, deps: Pick<OwnerDeps, 'providers' | 'clock'>): Html {
  const now = deps.clock.now()
  const { id, userAgent, network, identity, createdAt, seenAt, expiresAt } = session
  const isThis = id === visitor.session.id
  return html`<li class="card">
    <strong>${browserName(userAgent)}${isThis && ' (this one)'}</strong>
    <div class="small">
      Signed in ${moment(createdAt, now)} with ${providerName(deps, identity.provider)} from ${network}; last seen
      ${moment(seenAt, now)}; ends ${moment(expiresAt, now)} when it is not used.
    </div>
    ${!isThis && form(visitor, `${PATHS.sessions}/${id}/end`, html`<button class="danger">End this session</button>`)}
  </li>`
}
