/** Custom domains. A domain belongs to the account that verifies it by a TXT record, so nobody can block a domain by adding it first. */
import { mailboxIdsIn } from '../../accounts/mailbox-list.js'
import { accountPartition, readAccount } from '../../accounts/record.js'
import { requireActive } from '../../accounts/refusals.js'
import type { Accounts } from '../../accounts/types.js'
import { type DkimKeyInfo, type DkimKeys, generateMissing } from '../../authentication/keys.js'
import { normalizeDomain } from '../../config/setting/address.js'
import type { Config } from '../../config/schema.js'
import type { Resolver } from '../../dns/types.js'
import type { Clock } from '../../lib/clock.js'
import { randomBase62 } from '../../lib/ids.js'
import { createSerial } from '../../lib/serial.js'
import { appendEvent } from '../../mailbox/events.js'
import { mailboxPartition } from '../../mailbox/keys.js'
import type { MailboxRecord } from '../../mailbox/mailbox-record.js'
import { changeIfThere, mailboxOf, readMailbox } from '../../mailbox/record.js'
import { domainOf } from '../../mime/address.js'
import type { Store } from '../../store/types.js'
import type { Followed } from '../../store/watched.js'
import {
  checkMailRecords,
  checkProof,
  mailRecords,
  proofOf,
  type CheckedRecord,
  type DomainRecord,
} from './dns-records.js'
import { verifiedOwner, type HeldDomains } from './verified.js'
import {
  changeOwnDomain,
  heldRows,
  holderOf,
  leaveDomain,
  ownDomainsOf,
  readOwnDomain,
  takeDomain,
  type OwnDomain,
} from './record.js'
import { checkedDomain, domainInUse, domainTaken, noSuchDomain, tooManyDomains } from './refusals.js'

export interface OwnDomainsDeps {
  store: Store
  clock: Clock
  config: Config
  accounts: Pick<Accounts, 'mailboxes'>
  dkimKeys: Pick<DkimKeys, 'list' | 'signingKeys' | 'generate' | 'forget'>
  /** A resolver with an empty cache; closed after use. */
  freshResolver: () => Resolver
  /** Shared with checks for local domains. */
  held: Pick<Followed<HeldDomains>, 'get'>
}

/** Daily checks without the ownership record until a domain is lost: while being edited, a record may be missing for a moment. */
const MISSES_TO_LOSE = 3

type Condition = NonNullable<Parameters<typeof leaveDomain>[2]>

export class OwnDomains {
  readonly #deps: OwnDomainsDeps
  readonly #store: Store
  readonly #clock: Clock
  readonly #held: OwnDomainsDeps['held']
  readonly #config: Config
  /** One change of a domain at a time, for its keys: its rows are safe by their transactions. */
  readonly #inTurn = createSerial().run

  constructor(deps: OwnDomainsDeps) {
    this.#deps = deps
    this.#store = deps.store
    this.#clock = deps.clock
    this.#held = deps.held
    this.#config = deps.config
  }

  /** Idempotent. @throws ServiceError `invalid_request`, `domain_taken`, `limit_reached`, `account_suspended`, `account_deletion_pending` */
  async add(accountId: string, given: string): Promise<{ own: OwnDomain; isNew: boolean }> {
    const { domains, limits } = this.#config
    const perAccount = limits.domains_per_account
    const domain = checkedDomain(given, [...domains.names, domains.hostname])
    return this.#inTurn(domain, async () => {
      if ((verifiedOwner(await this.#held.get(), domain) ?? accountId) !== accountId) throw domainTaken(domain)
      let isNew = false
      const own = await changeOwnDomain(this.#store, accountId, domain, async (before, tx) => {
        const account = await readAccount(tx)
        if (!account) throw new Error(`account ${accountId} is missing`)
        requireActive(account)
        isNew = before === undefined
        if (before) return undefined
        if ((await ownDomainsOf(tx)).length >= perAccount) throw tooManyDomains(perAccount)
        const createdAt = this.#clock.now()
        const token = randomBase62(16)
        return { domain, status: 'pending', token, createdAt, verifiedAt: null, checkedAt: null, misses: 0 }
      })
      if (!own) throw new Error(`${domain} was not added`)
      await this.#keysOf(domain)
      return { own, isNew }
    })
  }

