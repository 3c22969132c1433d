/** Further mailboxes of an account, and aliases of each. An address is a separate partition, where concurrent requests for it conflict. */
import { enterMailboxOf } from '../../accounts/mailbox-list.js'
import { accountPartition, mustReadAccount } from '../../accounts/record.js'
import { requireActive } from '../../accounts/refusals.js'
import type { Accounts } from '../../accounts/types.js'
import { normalizeDomain } from '../../config/setting/address.js'
import type { Clock } from '../../lib/clock.js'
import { invalidRequest, ServiceError } from '../../lib/errors.js'
import { leaveAddress, partitionOfAddress, takeAddress } from '../../mailbox/addresses.js'
import { appendEvent } from '../../mailbox/events.js'
import { mailboxPartition } from '../../mailbox/keys.js'
import { changeWithin, enterMailbox, mailboxOf, requireMailbox, readMailbox } from '../../mailbox/record.js'
import type { Alias, MailboxRecord } from '../../mailbox/mailbox-record.js'
import { domainOf, parseAddress } from '../../mime/address.js'
import type { Store, Transaction, View } from '../../store/types.js'
import { readOwnDomain } from '../domains/record.js'
import { checkAgentName, checkNameForm, nameTaken, reservedNames } from './names.js'
import { OPERATOR_NAMES } from './operator-mailbox.js'

export interface AccountMailboxesLimits {
  mailboxesPerAccount: number
  aliasesPerMailbox: number
}

export interface AccountMailboxesDeps {
  store: Store
  clock: Clock
  accounts: Pick<Accounts, 'mailboxes'>
  /** Domains of the server; the first is the default. */
  domains: readonly string[]
  /** Names that cannot be claimed on the server's domains. */
  reserved: readonly string[]
  limits: AccountMailboxesLimits
}

const OWN_DOMAIN_NAME = /^[a-z0-9](?:[a-z0-9._+-]{0,62}[a-z0-9])?$/

export type AccountMailboxes = ReturnType<typeof createAccountMailboxes>

