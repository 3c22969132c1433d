/** Accounts: authentication of keys, the possessions of an owner, and limits of sending. */
import type { Clock } from '../lib/clock.js'
import { invalidRequest } from '../lib/errors.js'
import { addressKey, parseAddress } from '../mime/address.js'
import type { WorkQueue } from '../queue/types.js'
import { readFrom } from '../store/read-from.js'
import type { Store, View } from '../store/types.js'
import { createAuthenticate, type CredentialSource } from './callers.js'
import { createCounting } from './outcome-counting.js'
import { createIdentities } from './identities.js'
import { createKeyRing } from './key-ring.js'
import { candidates, countMessage, limitReached, readNewRecipients, usedToday } from './recipients.js'
import { similarTo } from './similar.js'
import {
  accountIdOf,
  accountPartition,
  ensureAccount,
  enterOwned,
  listAccounts,
  META,
  mustReadAccount,
  readAccount,
} from './record.js'
import { enterMailboxOf, forgetMailboxOf, listMailboxIds } from './mailbox-list.js'
import { createSuspension } from './suspension.js'
import { DEFAULT_LINES, type LevelChange, type TrustLines } from './trust.js'
import type { Accounts, EndedAccess } from './types.js'
import { readUsage, type AccountLimits, type AccountMailbox } from './usage.js'

export interface AccountsDeps {
  store: Store
  clock: Clock
  limits: AccountLimits
  /** @param view a read in progress, of which it becomes a part */
  mailbox: (mailboxId: string, view?: View) => Promise<AccountMailbox | undefined>
  /** Partition of that record: needed for caching callers. */
  mailboxPartition?: (mailboxId: string) => string
  /** Email whose account is the operator's own; '' or missing if not configured. */
  operator?: string
  /** Verified emails of the staff of this server. */
  staff?: readonly string[]
  accessTokens?: CredentialSource
  /** Receives tasks after an account is suspended or reinstated; missing: none are queued. */
  queue?: Pick<WorkQueue, 'add'>
  trustLines?: TrustLines
  onLevel?: (accountId: string, change: LevelChange) => void
}

export function createAccounts(deps: AccountsDeps): Accounts {
  const { store, clock, limits } = deps
  const operator = deps.operator ? addressKey(deps.operator) : undefined

  const ownerOf = (owner: string | null): string | null => {
    const email = owner === null ? null : ownerEmail(owner)
    return email === operator ? null : email
  }
  const staff = new Set((deps.staff ?? []).map(addressKey))
  const listeners = new Set<(ended: EndedAccess) => void>()
  const tell = (ended: EndedAccess): void => listeners.forEach((listener) => listener(ended))

  const { suspendWithin, ...suspension } = createSuspension({
    store,
    clock,
    queue: deps.queue,
    onSuspend: (accountId) => tell({ accountId }),
  })
  const counting = createCounting({
    store,
    clock,
    lines: deps.trustLines ?? DEFAULT_LINES,
    suspend: suspendWithin,
    onLevel: deps.onLevel,
  })

  return {
    ...createKeyRing({
      store,
      clock,
      mailbox: deps.mailbox,
      onEnd: (keyId) => tell({ keyId }),
    }),
    ...createIdentities({ store, clock, operator, staff }),
    ...suspension,
    ...counting,

    ...createAuthenticate(deps),

    onAccessEnd(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },

    cutOff: (accountId) => tell({ accountId }),
    cutOffKey: (keyId) => tell({ keyId }),
    cutOffMailbox: (mailboxId) => tell({ mailboxId }),

    get: (accountId, view) => readFrom(view ?? store, accountPartition(accountId), readAccount),

    ensure: (owner) => ensureAccount(store, ownerOf(owner), clock.now()),
    entering: (owner, isSure) => enterOwned(store, ownerOf(owner), clock.now(), isSure),

    async findOwner(email) {
      return store.read(META, async (view) => {
        const id = await accountIdOf(view, ownerOf(email))
        return id === undefined ? undefined : readAccount(view.in(accountPartition(id)))
      })
    },

    list: () => listAccounts(store),

    addMailbox: (accountId, mailboxId, atMost) =>
      store.write(accountPartition(accountId), (tx) => enterMailboxOf(tx, accountId, mailboxId, clock.now(), atMost)),

    forgetMailbox: (accountId, mailboxId) =>
      store.write(accountPartition(accountId), (tx) => forgetMailboxOf(tx, mailboxId)),

    mailboxes: (accountId) => listMailboxIds(store, accountId),

    async countMessage(tx, accountId, addresses, free, { print, traits } = {}) {
      const account = await mustReadAccount(tx, accountId)
      const recipients = candidates(addresses, free)
      return countMessage(tx, account, { recipients, print, traits }, limits.newRecipientsPerDay, clock)
    },

    async previewRecipients(accountId, addresses, free, { print, traits } = {}, { refuses = false, view: from } = {}) {
      const recipients = candidates(addresses, free)
      return readFrom(from ?? store, accountPartition(accountId), async (view) => {
        const [{ fresh, limit, left, measured }, similar] = await Promise.all([
          mustReadAccount(view, accountId).then((account) =>
            readNewRecipients(view, account, recipients, limits.newRecipientsPerDay, clock, traits),
          ),
          print && similarTo(view, print, clock.now()),
        ])
        if (refuses && fresh.length > left) throw limitReached(fresh.length, limit, left, clock)
        const story = measured?.story
        return { fresh, left: Math.max(0, left), ...(similar && { similar }), ...(story && { story }) }
      })
    },

    async usage(accountId) {
      const trust = await counting.trust(accountId)
      const { account, used } = await store.read(accountPartition(accountId), async (view) => ({
        account: await mustReadAccount(view, accountId),
        used: await usedToday(view, clock),
      }))
      return readUsage({
        account,
        used,
        trust,
        mailboxIds: await listMailboxIds(store, accountId),
        mailbox: deps.mailbox,
        limits,
        clock,
      })
    },
  }
}

/**
 * An owner's email in its stored form: lower-cased.
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
