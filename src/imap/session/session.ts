/**
 * A session of a mail program: its state, and its commands one after the other (RFC 9051 §3). What a command does is in the files of this room; the connection below
 * hands in commands and takes lines.
 */
import type { Caller } from '../../accounts/types.js'
import type { Command } from '../grammar/command.js'
import type { Output } from '../wire/output.js'
import { ResponseLine } from '../wire/response.js'
import { statusLine } from '../wire/status-line.js'
import { ascii, type Completion, Refused } from './completion.js'
import type { Notifications } from './notifications.js'
import type { ImapParts } from './parts.js'
import type { Selected } from './selected.js'

export interface SignedIn {
  caller: Caller
  mailboxId: string
  /** The app password or token only reads. */
  isReadOnly: boolean
}

/** What the connection offers to commands. */
export interface Wire {
  output: Output
  /** Of the client. */
  address: string
  isTls: boolean
  isCompressed: boolean
  /** The next line of the client, when it is an answer; undefined once the connection ends. */
  readLine: () => Promise<Buffer | undefined>
  /** The same for one who does not wait for it: no command is read until it has come. */
  takeLine: (answer: (line: Buffer | undefined) => void) => void
  /** Goes on over TLS, after the response. */
  startTls: () => void
  canStartTls: boolean
  compress: () => void
  /** Commands may be longer now. */
  signedIn: () => void
  /** Ends the connection with BYE. */
  bye: (text: string, code?: string) => void
  isClosed: boolean
  /** Aborted when the connection ends. */
  closed: () => AbortSignal
  /** Goes on beside the commands; a failure is as one of a command. */
  beside: (work: Promise<void>) => void
}

interface Ends {
  end(): void
}

/** Work of a session is charged for in pieces of this. */
const CHARGED_MS = 100

export class ImapSession {
  user: SignedIn | undefined
  selected: Selected | undefined
  /** After ENABLE (RFC 5161). */
  readonly enabled = new Set<string>()
  /** Result of the last SEARCH with SAVE: UIDs (RFC 9051 §6.4.4.1). */
  saved: readonly number[] = []
  /** After NOTIFY (RFC 5465); without it only commands are told of changes, and of those of the selected folder. */
  notifications: Notifications | undefined
  /** Tells the client of changes after NOTIFY, and while IDLE lasts. */
  notifying: Ends | undefined
  idling: Ends | undefined
  #turn: Promise<unknown> = Promise.resolve()
  #watched: { release: () => void } | undefined
  #onEnd: (() => void) | undefined
  /** Work that is not charged yet. */
  #workMs = 0

  constructor(
    readonly parts: ImapParts,
    readonly wire: Wire,
  ) {}

  /** Names and strings may have UTF-8. */
  get utf8(): boolean {
    return this.enabled.has('IMAP4REV2') || this.enabled.has('UTF8=ACCEPT')
  }

  get isRev2(): boolean {
    return this.enabled.has('IMAP4REV2')
  }

  /** Modseqs are told with flags (RFC 7162 §3.1). */
  get condstore(): boolean {
    return this.enabled.has('CONDSTORE') || this.enabled.has('QRESYNC')
  }

  get qresync(): boolean {
    return this.enabled.has('QRESYNC')
  }

  line(): ResponseLine {
    return new ResponseLine({ utf8: this.utf8 })
  }

  /** @throws Refused when nobody has signed in */
  mustUser(): SignedIn {
    if (!this.user) throw new Refused({ status: 'BAD', text: 'sign in first' })
    return this.user
  }

  /** @throws Refused without a selected folder */
  mustSelected(): Selected {
    this.mustUser()
    if (!this.selected) throw new Refused({ status: 'BAD', text: 'select a mailbox first' })
    return this.selected
  }

  /** @throws Refused for an app password or token that only reads */
  mustWrite(): SignedIn {
    const user = this.mustUser()
    if (user.isReadOnly) throw new Refused({ status: 'NO', code: 'NOPERM', text: 'this program may only read' })
    return user
  }

  /** @throws ServiceError `rate_limited` when the app password or its account has had its requests of this minute */
  mustHaveRate(): void {
    this.parts.rates?.check(this.mustUser().caller)
  }

  /** Notes work of a command. A little is charged together with more. */
  readonly charge = (ms: number): void => {
    this.#workMs += ms
    if (this.#workMs >= CHARGED_MS) this.#chargeWork()
  }

  #chargeWork(): void {
    if (this.user && this.#workMs > 0) this.parts.rates?.chargeTime(this.user.caller, this.#workMs)
    this.#workMs = 0
  }

  /** @param onEnd called when the session ends */
  signIn(caller: Caller, onEnd: () => void): void {
    // The client has left while its password was checked: `end` was called already.
    if (this.wire.isClosed) {
      onEnd()
      return
    }
    this.#onEnd = onEnd
    this.user = { caller, mailboxId: caller.mailboxId, isReadOnly: !caller.scopes.includes('imap') }
    const ended =
      caller.audience === undefined
        ? 'the app password was revoked, or the account was suspended'
        : 'the access token has expired or was revoked, or the account was suspended'
    this.#watched = this.parts.watch(caller, () => this.wire.bye(`your access has ended: ${ended}`))
    this.wire.signedIn()
  }

  end(): void {
    this.#chargeWork()
    this.#watched?.release()
    this.#watched = undefined
    this.#onEnd?.()
    this.#onEnd = undefined
    this.endNotify()
    this.idling?.end()
    this.idling = undefined
  }

  /** Nothing is told unasked any more, but within IDLE. */
  endNotify(): void {
    this.notifying?.end()
    this.notifying = undefined
    this.notifications = undefined
  }

  /** Notes UIDs of messages that the client stored or copied: it knows them, so they are not fetched for it when they are told (RFC 5465 §5.2). */
  madeItself(folder: number, uids: readonly number[]): void {
    if (folder !== this.selected?.number || !this.notifications?.selected?.items.length) return
    for (const uid of uids) this.selected.made.add(uid)
  }

  /** Notes names of folders that the client itself has changed: it is not told of that (RFC 5465 §5). */
  changedItself(...names: string[]): void {
    for (const name of names) this.notifications?.own.add(name)
  }

  /** Responses of one piece of work are not among those of another: of a command, or of a change that nobody asked for. */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(work)
    this.#turn = result.catch(() => 'only the caller is notified')
    return result
  }

  async send(line: ResponseLine): Promise<void> {
    await this.wire.output.write(line.end())
  }

  async untagged(status: 'OK' | 'NO' | 'BYE', text: string, code?: string): Promise<void> {
    await this.wire.output.write([statusLine(undefined, { status, text, ...(code !== undefined && { code }) })])
  }

  async complete({ tag, name }: Pick<Command, 'tag' | 'name'>, { status, code, text }: Completion): Promise<void> {
    const words = text ?? `${name} ${status === 'OK' ? 'completed' : 'failed'}`
    await this.wire.output.write([statusLine(tag, { status, text: ascii(words), ...(code !== undefined && { code }) })])
  }
}
