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

export interface OwnDomains {
  /** Reads which domains are proven; to be called before anything asks. */
  open(): Promise<void>
  /** Idempotent. @throws ServiceError `invalid_request`, `domain_taken`, `limit_reached`, `account_suspended`, `account_deletion_pending` */
  add(accountId: string, domain: string): Promise<{ own: OwnDomain; isNew: boolean }>
  list(accountId: string): Promise<OwnDomain[]>
  /** With the records to set; asks no DNS. @throws ServiceError `not_found` */
  get(accountId: string, domain: string): Promise<{ own: OwnDomain; records: DomainRecord[] }>
  /** Looks the records up. @throws ServiceError `not_found`, `domain_taken` */
  verify(accountId: string, domain: string): Promise<{ own: OwnDomain; records: CheckedRecord[] }>
  /** @throws ServiceError `not_found`, `domain_in_use` while mailboxes or aliases stand on it */
  remove(accountId: string, domain: string): Promise<OwnDomain>
  /** All of an account that ends. Idempotent. */
  removeAll(accountId: string): Promise<void>
  /** The daily look at every proven domain. */
  lookAgain(signal: AbortSignal): Promise<{ looked: number; lost: number }>
}

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

export function createOwnDomains(deps: OwnDomainsDeps): OwnDomains {
  const { store, clock, config, accounts, dkimKeys, held } = deps
  const { names, hostname } = config.domains
  const perAccount = config.limits.domains_per_account
  /** Changes of one domain, whoever asks for them. */
  const inTurn = createInTurn()

  async function mustRead(accountId: string, given: string): Promise<OwnDomain> {
    const domain = normalizeDomain(given.replace(/\.$/, ''))
    const own =
      domain === undefined
        ? undefined
        : await store.read(accountPartition(accountId), (view) => readOwnDomain(view, domain))
    if (!own) throw noSuchDomain()
    return own
  }

  const list = (accountId: string): Promise<OwnDomain[]> => store.read(accountPartition(accountId), ownDomainsOf)

  async function keysOf(domain: string): Promise<DkimKeyInfo[]> {
    await generateMissing(dkimKeys, [domain])
    return dkimKeys.list().filter((each) => each.domain === domain)
  }

  /** Addresses of an account on a domain. */
  async function addressesOn(accountId: string, domain: string): Promise<string[]> {
    // Who is being let on it stands before this in the account's line.
    await store.write(accountPartition(accountId), () => undefined)
    const found: string[] = []
    for (const id of await accounts.mailboxes(accountId)) {
      const mailbox = await readMailbox(store, id)
      const all = mailbox ? [mailbox.address, ...(mailbox.aliases ?? []).map(({ address }) => address)] : []
      found.push(...all.filter((address) => domainOf(address) === domain))
    }
    return found
  }

  /** Tells the mailboxes of the account what it is still to be told. After a crash some of them hear it twice. */
  async function tell(accountId: string, { domain, untold }: OwnDomain): Promise<void> {
    if (untold === undefined) return
    for (const id of await accounts.mailboxes(accountId)) {
      await changeIfThere(
        store,
        id,
        async (tx, mailbox) => appendEvent(mailbox, clock.now(), untold, { domain }),
        () => undefined,
      )
    }
    await changeOwnDomain(store, accountId, domain, (before) => {
      if (before?.untold !== untold) return undefined
      const { untold: _told, ...rest } = before
      return rest
    })
  }

  /** Whoever has proven the domain before, and not any more, gives way when nothing of theirs stands on it. @throws ServiceError `domain_taken` */
  async function formerHolder(accountId: string, domain: string): Promise<string | undefined> {
    const holder = await holderOf(store, domain)
    if (holder === undefined || holder === accountId) return undefined
    const theirs = await store.read(accountPartition(holder), (view) => readOwnDomain(view, domain))
    if (theirs?.status === 'verified') throw domainTaken(domain)
    if ((await addressesOn(holder, domain)).length > 0) throw domainTaken(domain)
    return holder
  }

  async function markVerified(accountId: string, { domain, token }: OwnDomain): Promise<OwnDomain> {
    const from = await formerHolder(accountId, domain)
    const now = clock.now()
    const after = await takeDomain(store, { domain, accountId, from }, (before) => {
      if (before.token !== token) return undefined
      if (before.status === 'verified') return { ...before, checkedAt: now, misses: 0 }
      return { ...before, status: 'verified', verifiedAt: now, checkedAt: now, misses: 0, untold: 'domain.verified' }
    })
    if (after === 'taken') throw domainTaken(domain)
    // Removed while DNS was asked.
    if (!after) throw noSuchDomain()
    held.set(domain, { accountId, isVerified: true })
    await tell(accountId, after)
    return after
  }

  /** What is known of it goes, and with the last account that wants it its keys. */
  async function drop(accountId: string, domain: string): Promise<void> {
    if (held.get(domain)?.accountId === accountId) held.delete(domain)
    const isLast = await leaveDomain(store, domain, accountId)
    if (isLast && !names.includes(domain)) await dkimKeys.forget(domain)
  }

  /** @returns undefined when it was not looked at, and otherwise whether it is lost by this look */
  async function lookAt(domain: string, accountId: string): Promise<boolean | undefined> {
    const own = await store.read(accountPartition(accountId), (view) => readOwnDomain(view, domain))
    if (!own) return undefined
    await tell(accountId, own)
    if (own.status !== 'verified') return undefined
    const resolver = deps.freshResolver()
    const { state } = await checkProof(resolver, own).finally(() => resolver.close())
    // No answer says nothing.
    if (state === 'unknown') return false
    const after = await changeOwnDomain(store, accountId, domain, (before) => {
      if (before?.token !== own.token || before.status !== 'verified') return undefined
      const misses = state === 'ok' ? 0 : before.misses + 1
      const looked = { ...before, misses, checkedAt: clock.now() }
      return misses < MISSES_TO_LOSE ? looked : { ...looked, status: 'lost', untold: 'domain.lost' }
    })
    if (after?.status !== 'lost') return false
    held.set(domain, { accountId, isVerified: false })
    await tell(accountId, after)
    return true
  }

  return {
    async open() {
      for (const [domain, accountId] of await heldRows(store)) {
        // The operator has made it the server's meanwhile.
        if (names.includes(domain)) continue
        const own = await store.read(accountPartition(accountId), (view) => readOwnDomain(view, domain))
        if (own && own.status !== 'pending') held.set(domain, { accountId, isVerified: own.status === 'verified' })
      }
    },

    async add(accountId, given) {
      const domain = checkedDomain(given, [...names, hostname])
      return inTurn(domain, async () => {
        if ((verifiedOwner(held, domain) ?? accountId) !== accountId) throw domainTaken(domain)
        let isNew = false
        const own = await changeOwnDomain(store, accountId, domain, async (before, tx) => {
          const account = await readAccount(tx)
          if (!account) throw new Error(`account ${accountId} is missing`)
          requireActive(account)
          isNew = before === undefined
          if (before) return undefined
          if ((await ownDomainsOf(tx)).length >= perAccount) throw tooManyDomains(perAccount)
          const createdAt = clock.now()
          const token = randomBase62(16)
          return { domain, status: 'pending', token, createdAt, verifiedAt: null, checkedAt: null, misses: 0 }
        })
        if (!own) throw new Error(`${domain} was not added`)
        await keysOf(domain)
        return { own, isNew }
      })
    },

    list,

    async get(accountId, given) {
      const { domain } = await mustRead(accountId, given)
      return inTurn(domain, async () => {
        const own = await mustRead(accountId, domain)
        return { own, records: [proofOf(own), ...mailRecords(config, domain, await keysOf(domain))] }
      })
    },

    async verify(accountId, given) {
      const own = await mustRead(accountId, given)
      const keys = await inTurn(own.domain, () => keysOf(own.domain))
      const resolver = deps.freshResolver()
      try {
        const proof = await checkProof(resolver, own)
        const records = [proof, ...(await checkMailRecords(config, resolver, own.domain, keys))]
        if (proof.state !== 'ok') return { own, records }
        return { own: await inTurn(own.domain, () => markVerified(accountId, own)), records }
      } finally {
        resolver.close()
      }
    },

    async remove(accountId, given) {
      const { domain } = await mustRead(accountId, given)
      return inTurn(domain, async () => {
        const own = await mustRead(accountId, domain)
        const before = held.get(domain)
        const isOurs = before?.accountId === accountId
        // From here on nobody gets a further address on it; mail for those that are there still comes.
        if (isOurs) held.set(domain, { ...before, isLeaving: true })
        const addresses = await addressesOn(accountId, domain)
        if (addresses.length > 0) {
          if (isOurs) held.set(domain, before)
          throw domainInUse(domain, addresses)
        }
        await drop(accountId, domain)
        return own
      })
    },

    async removeAll(accountId) {
      for (const { domain } of await list(accountId)) await inTurn(domain, () => drop(accountId, domain))
    },

    async lookAgain(signal) {
      const done = { looked: 0, lost: 0 }
      for (const [domain, accountId] of await heldRows(store)) {
        if (signal.aborted) break
        const isLost = await inTurn(domain, () => lookAt(domain, accountId))
        if (isLost === undefined) continue
        done.looked++
        if (isLost) done.lost++
      }
      return done
    },
  }
}
