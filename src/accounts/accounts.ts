/** Accounts: who stands behind a key, what an owner has, and what may be sent. */
import type { Clock } from '../lib/clock.js'
import { ServiceError, invalidRequest } from '../lib/errors.js'
import { newId, sha256Hex } from '../lib/ids.js'
import { addressKey, parseAddress } from '../mime/address.js'
import { encode, key, keyAfter, keyParts, prefixRange } from '../store/keys.js'
import type { Store } from '../store/types.js'
import { findKey, newKeyText, putKey } from './keys.js'
import { candidates, dailyLimit, freshOnes, reserve, usedToday } from './recipients.js'
import { accountPartition, ensureAccount, mustReadAccount, readAccount } from './record.js'
import { requireActive } from './standing.js'
import { complaintsOf, refuseSuppressed } from './suppressions.js'
import type { Accounts } from './types.js'
import { readUsage } from './usage.js'
import type { AccountLimits, AccountMailbox } from './usage.js'

export interface AccountsDeps {
  store: Store
  clock: Clock
  limits: AccountLimits
  /** Record of a mailbox; undefined when it is gone. */
  mailbox: (mailboxId: string) => Promise<AccountMailbox | undefined>
  /** Email whose account is the operator's own; '' or missing when the operator has named none. */
  operator?: string
}

const PAGE = 500

export function createAccounts(deps: AccountsDeps): Accounts {
  const { store, clock, limits } = deps
  const operator = deps.operator ? addressKey(deps.operator) : undefined

  async function mailboxes(accountId: string): Promise<string[]> {
    const ids: string[] = []
    const { gte, lt } = prefixRange('mailbox')
    for (let from = gte; ;) {
      const page = await store.read(accountPartition(accountId), (view) => view.range({ gte: from, lt, limit: PAGE }))
      for (const [entry] of page) ids.push(String(keyParts(entry)[1]))
      const last = page.at(-1)
      if (!last || page.length < PAGE) return ids
      from = keyAfter(last[0])
    }
  }

  return {
    // On the path of every request: three reads, no write.
    async authenticate(bearer) {
      const found = await findKey(store, bearer)
      const mailbox = found && (await deps.mailbox(found.mailboxId))
      if (!found || !mailbox) return undefined
      const account =
        mailbox.accountId === null ? undefined : await store.read(accountPartition(mailbox.accountId), readAccount)
      return { keyId: found.keyId, mailboxId: found.mailboxId, account, mailboxStatus: mailbox.status }
    },

    async createKey(mailboxId) {
      const mailbox = await deps.mailbox(mailboxId)
      if (!mailbox) throw noSuchMailbox()
      if (mailbox.accountId === null) {
        throw new ServiceError(
          'claim_pending',
          'The mailbox is not approved yet.',
          'Approve it with `restante claim approve ADDRESS` first.',
        )
      }
      const now = clock.now()
      const keyId = newId('key', now)
      const text = newKeyText('further')
      const hash = sha256Hex(text)
      // The index first: an entry without a key is harmless, a key that no list shows could never be revoked.
      await store.write(accountPartition(mailbox.accountId), (tx) => tx.put(key('key', mailboxId, keyId), encode(hash)))
      await putKey(store, hash, { keyId, mailboxId, createdAt: now })
      return { keyId, key: text }
    },

    get: (accountId) => store.read(accountPartition(accountId), readAccount),

    ensure(owner) {
      const email = owner === null ? null : ownerEmail(owner)
      return ensureAccount(store, email === operator ? null : email, clock.now())
    },

    async addMailbox(accountId, mailboxId) {
      const entry = key('mailbox', mailboxId)
      await store.write(accountPartition(accountId), async (tx) => {
        if (!(await tx.get(entry))) tx.put(entry, encode(clock.now()))
      })
    },

    mailboxes,

    async reserveRecipients(accountId, messageId, addresses, free) {
      const recipients = candidates(addresses, free)
      return store.write(accountPartition(accountId), async (tx) => {
        const account = await mustReadAccount(tx, accountId)
        return { fresh: await reserve(tx, account, messageId, recipients, limits.newRecipientsPerDay, clock) }
      })
    },

    async previewRecipients(accountId, addresses, free) {
      const recipients = candidates(addresses, free)
      return store.read(accountPartition(accountId), async (view) => {
        const account = await mustReadAccount(view, accountId)
        requireActive(account)
        await refuseSuppressed(view, [...recipients.keys()])
        const left = dailyLimit(limits.newRecipientsPerDay, account.trust) - (await usedToday(view, clock))
        return { fresh: await freshOnes(view, recipients), left: Math.max(0, left) }
      })
    },

    async usage(accountId) {
      const { account, used, complaints } = await store.read(accountPartition(accountId), async (view) => ({
        account: await mustReadAccount(view, accountId),
        used: await usedToday(view, clock),
        complaints: await complaintsOf(view, clock),
      }))
      return readUsage({
        account,
        used,
        complaints,
        mailboxIds: await mailboxes(accountId),
        mailbox: deps.mailbox,
        limits,
        clock,
      })
    },
  }
}

/** For the operator, who names mailboxes by their address. */
export function noSuchMailbox(): ServiceError {
  return new ServiceError('not_found', 'There is no such mailbox.', 'List mailboxes with `restante mailbox list`.')
}

/**
 * An owner's email as it is stored: lower-cased.
 *
 * @throws ServiceError `invalid_request` when it is not one plain address
 */
export function ownerEmail(text: string): string {
  const parsed = parseAddress(text.trim())
  if (!parsed || parsed.name !== '') {
    throw invalidRequest('The owner is not an email address.', 'Give it as `name@example.com`.', [
      { field: 'owner', problem: 'one plain email address' },
    ])
  }
  return addressKey(parsed.address)
}
