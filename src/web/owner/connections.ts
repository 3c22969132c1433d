/** The owner's connected clients: scopes, last use, and ending a connection. */
import type { Connection } from '../../oauth/types.js'
import { html, type Html } from '../page/html.js'
import type { Visitor } from '../page/page.js'
import { scopeWords } from '../page/scopes.js'
import { moment, plain } from '../page/words.js'
import { form, notice, ownerAction, ownerView, PATHS, type OwnerDeps, type OwnerPage } from '../page/person-frame.js'
import { mailboxPath } from './mailboxes.js'

const view = ownerView(PATHS.connections, 'Connections', async ({ query, visitor }, deps) => {
  const all = await deps.connections.list(visitor.session.accountId)
  const groups = await byMailbox(all, deps)
  const now = deps.clock.now()
  return html`${notice(query, { revoked: 'That connection has ended. The program no longer has access.' })}
    <p>Programs that you let use a mailbox. If you don't know one of these, end it.</p>
    ${groups.length === 0 && html`<p class="empty">None is connected. A program that wants to use a mailbox sends you here to allow it, and is listed from then on.</p>`}
    ${groups.map(
      ({ mailboxId, address, connections }) =>
        html`<h2><a href="${mailboxPath(mailboxId)}">${address}</a></h2>
          ${connectionList(connections, visitor, now)}`,
    )}`
})

const revoke = ownerAction(`${PATHS.connections}/{id}/revoke`, async ({ params, visitor, audit }, { connections }) => {
  const id = params['id'] ?? ''
  await audit({ action: 'connection.revoked', subject: { connection_id: id } }, () =>
    connections.revoke(visitor.session.accountId, id),
  )
  return `${PATHS.connections}?done=revoked`
})

export const connectionPages: readonly OwnerPage[] = [view, revoke]

interface Group {
  mailboxId: string
  address: string
  connections: Connection[]
}

/** In the order in which each mailbox has its newest. */
async function byMailbox(all: readonly Connection[], { mailboxes }: Pick<OwnerDeps, 'mailboxes'>): Promise<Group[]> {
  const groups = new Map<string, Connection[]>()
  for (const each of all) groups.set(each.mailboxId, [...(groups.get(each.mailboxId) ?? []), each])
  return Promise.all(
    [...groups].map(async ([mailboxId, connections]) => {
      const mailbox = await mailboxes.directory.get(mailboxId)
      return { mailboxId, address: mailbox?.address ?? 'A deleted mailbox', connections }
    }),
  )
}

export function connectionList(connections: readonly Connection[], visitor: Visitor, now: number): Html {
  return html`<ul>
    ${connections.map(
      (each) =>
        html`<li class="card">
          <strong><bdi>${plain(each.client.name)}</bdi></strong> ${whose(each)}
          <div class="small">
            May ${scopeWords(each.scopes)}. Connected ${moment(each.createdAt, now)},
            ${each.lastUsedAt === null ? 'never used' : html`last used ${moment(each.lastUsedAt, now)}`}; ends
            ${moment(each.expiresAt, now)} when it is not used.
          </div>
          <details>
            <summary>End this connection</summary>
            <p>The program is cut off at once. To regain access it has to ask you again.</p>
            ${form(
              visitor,
              `${PATHS.connections}/${each.id}/revoke`,
              html`<button class="danger">End it: <bdi>${plain(each.client.name)}</bdi></button>`,
            )}
          </details>
        </li>`,
    )}
  </ul>`
}

function whose({ client: { kind, host } }: Connection): Html {
  return kind === 'document' && host !== null
    ? html`of <strong>${host}</strong>`
    : html`<span class="small">(name not verified)</span>`
}
