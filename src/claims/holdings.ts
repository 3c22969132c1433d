/**
 * What an account has beyond its first mailbox: further mailboxes, and further addresses of each. An address is a partition of its own, so two who
 * want it meet there; what may come to lead nowhere after a crash is written down first: a mailbox in its account's list, an alias in its mailbox.
 */
import { requireActive } from '../accounts/standing.js'
import type { Accounts } from '../accounts/types.js'
import { normalizeDomain } from '../config/address.js'
import { HOUR, type Clock } from '../lib/clock.js'
import { invalidRequest, ServiceError } from '../lib/errors.js'
import { idTime } from '../lib/ids.js'
import { releaseAddress, takeAddress } from '../mailbox/addresses.js'
import { appendEvent } from '../mailbox/events.js'
import { changeMailbox, createMailbox, readMailbox } from '../mailbox/record.js'
import type { Alias, MailboxRecord } from '../mailbox/types.js'
import { domainOf, parseAddress } from '../mime/address.js'
import type { Store } from '../store/types.js'
import { checkAgentName, checkNameForm, reservedNames } from './names.js'
import { OPERATOR_NAMES } from './operator.js'

export interface HoldingsLimits {
  mailboxesPerAccount: number
  aliasesPerMailbox: number
}

export interface HoldingsDeps {
  store: Store
  clock: Clock
  accounts: Pick<Accounts, 'get' | 'mailboxes' | 'addMailbox' | 'forgetMailbox'>
  /** Of the server; the first is the default. */
  domains: readonly string[]
  /** Whose a verified domain is that is none of the server's; nobody's without it. */
  ownerOfDomain?: (domain: string) => string | undefined
  /** Names nobody may claim on the server's domains. */
  reserved: readonly string[]
  limits: HoldingsLimits
}

export interface Holdings {
  /** Mailboxes of an account, the oldest first; one that is being made or removed is left out. */
  mailboxes(accountId: string): Promise<MailboxRecord[]>
  /**
   * Makes a further mailbox. Idempotent by id.
   *
   * @throws ServiceError `invalid_request`, `name_taken`, `name_reserved`, `limit_reached`, `account_suspended`, `account_deletion_pending`
   */
  createMailbox(
    accountId: string,
    given: { id: string; name: string; domain?: string | undefined; agentName?: string | undefined },
  ): Promise<MailboxRecord>
  aliases(mailboxId: string): Promise<Alias[]>
  /**
   * Makes an alias. Idempotent. An event `mailbox.updated` tells of it.
   *
   * @throws ServiceError as `createMailbox`
   */
  addAlias(accountId: string, mailboxId: string, address: string): Promise<Alias & { isNew: boolean }>
  /** @throws ServiceError `not_found` */
  removeAlias(mailboxId: string, address: string): Promise<Alias>
}

/** What was begun and not finished for so long is given up. */
const GIVEN_UP_MS = HOUR
const OWN_DOMAIN_NAME = /^[a-z0-9](?:[a-z0-9._+-]{0,62}[a-z0-9])?$/

