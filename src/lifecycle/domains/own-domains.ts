/**
 * Domains that accounts bring along: added, proven by a TXT record, looked at again every day, removed. A domain belongs to the account that proves
 * it: the row in `meta` that says whose it is, is written only then, so nobody can keep a domain from its owner by naming it first.
 */
import { accountPartition, readAccount } from '../../accounts/record.js'
import { requireActive } from '../../accounts/standing.js'
import type { Accounts } from '../../accounts/types.js'
import type { DkimKeyInfo, DkimKeys } from '../../authentication/keys.js'
import { generateMissing } from '../../authentication/keys.js'
import { normalizeDomain } from '../../config/setting/address.js'
import type { Config } from '../../config/schema.js'
import type { Resolver } from '../../dns/types.js'
import type { Clock } from '../../lib/clock.js'
import { randomBase62 } from '../../lib/ids.js'
import { createInTurn } from '../../lib/serial.js'
import { appendEvent } from '../../mailbox/events.js'
import { changeIfThere, readMailbox } from '../../mailbox/record.js'
import { domainOf } from '../../mime/address.js'
import type { Store } from '../../store/types.js'
import { checkMailRecords, checkProof, mailRecords, proofOf } from './dns-records.js'
import type { CheckedRecord, DomainRecord } from './dns-records.js'
import { verifiedOwner } from './verified.js'
import type { HeldDomains } from './verified.js'
import { changeOwnDomain, heldRows, holderOf, leaveDomain, ownDomainsOf, readOwnDomain, takeDomain } from './record.js'
import type { OwnDomain } from './record.js'
import { checkedDomain, domainInUse, domainTaken, noSuchDomain, tooManyDomains } from './refusals.js'

export interface OwnDomainsDeps {
  store: Store
  clock: Clock
  config: Config
  accounts: Pick<Accounts, 'mailboxes'>
  dkimKeys: Pick<DkimKeys, 'list' | 'signingKeys' | 'generate' | 'forget'>
  /** One that remembers nothing from before; it is closed after use. */
  freshResolver: () => Resolver
  /** Shared with whoever asks what is local. */
  held: HeldDomains
}

/** After so many days without its proof a domain is lost: a record that is edited may be gone for a moment. */
const MISSES_TO_LOSE = 3

/** The domains of all accounts. */
export class OwnDomains {
  readonly #deps: OwnDomainsDeps
  readonly #store: Store
  readonly #dkimKeys: OwnDomainsDeps['dkimKeys']
  readonly #clock: Clock
  readonly #held: HeldDomains
  readonly #config: Config
  /** Changes of one domain, whoever asks for them. */
  readonly #inTurn = createInTurn()

  constructor(deps: OwnDomainsDeps) {
    this.#deps = deps
    this.#store = deps.store
    this.#dkimKeys = deps.dkimKeys
    this.#clock = deps.clock
    this.#held = deps.held
    this.#config = deps.config
  }

