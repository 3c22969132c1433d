/**
 * Sign-in by a mailed link, for owners of accounts and for staff. A request is one commit, whether or not its address is known here:
 * its counts, and a task that looks the address up, makes the link and posts the letter. So an answer tells nobody which addresses are known, neither by its
 * words nor by its time.
 *
 * An agent could read a letter that arrives at this server, and then decide on its own drafts as its human. So no address of a domain that this server receives
 * mail for gets one, and none signs in, also if the domain has become one since.
 */
import { type Clock, HOUR } from '../../lib/clock.js'
import { invalidRequest, ServiceError } from '../../lib/errors.js'
import { constantTimeEqual, randomBase62, sha256Hex } from '../../lib/ids.js'
import { addressKey, domainOf, parseAddress } from '../../mime/address.js'
import type { Task, TaskOutcome, WorkQueue } from '../../queue/types.js'
import { countRecent, removeRecent } from '../../store/recent.js'
import type { Store } from '../../store/types.js'
import type { Letter, Letters } from '../letters.js'
import { createOneTimeLinks, LINK_LIFE_MS } from './one-time-links.js'
import type { AccountRecord, Accounts, SignedIn } from '../types.js'

/** Provider of identities that were proven by such a link. */
export const BY_MAIL = 'email'
export const MAIL_SIGN_IN_KIND = 'sign-in-letter'
/** Partition of the counts. */
export const MAIL_SIGN_INS = 'mail-sign-ins'

const RULES = {
  address: { row: 'address', spanMs: HOUR, limit: 5 },
  network: { row: 'network', spanMs: HOUR, limit: 20 },
}
const TOTAL = { spanMs: HOUR, limit: 500 }
const WHICH = { address: 'for this address', network: 'by your network', total: 'on this server' }
const SWEPT_AT_ONCE = 200

export interface MailSignInDeps {
  store: Store
  queue: Pick<WorkQueue, 'add' | 'finish'>
  clock: Clock
  accounts: Pick<Accounts, 'findOwner' | 'isStaff' | 'ensure'>
  letters: Pick<Letters, 'compose' | 'isRefused'>
  /** False where no link is mailed: then requests that wait get none. */
  isOffered: boolean
  /** True for each domain that this server receives mail for. */
  isLocalDomain: (domain: string) => boolean
  /** Without a slash at its end. */
  baseUrl: string
}

/** Payload of its task. */
export interface MailSignInTask {
  address: string
  /** Hash of the secret in the browser's cookie. */
  browser: string
  kept: string
  /** When the link ends; milliseconds since the epoch. */
  ends_at: number
}

export interface AskedLink {
  address: string
  /** Secret of the browser's cookie, without which the link does not work. */
  browser: string
  /** Network of the browser, in the form of networkOf. */
  network: string
  /** A text that the caller gets back when the link is used, sealed by the caller. */
  kept: string
}

interface Linked {
  address: string
  browser: string
  kept: string
}

export type OpenedLink = { kind: 'none' } | { kind: 'other-browser' } | { kind: 'valid'; address: string }
export type SpentLink = Exclude<OpenedLink, { kind: 'valid' }> | { kind: 'valid'; human: ProvenHuman; kept: string }

export interface ProvenHuman {
  account: AccountRecord
  isNewAccount: boolean
  identity: SignedIn
}

export type MailSignIn = ReturnType<typeof createMailSignIn>