export function createHoldings(deps: HoldingsDeps): Holdings {
  const { store, clock, accounts, limits } = deps
  const domains = deps.domains.map((domain) => domain.toLowerCase())
  const refuseReserved = reservedNames([...OPERATOR_NAMES, ...deps.reserved], CHOOSE_ANOTHER)

  /** To be asked again once what is made is written down: who removes a domain looks for that when nobody is let on it any more. */
  const mayBeOn = (accountId: string, domain: string): boolean =>
    domains.includes(domain) || deps.ownerOfDomain?.(domain) === accountId

  /** @throws ServiceError for a name that this account can't have */
  function checkName(accountId: string, name: string, domain: string): void {
    if (domains.includes(domain)) {
      checkNameForm(name, CHOOSE_ANOTHER)
      refuseReserved(name)
      return
    }
    if (deps.ownerOfDomain?.(domain) !== accountId) throw noSuchDomain(domain, domains)
    // On a domain of one's own the names are one's own too, but for the tag and what every domain has to have.
    if (!OWN_DOMAIN_NAME.test(name) || /[.+]{2}|\+/.test(name)) throw badName()
  }

  async function mailboxes(accountId: string): Promise<MailboxRecord[]> {
    const found = await Promise.all((await accounts.mailboxes(accountId)).map((id) => readMailbox(store, id)))
    return found.filter((mailbox) => mailbox !== undefined && mailbox.accountId === accountId) as MailboxRecord[]
  }

  /** Takes entries off the account's list whose mailbox was never made. */
  async function tidy(accountId: string): Promise<void> {
    for (const id of await accounts.mailboxes(accountId)) {
      if (idTime(id) > clock.now() - GIVEN_UP_MS || (await readMailbox(store, id))) continue
      await accounts.forgetMailbox(accountId, id, 'unless leaving')
    }
  }

  async function mustBeActive(accountId: string): Promise<void> {
    const account = await accounts.get(accountId)
    if (!account) throw new Error(`account ${accountId} is missing`)
    requireActive(account)
  }

  return {
    mailboxes,

    async createMailbox(accountId, { id, name, domain: asked = domains[0] ?? '', agentName }) {
      const domain = normalizeDomain(asked) ?? asked.toLowerCase()
      checkName(accountId, name, domain)
      const address = `${name}@${domain}`
      const shownName = checkAgentName(agentName)
      await mustBeActive(accountId)
      await tidy(accountId)
      await accounts.addMailbox(accountId, id, limits.mailboxesPerAccount)
      if (!mayBeOn(accountId, domain)) {
        if (!(await readMailbox(store, id))) await accounts.forgetMailbox(accountId, id)
        throw noSuchDomain(domain, domains)
      }
      if (!(await takeAddress(store, address, id, clock.now()))) {
        await accounts.forgetMailbox(accountId, id)
        throw taken(address)
      }
      const now = clock.now()
      await createMailbox(store, {
        id,
        address,
        agentName: shownName,
        claimId: null,
        status: 'claimed',
        accountId,
        now,
      })
      const made = await readMailbox(store, id)
      if (!made) throw new Error(`mailbox ${id} was removed as it was made`)
      return made
    },

    async aliases(mailboxId) {
      return (await readMailbox(store, mailboxId))?.aliases ?? []
    },

    async addAlias(accountId, mailboxId, given) {
      const address = aliasAddress(given)
      checkName(accountId, address.slice(0, address.lastIndexOf('@')), domainOf(address))
      await mustBeActive(accountId)
      const entered = await changeMailbox(store, mailboxId, async (_tx, mailbox) => {
        const aliases = mailbox.aliases ?? []
        const before = aliases.find((alias) => alias.address === address)
        if (before) return { alias: before, isNew: false }
        if (address === mailbox.address) throw taken(address)
        if (aliases.length >= limits.aliasesPerMailbox) throw tooManyAliases(limits)
        const alias = { address, createdAt: clock.now() }
        mailbox.aliases = [...aliases, alias]
        return { alias, isNew: true }
      })
      const isAllowed = mayBeOn(accountId, domainOf(address))
      const isOurs = isAllowed && (await takeAddress(store, address, mailboxId, clock.now()))
      await changeMailbox(store, mailboxId, async (tx, mailbox) => {
        if (!isOurs) mailbox.aliases = without(mailbox.aliases, address)
        else if (entered.isNew) appendEvent(tx, mailbox, clock.now(), 'mailbox.updated', { changed: ['aliases'] })
      })
      if (!isAllowed) throw noSuchDomain(domainOf(address), domains)
      if (!isOurs) throw taken(address)
      return { ...entered.alias, isNew: entered.isNew }
    },

    async removeAlias(mailboxId, given) {
      const address = given.toLowerCase()
      const mailbox = await readMailbox(store, mailboxId)
      const alias = mailbox?.aliases?.find((each) => each.address === address)
      if (!alias) throw noSuchAlias()
      await releaseAddress(store, address, mailboxId)
      await changeMailbox(store, mailboxId, async (tx, record) => {
        const left = without(record.aliases, address)
        if (left.length === record.aliases?.length) return
        record.aliases = left
        appendEvent(tx, record, clock.now(), 'mailbox.updated', { changed: ['aliases'] })
      })
      return alias
    },
  }
}

const CHOOSE_ANOTHER = 'Then call again with the other name.'

const without = (aliases: Alias[] | undefined, address: string): Alias[] =>
  (aliases ?? []).filter((alias) => alias.address !== address)

/** @throws ServiceError `invalid_request` */
function aliasAddress(given: string): string {
  const parsed = parseAddress(given)
  if (parsed?.name === '') return parsed.address.toLowerCase()
  throw invalidRequest('The alias is not an email address.', 'Give it as `name@domain`.', [
    { field: 'address', problem: 'It must be like `name@domain`.' },
  ])
}

function badName(): ServiceError {
  return invalidRequest(
    "The name can't be used.",
    'Choose 1 to 64 characters of a-z, 0-9, ".", "-" and "_", and begin and end with a letter or digit.',
    [{ field: 'name', problem: 'Not 1 to 64 characters of a-z, 0-9, ".", "-" and "_"' }],
  )
}

function noSuchDomain(domain: string, domains: readonly string[]): ServiceError {
  return invalidRequest(
    `This account can have no addresses at ${domain}.`,
    `Choose one of ${domains.join(', ')}, or a domain of your own that GET /v1/domains shows as verified.`,
    [{ field: 'domain', problem: 'Neither a domain of this server nor a verified one of this account' }],
  )
}

function taken(address: string): ServiceError {
  return new ServiceError('name_taken', `The address ${address} is in use.`, `Choose another name. ${CHOOSE_ANOTHER}`)
}

function tooManyAliases({ aliasesPerMailbox }: HoldingsLimits): ServiceError {
  return new ServiceError(
    'limit_reached',
    `A mailbox can have ${aliasesPerMailbox} aliases.`,
    'Remove one with DELETE /v1/aliases/{address}, or use tags: mail to name+anything@ comes to the mailbox without any.',
  )
}

function noSuchAlias(): ServiceError {
  return new ServiceError('not_found', 'This mailbox has no such alias.', 'GET /v1/aliases lists those it has.')
}