export function createAccountMailboxes(deps: AccountMailboxesDeps) {
  const { store, clock, accounts, limits } = deps
  const domains = deps.domains.map((domain) => domain.toLowerCase())
  const refuseReserved = reservedNames([...OPERATOR_NAMES, ...deps.reserved], CHOOSE_ANOTHER)

  /** Within a read of the account. */
  const mayBeOn = async (view: View, domain: string): Promise<boolean> =>
    domains.includes(domain) || (await readOwnDomain(view, domain))?.status === 'verified'

  /** @throws ServiceError for a name that this account can't have */
  async function checkName(accountId: string, name: string, domain: string): Promise<void> {
    if (domains.includes(domain)) {
      checkNameForm(name, CHOOSE_ANOTHER)
      refuseReserved(name)
      return
    }
    const isOwn = await store.read(accountPartition(accountId), (view) => mayBeOn(view, domain))
    if (!isOwn) throw noSuchDomain(domain, domains)
    // On a custom domain all names are free, except those with a tag and those that every domain needs.
    if (!OWN_DOMAIN_NAME.test(name) || /[.+]{2}|\+/.test(name))
      throw invalidRequest(
        "The name can't be used.",
        'Choose 1 to 64 characters of a-z, 0-9, ".", "-" and "_", and begin and end with a letter or digit.',
        [{ field: 'name', problem: 'Not 1 to 64 characters of a-z, 0-9, ".", "-" and "_"' }],
      )
  }

  /** Within a transaction of the account. */
  async function mustBeActive(tx: Transaction, accountId: string): Promise<void> {
    requireActive(await mustReadAccount(tx, accountId))
  }

  return {
    /** Mailboxes of an account, oldest first, without those being created or removed. */
    async mailboxes(accountId: string): Promise<MailboxRecord[]> {
      const found = await Promise.all((await accounts.mailboxes(accountId)).map((id) => readMailbox(store, id)))
      return found.filter((mailbox) => mailbox !== undefined).filter((mailbox) => mailbox.accountId === accountId)
    },

    /**
     * Creates a further mailbox. Idempotent by id.
     *
     * @throws ServiceError `invalid_request`, `name_taken`, `name_reserved`, `limit_reached`, `account_suspended`, `account_deletion_pending`
     */
    async createMailbox(
      accountId: string,
      given: { id: string; name: string; domain?: string | undefined; agentName?: string | undefined },
    ): Promise<MailboxRecord> {
      const { id, name, domain: asked = domains[0] ?? '', agentName } = given
      const domain = normalizeDomain(asked) ?? asked.toLowerCase()
      await checkName(accountId, name, domain)
      const address = `${name}@${domain}`
      const shownName = checkAgentName(agentName)
      const place = partitionOfAddress(address)
      return store.write([accountPartition(accountId), place, mailboxPartition(id)], async (tx) => {
        const before = await mailboxOf(tx.in(mailboxPartition(id)))
        if (before) return before
        await mustBeActive(tx, accountId)
        const now = clock.now()
        await enterMailboxOf(tx, accountId, id, now, limits.mailboxesPerAccount)
        if (!(await mayBeOn(tx, domain))) throw noSuchDomain(domain, domains)
        if (!(await takeAddress(tx.in(place), id, now))) throw nameTaken(address, CHOOSE_ANOTHER)
        enterMailbox(tx, { id, address, agentName: shownName, claimId: null, status: 'claimed', accountId, now })
        return requireMailbox(tx.in(mailboxPartition(id)))
      })
    },

    async aliases(mailboxId: string): Promise<Alias[]> {
      return (await readMailbox(store, mailboxId))?.aliases ?? []
    },

    /** Creates an alias, with an event `mailbox.updated`. Idempotent. @throws ServiceError as `createMailbox` */
    async addAlias(accountId: string, mailboxId: string, given: string): Promise<Alias & { isNew: boolean }> {
      const address = aliasAddress(given)
      await checkName(accountId, address.slice(0, address.lastIndexOf('@')), domainOf(address))
      const place = partitionOfAddress(address)
      return store.write([mailboxPartition(mailboxId), accountPartition(accountId), place], async (tx) => {
        await mustBeActive(tx.in(accountPartition(accountId)), accountId)
        return changeWithin(tx, async (_tx, mailbox) => {
          const aliases = mailbox.aliases ?? []
          const before = aliases.find((alias) => alias.address === address)
          if (before) return { ...before, isNew: false }
          if (address === mailbox.address) throw nameTaken(address, CHOOSE_ANOTHER)
          if (aliases.length >= limits.aliasesPerMailbox) throw tooManyAliases(limits)
          if (!(await mayBeOn(tx.in(accountPartition(accountId)), domainOf(address))))
            throw noSuchDomain(domainOf(address), domains)
          const now = clock.now()
          if (!(await takeAddress(tx.in(place), mailboxId, now))) throw nameTaken(address, CHOOSE_ANOTHER)
          const alias = { address, createdAt: now }
          mailbox.aliases = [...aliases, alias]
          appendEvent(mailbox, now, 'mailbox.updated', { changed: ['aliases'] })
          return { ...alias, isNew: true }
        })
      })
    },

    /** @throws ServiceError `not_found` */
    async removeAlias(mailboxId: string, given: string): Promise<Alias> {
      const address = given.toLowerCase()
      const place = partitionOfAddress(address)
      return store.write([mailboxPartition(mailboxId), place], (tx) =>
        changeWithin(
          tx,
          async (_tx, mailbox) => {
            const alias = mailbox.aliases?.find((each) => each.address === address)
            if (!alias) throw noSuchAlias()
            mailbox.aliases = mailbox.aliases?.filter((each) => each.address !== address) ?? []
            await leaveAddress(tx.in(place), mailboxId)
            appendEvent(mailbox, clock.now(), 'mailbox.updated', { changed: ['aliases'] })
            return alias
          },
          () => {
            throw noSuchAlias()
          },
        ),
      )
    },
  }
}

const CHOOSE_ANOTHER = 'Then call again with the other name.'

/** @throws ServiceError `invalid_request` */
function aliasAddress(given: string): string {
  const parsed = parseAddress(given)
  if (parsed?.name === '') return parsed.address.toLowerCase()
  throw invalidRequest('The alias is not an email address.', 'Give it as `name@domain`.', [
    { field: 'address', problem: 'It must be like `name@domain`.' },
  ])
}

function noSuchDomain(domain: string, domains: readonly string[]): ServiceError {
  return invalidRequest(
    `This account can have no addresses at ${domain}.`,
    `Choose one of ${domains.join(', ')}, or a domain of your own that GET /v1/domains shows as verified.`,
    [{ field: 'domain', problem: 'Neither a domain of this server nor a verified one of this account' }],
  )
}

function tooManyAliases({ aliasesPerMailbox }: AccountMailboxesLimits): ServiceError {
  return new ServiceError(
    'limit_reached',
    `A mailbox can have ${aliasesPerMailbox} aliases.`,
    'Remove one with DELETE /v1/aliases/{address}, or use tags: mail to name+anything@ reaches the mailbox without an alias.',
  )
}

function noSuchAlias(): ServiceError {
  return new ServiceError('not_found', 'This mailbox has no such alias.', 'GET /v1/aliases lists those it has.')
}
