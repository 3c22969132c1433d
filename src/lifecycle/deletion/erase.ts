/**
 * Removes an account in idempotent steps, all repeated after a crash: the data they need goes last. An hour later everything runs once more, for data of
 * concurrent work. docs/accounts.md lists what clears each partition.
 */
import { setImmediate as tick } from 'node:timers/promises'
import { staying } from '../../accounts/mailbox-list.js'
import { forgetOwner } from '../../accounts/identities.js'
import { dropKey, keyPartition, removeKey } from '../../accounts/keys.js'
import { accountPartition, readAccount, removeAccount } from '../../accounts/record.js'
import type { Sessions } from '../../accounts/sessions.js'
import type { AccountRecord, Accounts } from '../../accounts/types.js'
import { claimPartition, leadToken, listClaim, readClaim } from '../claims/record.js'
import type { OwnDomains } from '../domains/own-domains.js'
import type { Exports } from '../export/exports.js'
import { leaveAddress, partitionOfAddress } from '../../mailbox/addresses.js'
import { eraseReviews } from '../../mailbox/review/upkeep.js'
import { clearPartition, readMailbox, removeMailbox } from '../../mailbox/record.js'
import type { MailboxRecord } from '../../mailbox/mailbox-record.js'
import type { Connections } from '../../oauth/types.js'
import { eraseReceipts } from '../../receipts/erase.js'
import type { Receipts } from '../../receipts/types.js'
import { decode, encode, key, prefixRange } from '../../store/keys.js'
import type { WorkQueue } from '../../queue/types.js'
import type { Blobs, Store, Transaction } from '../../store/types.js'
import { readValue } from '../../store/values.js'
import { pagesOf } from '../../store/pages.js'
import type { Audit } from '../../audit/types.js'

export interface EraseDeps {
  store: Store
  blobs: Blobs
  queue: Pick<WorkQueue, 'all' | 'finish' | 'remove'>
  accounts: Pick<Accounts, 'mailboxes'>
  sessions: Pick<Sessions, 'endAll'>
  receipts: Pick<Receipts, 'flush'>
  /** The audit log, from which names and addresses are removed. */
  audit?: Pick<Audit, 'forget'> | undefined
  exports?: Pick<Exports, 'removeAll'> | undefined
  connections?: Pick<Connections, 'revokeAll'> | undefined
  ownDomains?: Pick<OwnDomains, 'removeAll'> | undefined
  /** Removes the operator's queue holds for them. */
  forgetHolds: (accountId: string, mailboxIds: ReadonlySet<string>) => Promise<void>
}

/** Data of a mailbox being removed, kept until the end of its account. */
interface Leaving {
  id: string
  /** Null if it was gone before. */
  address: string | null
  claimId: string | null
  /** Its aliases; missing if there are none. */
  aliases?: string[]
  /** Its address was released, and may belong to another mailbox by now. */
  isReleased?: true
}

function leavingOfRecord(id: string, mailbox: MailboxRecord | undefined): Leaving {
  const aliases = (mailbox?.aliases ?? []).map(({ address }) => address)
  return {
    id,
    address: mailbox?.address ?? null,
    claimId: mailbox?.claimId ?? null,
    ...(aliases.length > 0 && { aliases }),
  }
}

function addressesOf({ address, aliases = [] }: Pick<Leaving, 'address' | 'aliases'>): string[] {
  return address === null ? [] : [...aliases, address]
}

const leavingKey = (mailboxId: string): Uint8Array => key('leaving', mailboxId)
/** Max rows of one range read. */
const MAX_RANGE = 10_000
/** Kinds of tasks that may be about a mailbox: its own first, and notices of delivery to others that name it. */
const KINDS = ['relay', 'check', 'scheduled', 'simulator', 'forward', 'notice'] as const

export class Erase {
  readonly #deps: EraseDeps
  readonly #store: Store