  list(accountId: string): Promise<OwnDomain[]> {
    return this.#store.read(accountPartition(accountId), ownDomainsOf)
  }

  /** Includes the records to set, without DNS checks. @throws ServiceError `not_found` */
  async get(accountId: string, given: string): Promise<{ own: OwnDomain; records: DomainRecord[] }> {
    const { domain } = await this.#mustRead(accountId, given)
    return this.#inTurn(domain, async () => {
      const own = await this.#mustRead(accountId, domain)
      return { own, records: [proofOf(own), ...mailRecords(this.#config, domain, await this.#keysOf(domain))] }
    })
  }

  /** Looks the records up. @throws ServiceError `not_found`, `domain_taken` */
  async verify(accountId: string, given: string): Promise<{ own: OwnDomain; records: CheckedRecord[] }> {
    const own = await this.#mustRead(accountId, given)
    const keys = await this.#inTurn(own.domain, () => this.#keysOf(own.domain))
    const resolver = this.#deps.freshResolver()
    try {
      const proof = await checkProof(resolver, own)
      const records = [proof, ...(await checkMailRecords(this.#config, resolver, own.domain, keys))]
      if (proof.state !== 'ok') return { own, records }
      return { own: await this.#inTurn(own.domain, () => this.#markVerified(accountId, own)), records }
    } finally {
      resolver.close()
    }
  }

  /** @throws ServiceError `not_found`, `domain_in_use` while it has mailboxes or aliases */
  async remove(accountId: string, given: string): Promise<OwnDomain> {
    const { domain } = await this.#mustRead(accountId, given)
    return this.#inTurn(domain, async () => {
      const own = await this.#mustRead(accountId, domain)
      while (!(await this.#drop(accountId, domain, await this.#freeOf(accountId, domain))));
      return own
    })
  }

  /** Removes all domains of a deleted account. Idempotent. */
  async removeAll(accountId: string): Promise<void> {
    for (const { domain } of await this.list(accountId)) await this.#inTurn(domain, () => this.#drop(accountId, domain))
  }

  /** Daily check of every verified domain. */
  async lookAgain(signal: AbortSignal): Promise<{ looked: number; lost: number }> {
    const done = { looked: 0, lost: 0 }
    for (const [domain, accountId] of await heldRows(this.#store)) {
      if (signal.aborted) break
      const isLost = await this.#inTurn(domain, () => this.#recheck(domain, accountId))
      if (isLost === undefined) continue
      done.looked++
      if (isLost) done.lost++
    }
    return done
  }

  async #mustRead(accountId: string, given: string): Promise<OwnDomain> {
    const domain = normalizeDomain(given.replace(/\.$/, ''))
    const own =
      domain === undefined
        ? undefined
        : await this.#store.read(accountPartition(accountId), (view) => readOwnDomain(view, domain))
    if (!own) throw noSuchDomain()
    return own
  }

  async #keysOf(domain: string): Promise<DkimKeyInfo[]> {
    await generateMissing(this.#deps.dkimKeys, [domain])
    return this.#deps.dkimKeys.list().filter((each) => each.domain === domain)
  }

  /** The condition that a domain has no addresses, over the mailboxes that the account has now. */
  async #freeOf(accountId: string, domain: string): Promise<Condition> {
    const known = await this.#deps.accounts.mailboxes(accountId)
    return {
      partitions: known.map(mailboxPartition),
      async holds(tx) {
        // One that was made meanwhile is not among the partitions.
        if ((await mailboxIdsIn(tx)).some((id) => !known.includes(id))) return false
        const mailboxes = await Promise.all(known.map((id) => mailboxOf(tx.in(mailboxPartition(id)))))
        const addresses = mailboxes.flatMap((mailbox) => (mailbox ? addressesOn(mailbox, domain) : []))
        if (addresses.length > 0) throw domainInUse(domain, addresses)
        return true
      },
    }
  }

  async #addressesOn(accountId: string, domain: string): Promise<string[]> {
    const ids = await this.#deps.accounts.mailboxes(accountId)
    const mailboxes = await Promise.all(ids.map((id) => readMailbox(this.#store, id)))
    return mailboxes.flatMap((mailbox) => (mailbox ? addressesOn(mailbox, domain) : []))
  }

  /** Sends the pending event to the mailboxes of the account. A crash may repeat it. */
  async #notify(accountId: string, { domain, untold }: OwnDomain): Promise<void> {
    if (untold === undefined) return
    for (const id of await this.#deps.accounts.mailboxes(accountId)) {
      await changeIfThere(this.#store, id, async (_tx, mailbox) =>
        appendEvent(mailbox, this.#clock.now(), untold, { domain }),
      )
    }
    await changeOwnDomain(this.#store, accountId, domain, (before) => {
      if (before?.untold !== untold) return undefined
      const { untold: _told, ...rest } = before
      return rest
    })
  }

  /** Former holder who lost the domain and has no address on it. @throws ServiceError `domain_taken` */
  async #formerHolder(accountId: string, domain: string): Promise<string | undefined> {
    const holder = await holderOf(this.#store, domain)
    if (holder === undefined || holder === accountId) return undefined
    const theirs = await this.#store.read(accountPartition(holder), (view) => readOwnDomain(view, domain))
    if (theirs?.status === 'verified') throw domainTaken(domain)
    if ((await this.#addressesOn(holder, domain)).length > 0) throw domainTaken(domain)
    return holder
  }

  async #markVerified(accountId: string, { domain, token }: OwnDomain): Promise<OwnDomain> {
    const from = await this.#formerHolder(accountId, domain)
    const now = this.#clock.now()
    const after = await takeDomain(this.#store, { domain, accountId, from }, (before) => {
      if (before.token !== token) return undefined
      if (before.status === 'verified') return { ...before, checkedAt: now, misses: 0 }
      return { ...before, status: 'verified', verifiedAt: now, checkedAt: now, misses: 0, untold: 'domain.verified' }
    })
    if (after === 'taken') throw domainTaken(domain)
    // Removed during the DNS lookup.
    if (!after) throw noSuchDomain()
    await this.#held.get()
    await this.#notify(accountId, after)
    return after
  }

  /** Removes its data, and with its last account its DKIM keys. @returns false if it has to be tried again with another condition */
  async #drop(accountId: string, domain: string, condition?: Condition): Promise<boolean> {
    const left = await leaveDomain(this.#store, { domain, accountId }, condition)
    if (left === undefined) return false
    await this.#held.get()
    if (left === 'none left' && !this.#config.domains.names.includes(domain)) await this.#deps.dkimKeys.forget(domain)
    return true
  }

  /** @returns undefined if it was not checked, else true if this check lost it */
  async #recheck(domain: string, accountId: string): Promise<boolean | undefined> {
    const own = await this.#store.read(accountPartition(accountId), (view) => readOwnDomain(view, domain))
    if (!own) return undefined
    await this.#notify(accountId, own)
    if (own.status !== 'verified') return undefined
    const resolver = this.#deps.freshResolver()
    const { state } = await checkProof(resolver, own).finally(() => resolver.close())
    // Without an answer nothing is known.
    if (state === 'unknown') return false
    const after = await changeOwnDomain(this.#store, accountId, domain, (before) => {
      if (before?.token !== own.token || before.status !== 'verified') return undefined
      const misses = state === 'ok' ? 0 : before.misses + 1
      const looked = { ...before, misses, checkedAt: this.#clock.now() }
      return misses < MISSES_TO_LOSE ? looked : { ...looked, status: 'lost', untold: 'domain.lost' }
    })
    if (after?.status !== 'lost') return false
    await this.#held.get()
    await this.#notify(accountId, after)
    return true
  }
}

function addressesOn({ address, aliases = [] }: MailboxRecord, domain: string): string[] {
  return [address, ...aliases.map((alias) => alias.address)].filter((each) => domainOf(each) === domain)
}
