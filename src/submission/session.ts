/** A session of a mail program: signing in, and answers to MAIL, RCPT and DATA. */
import type { Caller } from '../accounts/types.js'
import { ServiceError } from '../lib/errors.js'
import { isOwnAddress } from '../mailbox/addresses.js'
import type { MailboxRecord } from '../mailbox/mailbox-record.js'
import { parseAddress } from '../mime/address.js'
import type { Credentials } from '../smtp/auth.js'
import { INTERNAL, replyCodes, type Reply } from '../smtp/replies.js'
import type { Visitor, VisitorHandler } from '../smtp/server/connections.js'
import { DISK_LOW, STORE_UNREADABLE } from '../smtp/server/refusals.js'
import type { DataSink, Recipient, Transaction } from '../smtp/session.js'
import type { AccountSessions } from '../smtp/server/account-sessions.js'
import {
  ACCESS_ENDED,
  ACCOUNT_CONNECTIONS,
  barred,
  NO_ADDRESS,
  notYours,
  ONE_RECEIPT,
  refusalOf,
  SIGN_IN_FAILED,
  WRONG_AGAIN,
  WRONG_PASSWORD,
  WRONG_TOKEN,
  WRONG_TOO_OFTEN,
} from './replies.js'
import type { Author, Sending } from './sending.js'
import type { SubmissionParts } from './types.js'

export interface SubmissionSessionDeps extends SubmissionParts {
  sending: Sending
  accounts: AccountSessions
  onRefused: (refusal: Reply) => void
  onSignIn: (outcome: string) => void
}

/** Wrong passwords and tokens of a session, after which it ends. */
const MAX_WRONG = 3

export class SubmissionSession implements VisitorHandler {
  #wrong = 0
  #credentials: Credentials | undefined
  #account: string | undefined
  #watched: { release: () => void } | undefined
  #author: Author | undefined
  #isClosed = false

  constructor(
    private readonly deps: SubmissionSessionDeps,
    private readonly visitor: Visitor,
  ) {}

  async authenticate(credentials: Credentials): Promise<Reply | undefined> {
    const { accounts, watch } = this.deps
    const found = await this.#signIn(credentials)
    if (!('caller' in found)) return this.#refuse(found.refusal)
    const { caller } = found
    const account = caller.account?.id ?? caller.mailboxId
    // The program has left while its password was checked, and nothing would end what is begun here.
    if (this.#isClosed) return ACCESS_ENDED
    if (!accounts.enter(account)) return this.#refuse(ACCOUNT_CONNECTIONS)
    this.#account = account
    this.#credentials = credentials
    this.#watched = watch(caller, () => this.visitor.cut(ACCESS_ENDED))
    return undefined
  }

  async mail({ from }: Transaction): Promise<Reply | undefined> {
    const refusal = this.visitor.counts.mail() ?? (await this.#storeRefusal()) ?? (await this.#begin(from))
    return refusal && this.#refuse(refusal, from)
  }

  mailTooLarge(from: string, refusal: Reply): void {
    this.#refuse(refusal, from)
  }

  async recipient({ address }: Recipient, { from, recipients, holdUntil }: Transaction): Promise<Reply | undefined> {
    const refusal =
      from === '' && recipients.length > 0
        ? ONE_RECEIPT
        : await this.#check(address, recipients, holdUntil !== undefined)
    if (!refusal) return undefined
    this.deps.onRefused(refusal)
    return this.#refuse(refusal, from)
  }

  data(transaction: Transaction): DataSink | Reply {
    const author = this.#author
    if (!author) throw new Error('data without a sender')
    return this.deps.sending.receive(this.visitor, transaction, author)
  }

  closed(): void {
    this.#isClosed = true
    this.#watched?.release()
    if (this.#account !== undefined) this.deps.accounts.leave(this.#account)
    this.#account = undefined
  }

  /** @returns the caller as it is now; keys and accounts change while a session lasts */
  async #signIn(sent: Credentials): Promise<{ caller: Caller } | { refusal: Reply }> {
    const { signIn, log, onSignIn } = this.deps
    const { session } = this.visitor
    try {
      const found = await signIn(
        'token' in sent ? { address: sent.name, token: sent.token } : { address: sent.name, password: sent.password },
        'submission',
        session.clientAddress,
      )
      onSignIn(found.outcome)
      switch (found.outcome) {
        case 'in':
          return { caller: found.caller }
        case 'barred':
          return { refusal: barred(found.why) }
        case 'too_many':
          return { refusal: WRONG_TOO_OFTEN }
        case 'wrong':
          if (++this.#wrong >= MAX_WRONG) return { refusal: WRONG_AGAIN }
          return { refusal: 'token' in sent ? WRONG_TOKEN : WRONG_PASSWORD }
      }
    } catch (err) {
      log.error({ connection_id: session.id, err }, 'a mail program could not be signed in')
      return { refusal: SIGN_IN_FAILED }
    }
  }

  async #begin(from: string): Promise<Reply | undefined> {
    if (!this.#credentials) throw new Error('MAIL before AUTH')
    const found = await this.#signIn(this.#credentials)
    if (!('caller' in found)) return found.refusal.code === 535 ? ACCESS_ENDED : found.refusal
    const { caller } = found
    const mailbox = await this.deps.mailboxes.directory.get(caller.mailboxId)
    if (!mailbox) return ACCESS_ENDED
    // RFC 8098 §3: a read receipt has no sender; that it is one is looked at when it is there.
    if (from !== '' && !isOwnAddress(mailbox, from)) return notYours(addressesOf(mailbox))
    this.#author = { caller, addresses: addressesOf(mailbox) }
    return undefined
  }

  async #storeRefusal(): Promise<Reply | undefined> {
    const { disk } = this.deps
    if (!disk) return undefined
    if (!(await disk.isReadable())) return STORE_UNREADABLE
    return (await disk.isLow()) ? DISK_LOW : undefined
  }

  async #check(address: string, earlier: readonly Recipient[], isLater: boolean): Promise<Reply | undefined> {
    const { mailboxes, log } = this.deps
    if (!parseAddress(address)) return NO_ADDRESS
    const mailboxId = this.#author?.caller.mailboxId ?? ''
    try {
      await mailboxes.sending.checkRecipients(mailboxId, [...earlier.map((each) => each.address), address], isLater)
      return undefined
    } catch (err) {
      if (err instanceof ServiceError) return refusalOf(err)
      log.error({ connection_id: this.visitor.session.id, err }, 'a recipient could not be checked')
      return INTERNAL
    }
  }

  #refuse(refusal: Reply, from?: string): Reply {
    const { session } = this.visitor
    const line = { connection_id: session.id, client: session.clientAddress, from, reply: replyCodes(refusal) }
    this.deps.log.info({ ...line, reason: refusal.reason }, 'refused')
    return refusal
  }
}

function addressesOf({ address, aliases = [] }: MailboxRecord): string[] {
  return [address, ...aliases.map((alias) => alias.address)]
}