  constructor(deps: EraseDeps) {
    this.#deps = deps
    this.#store = deps.store
  }

  /** Everything but the account's own partition, where the mailboxes stay listed. */
  async everything(account: AccountRecord): Promise<void> {
    await forgetOwner(this.#store, account)
    await this.#deps.sessions.endAll(account.id)
    await this.#deps.exports?.removeAll(account.id)
    await this.#deps.forgetHolds(account.id, new Set(await this.#deps.accounts.mailboxes(account.id)))
    await this.#deps.receipts.flush()
    const leaving: Leaving[] = []
    for (const mailboxId of await this.#deps.accounts.mailboxes(account.id))
      leaving.push(await this.#takeLeave(account.id, mailboxId))
    await this.#eraseMailboxes(account.id, leaving)
    await this.#deps.ownDomains?.removeAll(account.id)
    await eraseReviews(this.#store, account.id, new Set(await this.#deps.accounts.mailboxes(account.id)))
    await this.#deps.audit?.forget(account.id, await this.#deps.accounts.mailboxes(account.id))
    await this.#removeTasks(await this.#leavingOf(account.id))
  }

  /**
   * Marks one mailbox of a remaining account as being removed.
   *
   * @param also runs in the same commit
   * @returns false for the last mailbox of the account
   */
  async takeLeaveOfOne(accountId: string, mailboxId: string, also: (tx: Transaction) => void): Promise<boolean> {
    const mailbox = await readMailbox(this.#store, mailboxId)
    return this.#store.write(accountPartition(accountId), async (tx) => {
      if (await tx.get(leavingKey(mailboxId))) return true
      if ((await staying(tx, 1)).every((id) => id === mailboxId)) return false
      tx.put(leavingKey(mailboxId), encode(leavingOfRecord(mailboxId, mailbox)))
      also(tx)
      return true
    })
  }

  /** Removes one marked mailbox, except for its entry in the account. @returns false if it is not marked */
  async oneMailbox(accountId: string, mailboxId: string): Promise<boolean> {
    const leaving = await this.#store.read(accountPartition(accountId), (view) =>
      readValue<Leaving>(view, leavingKey(mailboxId)),
    )
    if (!leaving) return false
    const ids = new Set([mailboxId])
    // No account has this name: entries about the account itself stay.
    await this.#deps.forgetHolds('', ids)
    await this.#deps.receipts.flush()
    await this.#eraseMailboxes(accountId, [leaving])
    await eraseReviews(this.#store, '', ids)
    await this.#deps.audit?.forget('', [mailboxId])
    await this.#removeTasks([leaving])
    return true
  }

  /**
   * Removes the record; from here on the account does not exist.
   *
   * @param also runs in the same commit
   * @returns false if a mailbox joined meanwhile: `everything` has to run again
   */
  async record(accountId: string, also: (tx: Transaction) => void): Promise<boolean> {
    const listed = await this.#deps.accounts.mailboxes(accountId)
    return this.#store.write(accountPartition(accountId), async (tx) => {
      const left = (await tx.getMany(listed.map(leavingKey))).filter((row) => row !== undefined)
      const limit = Math.min(listed.length + 1, MAX_RANGE)
      const { length } = await tx.range({ ...prefixRange('mailbox'), limit })
      if (left.length !== listed.length || length !== Math.min(listed.length, MAX_RANGE)) return false
      if (await readAccount(tx)) removeAccount(tx)
      also(tx)
      return true
    })
  }

  /** Removes everything once more, then the rest of the account's partition. */
  async rest(accountId: string): Promise<void> {
    const leaving = await this.#leavingOf(accountId)
    await this.#deps.receipts.flush()
    await this.#eraseMailboxes(accountId, leaving)
    await eraseReviews(this.#store, accountId, new Set(leaving.map(({ id }) => id)))
    const mailboxIds = leaving.map(({ id }) => id)
    await this.#deps.audit?.forget(accountId, mailboxIds)
    await this.#removeTasks(leaving)
    await clearPartition(this.#store, accountPartition(accountId))
  }

  /** Stores the data of a mailbox before its record is removed. */
  async #takeLeave(accountId: string, mailboxId: string): Promise<Leaving> {
    const mailbox = await readMailbox(this.#store, mailboxId)
    return this.#store.write(accountPartition(accountId), async (tx) => {
      const before = await readValue<Leaving>(tx, leavingKey(mailboxId))
      if (before) return before
      const leaving = leavingOfRecord(mailboxId, mailbox)
      tx.put(leavingKey(mailboxId), encode(leaving))
      return leaving
    })
  }

  async #removeKeys(accountId: string, mailboxId: string): Promise<void> {
    for await (const page of pagesOf(this.#store, accountPartition(accountId), prefixRange('key', mailboxId)))
      for (const [, value] of page) await removeKey(this.#store, decode<string>(value))
  }

  async #removeClaim(claimId: string): Promise<void> {
    const claim = await readClaim(this.#store, claimId)
    if (!claim) return
    await this.#store.write([claimPartition(claim.id), keyPartition(claim.keyHash)], async (tx) => {
      for (const [row] of await tx.range({ ...prefixRange(), limit: MAX_RANGE })) tx.delete(row)
      dropKey(tx.in(keyPartition(claim.keyHash)))
      leadToken(tx, claim.tokenHash, undefined)
      listClaim(tx, claim.id, false)
      this.#deps.queue.finish(tx, 'claim', claim.id)
    })
  }

  /** One after the other, except for the receipts, which are scanned once for all before the addresses are released. */
  async #eraseMailboxes(accountId: string, all: readonly Leaving[]): Promise<void> {
    for (const { id, claimId } of all) {
      await this.#removeKeys(accountId, id)
      await this.#deps.connections?.revokeAll(accountId, id)
      if (claimId !== null) await this.#removeClaim(claimId)
      await removeMailbox({ store: this.#store, blobs: this.#deps.blobs }, id)
    }
    await eraseReceipts(
      this.#store,
      all.map(({ id, isReleased = false, ...leaving }) => ({ id, isReleased, addresses: addressesOf(leaving) })),
    )
    for (const leaving of all) {
      if (leaving.isReleased || leaving.address === null) continue
      const places = addressesOf(leaving).map(partitionOfAddress)
      await this.#store.write([accountPartition(accountId), ...places], async (tx) => {
        for (const place of places) await leaveAddress(tx.in(place), leaving.id)
        tx.put(leavingKey(leaving.id), encode({ ...leaving, isReleased: true } satisfies Leaving))
      })
    }
  }

  /** Removes tasks of a kind whose payload contains the id or address of one of the mailboxes. */
  async #removeTasks(leaving: Leaving[]): Promise<void> {
    const ids = new Set(leaving.map(({ id }) => id))
    const addresses = leaving.flatMap(({ address, aliases = [] }) => [address?.toLowerCase() ?? [], ...aliases].flat())
    let count = 0
    for (const kind of KINDS) {
      for await (const { id, payload } of this.#deps.queue.all<{ mailbox_id?: string; raw?: string }>(kind)) {
        if (++count % 100 === 0) await tick()
        const text = kind === 'notice' ? payload.raw?.toLowerCase() : undefined
        const isMeant =
          text === undefined ? ids.has(payload.mailbox_id ?? '') : addresses.some((address) => text.includes(address))
        // A running task finds no mailbox, and ends by itself.
        if (isMeant) await this.#deps.queue.remove(kind, id)
      }
    }
  }

  async #leavingOf(accountId: string): Promise<Leaving[]> {
    const all: Leaving[] = []
    for await (const page of pagesOf(this.#store, accountPartition(accountId), prefixRange('leaving')))
      all.push(...page.map(([, value]) => decode<Leaving>(value)))
    return all
  }
}