  /** Reads which domains are proven; to be called before anything asks. */
  async open(): Promise<void> {
    for (const [domain, accountId] of await heldRows(this.#store)) {
      // The operator has made it the server's meanwhile.
      if (this.#config.domains.names.includes(domain)) continue
      const own = await this.#store.read(accountPartition(accountId), (view) => readOwnDomain(view, domain))
      if (own && own.status !== 'pending') this.#held.set(domain, { accountId, isVerified: own.status === 'verified' })
    }
  }

  /** Idempotent. @throws ServiceError `invalid_request`, `domain_taken`, `limit_reached`, `account_suspended`, `account_deletion_pending` */
  async add(accountId: string, given: string): Promise<{ own: OwnDomain; isNew: boolean }> {
    const { domains, limits } = this.#config
    const perAccount = limits.domains_per_account
    const domain = checkedDomain(given, [...domains.names, domains.hostname])
    return this.#inTurn(domain, async () => {
      if ((verifiedOwner(this.#held, domain) ?? accountId) !== accountId) throw domainTaken(domain)
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

  /** With the records to set; asks no DNS. @throws ServiceError `not_found` */
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

  /** @throws ServiceError `not_found`, `domain_in_use` while mailboxes or aliases stand on it */
  async remove(accountId: string, given: string): Promise<OwnDomain> {
    const { domain } = await this.#mustRead(accountId, given)
    return this.#inTurn(domain, async () => {
      const own = await this.#mustRead(accountId, domain)
      const before = this.#held.get(domain)
      const isOurs = before?.accountId === accountId
      // From here on nobody gets a further address on it; mail for those that are there still comes.
      if (isOurs) this.#held.set(domain, { ...before, isLeaving: true })
      const addresses = await this.#addressesOn(accountId, domain)
      if (addresses.length > 0) {
        if (isOurs) this.#held.set(domain, before)
        throw domainInUse(domain, addresses)
      }
      await this.#drop(accountId, domain)
      return own
    })
  }

  /** All of an account that ends. Idempotent. */
  async removeAll(accountId: string): Promise<void> {
    for (const { domain } of await this.list(accountId)) await this.#inTurn(domain, () => this.#drop(accountId, domain))
  }

  /** The daily look at every proven domain. */
  async lookAgain(signal: AbortSignal): Promise<{ looked: number; lost: number }> {
    const done = { looked: 0, lost: 0 }
    for (const [domain, accountId] of await heldRows(this.#store)) {
      if (signal.aborted) break
      const isLost = await this.#inTurn(domain, () => this.#lookAt(domain, accountId))
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
    await generateMissing(this.#dkimKeys, [domain])
    return this.#dkimKeys.list().filter((each) => each.domain === domain)
  }

  /** Addresses of an account on a domain. */
  async #addressesOn(accountId: string, domain: string): Promise<string[]> {
    // Who is being let on it stands before this in the account's line.
    await this.#store.write(accountPartition(accountId), () => undefined)
    const found: string[] = []
    for (const id of await this.#deps.accounts.mailboxes(accountId)) {
      const mailbox = await readMailbox(this.#store, id)
      const all = mailbox ? [mailbox.address, ...(mailbox.aliases ?? []).map(({ address }) => address)] : []
      found.push(...all.filter((address) => domainOf(address) === domain))
    }
    return found
  }

  /** Tells the mailboxes of the account what it is still to be told. After a crash some of them hear it twice. */
  async #tell(accountId: string, { domain, untold }: OwnDomain): Promise<void> {
    if (untold === undefined) return
    for (const id of await this.#deps.accounts.mailboxes(accountId)) {
      await changeIfThere(
        this.#store,
        id,
        async (tx, mailbox) => appendEvent(mailbox, this.#clock.now(), untold, { domain }),
        () => undefined,
      )
    }
    await changeOwnDomain(this.#store, accountId, domain, (before) => {
      if (before?.untold !== untold) return undefined
      const { untold: _told, ...rest } = before
      return rest
    })
  }

  /** Whoever has proven the domain before, and not any more, gives way when nothing of theirs stands on it. @throws ServiceError `domain_taken` */
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
    // Removed while DNS was asked.
    if (!after) throw noSuchDomain()
    this.#held.set(domain, { accountId, isVerified: true })
    await this.#tell(accountId, after)
    return after
  }

  /** What is known of it goes, and with the last account that wants it its keys. */
  async #drop(accountId: string, domain: string): Promise<void> {
    if (this.#held.get(domain)?.accountId === accountId) this.#held.delete(domain)
    const isLast = await leaveDomain(this.#store, domain, accountId)
    if (isLast && !this.#config.domains.names.includes(domain)) await this.#dkimKeys.forget(domain)
  }

  /** @returns undefined when it was not looked at, and otherwise whether it is lost by this look */
  async #lookAt(domain: string, accountId: string): Promise<boolean | undefined> {
    const own = await this.#store.read(accountPartition(accountId), (view) => readOwnDomain(view, domain))
    if (!own) return undefined
    await this.#tell(accountId, own)
    if (own.status !== 'verified') return undefined
    const resolver = this.#deps.freshResolver()
    const { state } = await checkProof(resolver, own).finally(() => resolver.close())
    // No answer says nothing.
    if (state === 'unknown') return false
    const after = await changeOwnDomain(this.#store, accountId, domain, (before) => {
      if (before?.token !== own.token || before.status !== 'verified') return undefined
      const misses = state === 'ok' ? 0 : before.misses + 1
      const looked = { ...before, misses, checkedAt: this.#clock.now() }
      return misses < MISSES_TO_LOSE ? looked : { ...looked, status: 'lost', untold: 'domain.lost' }
    })
    if (after?.status !== 'lost') return false
    this.#held.set(domain, { accountId, isVerified: false })
    await this.#tell(accountId, after)
    return true
  }
}
