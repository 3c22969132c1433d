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
import type { ImapParts } from './parts.js'
import type { Selected } from './selected.js'

export interface SignedIn {
  caller: Caller
  mailboxId: string
  /** The app password only reads. */
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
  /** Goes on over TLS, after the response. */
  startTls: () => void
  canStartTls: boolean
  compress: () => void
  /** Commands may be longer now. */
  signedIn: () => void
  /** Ends the connection with BYE. */
  bye: (text: string, code?: string) => void
  /** Aborted when the connection ends. */
  closed: AbortSignal
}

export class ImapSession {
  user: SignedIn | undefined
  selected: Selected | undefined
  /** After ENABLE (RFC 5161). */
  readonly enabled = new Set<string>()
  /** Result of the last SEARCH with SAVE: UIDs (RFC 9051 §6.4.4.1). */
  saved: readonly number[] = []
  #watched: { release: () => void } | undefined
  #onEnd: (() => void) | undefined

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

  /** @throws Refused for a password that only reads */
  mustWrite(): SignedIn {
    const user = this.mustUser()
    if (user.isReadOnly) throw new Refused({ status: 'NO', code: 'NOPERM', text: 'this app password only reads' })
    return user
  }

  /** @param onEnd called when the session ends */
  signIn(caller: Caller, onEnd: () => void): void {
    this.#onEnd = onEnd
    this.user = { caller, mailboxId: caller.mailboxId, isReadOnly: !caller.scopes.includes('imap') }
    this.#watched = this.parts.watch(caller, () =>
      this.wire.bye('your access has ended: the app password was revoked, or the account was suspended'),
    )
    this.wire.signedIn()
  }

  end(): void {
    this.#watched?.release()
    this.#watched = undefined
    this.#onEnd?.()
    this.#onEnd = undefined
  }

  /** Tells the client what changed in the selected folder. @param how `gone`: also what is gone */
  async catchUp({ gone }: { gone: boolean }): Promise<void> {
    const { selected } = this
    if (!selected || !this.user) return
    const view = await this.parts.folders.view(this.user.mailboxId, selected.number)
    if (view?.row.validity === selected.validity) await selected.tell(this, view, { gone, fresh: true })
    // RFC 9051 §7.1: its UIDs mean other messages now.
    else this.wire.bye('the mailbox has changed as a whole: connect again')
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
