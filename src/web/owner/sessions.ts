/** The owner's sessions: list and end them. */
import type { Session } from '../../accounts/sessions.js'
import { html, type Html } from '../page/html.js'
import type { Visitor } from '../page/page.js'
import { browserName, exactly, moment } from '../page/words.js'
import {
  form,
  notice,
  ownerAction,
  ownerView,
  PATHS,
  providerName,
  type OwnerDeps,
  type OwnerPage,
} from '../page/person-frame.js'

const view = ownerView(PATHS.sessions, 'Sessions and devices', async ({ query, visitor }, deps) => {
  const { accountId } = visitor.session
  const [sessions, devices] = [await deps.sessions.list(accountId), await deps.sessions.devices(accountId)]
  const now = deps.clock.now()
  return html`${notice(query, { ended: 'That session has ended.', others: 'All other sessions have ended.' })}
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
    </ul>`
})

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

export const sessionPages: readonly OwnerPage[] = [view, end, endOthers]

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
