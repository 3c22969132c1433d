/** A human's decision on a client's request, and the code that the client gets (RFC 6749 §4.1.2). */
import { isLeaving } from '../accounts/mailbox-list.js'
import { accountPartition, readAccount } from '../accounts/record.js'
import { requireActive } from '../accounts/refusals.js'
import type { Clock } from '../lib/clock.js'
import { notFound, ServiceError } from '../lib/errors.js'
import { newId } from '../lib/ids.js'
import type { Store } from '../store/types.js'
import {
  CODE_KNOWN_MS,
  CODE_MS,
  isOver,
  putRow,
  readRows,
  removeRow,
  type Lists,
  type StoredConnection,
} from './record.js'
import { answerAt } from './redirect-uris.js'
import { checkRequest, type RequestsDeps } from './requests.js'
import { OAUTH_SCOPES } from './scopes.js'
import { newCode } from './tokens.js'
import type { AuthorizationRequest, Consent } from './types.js'

export interface ConsentDeps extends RequestsDeps {
  store: Store
  clock: Clock
  lists: Lists
  /** The account of a mailbox; undefined when it is gone. */
  mailbox: (mailboxId: string) => Promise<{ accountId: string | null; status: 'pending' | 'claimed' } | undefined>
  limits: ConnectionLimits
}

export interface ConnectionLimits {
  perMailbox: number
  perAccount: number
}

export function createConsent(deps: ConsentDeps): Consent {
  const { store, clock, lists, issuer } = deps
  return {
    check: (query, remoteAddress) => checkRequest(deps, query, remoteAddress),

    async allow(request, { accountId, mailboxId, scopes }) {
      const mailbox = await deps.mailbox(mailboxId)
      if (mailbox?.accountId !== accountId || mailbox.status !== 'claimed') throw notFound('mailbox')
      if (scopes.length === 0 || !scopes.every((scope) => request.scopes.includes(scope)))
        throw new Error('more scopes are allowed than requested, or none')
      const { text, hash } = newCode()
      const now = clock.now()
      const made = connectionOf(request, { accountId, mailboxId, scopes }, hash, now)
      await lists.codes.put(hash, { accountId, connectionId: made.id }, now + CODE_KNOWN_MS)
      await store.write(accountPartition(accountId), async (tx) => {
        const account = await readAccount(tx)
        if (!account || (await isLeaving(tx, mailboxId))) throw notFound('mailbox')
        requireActive(account)
        const rows = await readRows(tx)
        for (const old of rows) if (isOver(old, now)) removeRow(tx, old.id)
        requireRoom(
          rows.filter((each) => !isOver(each, now)),
          mailboxId,
          deps.limits,
        )
        putRow(tx, made)
      })
      return answerAt(request.redirectUri, { code: text, state: request.state, iss: issuer })
    },

    refuse: ({ redirectUri, state }) =>
      answerAt(redirectUri, {
        error: 'access_denied',
        error_description: 'The owner of the mailbox refused',
        state,
        iss: issuer,
      }),
  }
}

function connectionOf(
  { client: { id, name, host, kind }, redirectUri, resource, codeChallenge }: AuthorizationRequest,
  { accountId, mailboxId, scopes }: Parameters<Consent['allow']>[1],
  codeHash: string,
  now: number,
): StoredConnection {
  const codeEndsAt = now + CODE_MS
  return {
    id: newId('con', now),
    accountId,
    mailboxId,
    client: { id, name, host, kind },
    scopes: OAUTH_SCOPES.filter((scope) => scopes.includes(scope)),
    resource,
    createdAt: now,
    usedAt: null,
    expiresAt: codeEndsAt,
    codeHash,
    state: { is: 'waiting', codeEndsAt, redirectUri, challenge: codeChallenge },
  }
}

/** No connection is ended for a new one: a working agent would stop without notice. @throws ServiceError `limit_reached` */
function requireRoom(
  living: StoredConnection[],
  mailboxId: string,
  { perMailbox, perAccount }: ConnectionLimits,
): void {
  const ofMailbox = living.filter((each) => each.mailboxId === mailboxId).length
  if (ofMailbox < perMailbox && living.length < perAccount) return
  throw new ServiceError(
    'limit_reached',
    ofMailbox < perMailbox
      ? `An account can have ${perAccount} connections.`
      : `A mailbox can have ${perMailbox} connections.`,
    'End an unused one at the page of your account, then start again from the program.',
  )
}