export function createMailSignIn(deps: MailSignInDeps) {
  const { store, queue, clock, accounts, letters, isOffered, isLocalDomain, baseUrl } = deps
  const links = createOneTimeLinks<Linked>({ store, clock }, 'mail-sign-in')

  /** The account of an address. Null: staff without an account. Undefined: the address gets no letter. */
  async function accountOf(address: string): Promise<AccountRecord | null | undefined> {
    if (isLocalDomain(domainOf(address))) return undefined
    const owned = await accounts.findOwner(address)
    return owned ?? (accounts.isStaff({ email: address, emailVerified: true }) ? null : undefined)
  }

  async function open(token: string, browser: string | undefined): Promise<OpenedLink> {
    const link = await links.find(token)
    if (!link) return { kind: 'none' }
    const isSame = browser !== undefined && constantTimeEqual(sha256Hex(browser), link.browser)
    return isSame ? { kind: 'valid', address: link.address } : { kind: 'other-browser' }
  }

  return {
    isOffered,
    /**
     * Asks for a link. Durable when it resolves; who is not known here gets no letter.
     *
     * @throws ServiceError `invalid_request` for what is no address, `rate_limited`
     */
    async ask({ address, browser, network, kept }: AskedLink): Promise<void> {
      const parsed = parseAddress(address)
      if (parsed?.name !== '') throw notAnAddress()
      const to = addressKey(parsed.address)
      const now = clock.now()
      const id = randomBase62(16)
      const payload: MailSignInTask = { address: to, browser: sha256Hex(browser), kept, ends_at: now + LINK_LIFE_MS }
      const counted = { id, at: now, of: { address: sha256Hex(to), network: sha256Hex(network) } }
      const limited = await store.write(MAIL_SIGN_INS, async (tx) => {
        const reached = await countRecent(tx, RULES, TOTAL, counted)
        if (!reached) queue.add(tx, MAIL_SIGN_IN_KIND, { id, payload, due: now })
        return reached
      })
      if (limited) throw tooMany(WHICH[limited.by], limited.seconds)
    },

    /** The task of a request. Link, letter and the end of the task are one commit. */
    async run({ id, payload }: Pick<Task<MailSignInTask>, 'id' | 'payload'>): Promise<TaskOutcome<MailSignInTask>> {
      const { address, browser, kept, ends_at: endsAt } = payload
      if (!isOffered || clock.now() >= endsAt || (await accountOf(address)) === undefined) return { done: true }
      if (await letters.isRefused(address)) return { done: true }
      const { token, expiresAt, enter } = links.prepare({ address, browser, kept }, endsAt)
      const post = await letters.compose(
        `sign-in:${id}`,
        letterOf(address, `${baseUrl}/signin-mail/${token}`, expiresAt),
      )
      await store.write(MAIL_SIGN_INS, (tx) => {
        enter(tx)
        post(tx)
        queue.finish(tx, MAIL_SIGN_IN_KIND, id)
      })
      return { done: true }
    },

    /** Looks at a link without using it up. @param browser the secret of the cookie that came with it */
    open,

    /** Uses a link up, in the browser that asked for it. At most one caller gets its human. */
    async spend(token: string, browser: string | undefined): Promise<SpentLink> {
      const opened = await open(token, browser)
      if (opened.kind !== 'valid') return opened
      const { address } = opened
      const link = await links.spend(token)
      if (!link) return { kind: 'none' }
      const known = await accountOf(address)
      if (known === undefined) return { kind: 'none' }
      const account = known ?? (await accounts.ensure(address))
      const identity = { provider: BY_MAIL, subject: address, username: null, email: address, emailVerified: true }
      return { kind: 'valid', human: { account, isNewAccount: known === null, identity }, kept: link.kept }
    },
  }
}

/** Removes counts that no limit needs any more, a bounded number at a time. */
export async function sweepMailSignIns(store: Store, now: number): Promise<{ removed: number; more: boolean }> {
  const removed = await store.write(MAIL_SIGN_INS, (tx) => removeRecent(tx, RULES, TOTAL, now, SWEPT_AT_ONCE))
  return { removed, more: removed === SWEPT_AT_ONCE }
}

function letterOf(to: string, url: string, expiresAt: number): Letter {
  const { host } = new URL(url)
  const text = (words: string) => ({ kind: 'text', text: words }) as const
  return {
    to,
    subject: `Sign in to ${host}`,
    parts: [
      text(`Somebody asked for a link that signs in to ${host} with this address.`),
      { kind: 'link', label: 'Sign in', url },
      text('It works once, within ten minutes, and only in the browser in which it was asked for.'),
      text('If that was not you, there is nothing to do. Never give the link to anybody.'),
    ],
    notAfter: expiresAt,
    hasNullSender: true,
  }
}

function notAnAddress(): ServiceError {
  return invalidRequest('That is not an email address.', 'Write it as name@example.com. Nothing was sent.', [
    { field: 'email', problem: 'one plain email address' },
  ])
}

function tooMany(which: string, seconds: number): ServiceError {
  return new ServiceError(
    'rate_limited',
    `Too many sign-in links were requested ${which} within an hour.`,
    `Try again in ${Math.ceil(seconds / 60)} minutes, or sign in another way. Nothing was sent.`,
    { retryAfterSeconds: seconds },
  )
}
