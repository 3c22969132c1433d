/** The messages of APPEND on their way in: whether one that is announced is taken, the memory that they have, and which of those that came together are carried out together. */
import { ServiceError } from '../../lib/errors.js'
import type { Append } from '../session/append.js'
import { refusalOf } from '../session/completion.js'
import type { ImapSession } from '../session/session.js'
import { parseAppendUpToLiteral, parseCommand } from '../grammar/parse.js'
import type { CommandReader, ReaderEvent } from '../wire/command-reader.js'
import { BadCommand } from '../wire/refusal.js'
import type { LiteralSegment, Segment } from '../wire/segments.js'

/** Memory of one connection for APPEND, in messages of the largest size. */
const MESSAGES_AT_ONCE = 2
/** APPENDs, and their octets, that are carried out together when they came together: as many as a commit takes. */
const APPENDS_AT_ONCE = 64
const APPENDED_AT_ONCE = 1024 * 1024

export class AppendIntake {
  /** Memory of the messages that are read or carried out. */
  #taken = 0
  /** Was read after the APPENDs that are carried out, and is the next. */
  #later: ReaderEvent | undefined

  /** @param taking called when a message is taken, which has a time to arrive */
  constructor(
    private readonly session: ImapSession,
    private readonly reader: CommandReader,
    private readonly taking: () => void,
  ) {}

  get taken(): number {
    return this.#taken
  }

  next(): ReaderEvent | undefined {
    const event = this.#later ?? this.reader.next()
    this.#later = undefined
    return event
  }

  /** APPENDs that have come behind one, up to something else. `taken`: the memory that all of them have. */
  further(): { appends: Append[]; taken: number } {
    const appends: Append[] = []
    let taken = this.#taken
    while (appends.length < APPENDS_AT_ONCE - 1) {
      const event = this.reader.next()
      if (event?.kind === 'announced' && this.#taken + event.literal.size <= APPENDED_AT_ONCE) {
        this.decide(event.segments, event.literal)
        continue
      }
      const command = event?.kind === 'command' ? this.#appendIn(event.segments) : undefined
      if (!command) {
        this.#later = event
        break
      }
      appends.push(command)
      taken = this.#taken
    }
    return { appends, taken }
  }

  /** Undefined for another command, and for one that is not understood: both are read again when it is their turn. */
  #appendIn(segments: readonly Segment[]): Append | undefined {
    try {
      const command = parseCommand(segments, { utf8: this.session.utf8 })
      return command.name === 'APPEND' ? command : undefined
    } catch (error) {
      if (error instanceof BadCommand) return undefined
      throw error
    }
  }

  /** Whether a message that APPEND announces is taken. */
  decide(segments: readonly Segment[], literal: LiteralSegment): void {
    const { parts, user } = this.session
    try {
      const meant = parseAppendUpToLiteral(segments, { utf8: this.session.utf8 })
      if (!user) this.reader.refuse({ status: 'BAD', text: 'sign in first' })
      else if (meant.kind === 'mailbox name') this.reader.accept({ maxBytes: 1000, stream: false })
      else if (user.isReadOnly) this.reader.refuse({ status: 'NO', code: 'NOPERM', text: 'this program may only read' })
      else if (literal.size > parts.limits.maxMessageBytes)
        this.reader.accept({ maxBytes: parts.limits.maxMessageBytes, stream: false })
      else if (this.#taken + literal.size > MESSAGES_AT_ONCE * parts.limits.maxMessageBytes)
        this.reader.refuse({ status: 'NO', code: 'TOOBIG', text: 'too much at once: use several commands' })
      else if (!parts.memory.take(literal.size))
        this.reader.refuse({
          status: 'NO',
          code: 'UNAVAILABLE',
          text: 'the server is busy with other messages: try again in a minute',
        })
      else {
        this.#taken += literal.size
        this.taking()
        this.reader.accept({ maxBytes: parts.limits.maxMessageBytes, stream: false })
      }
    } catch (error) {
      if (!(error instanceof BadCommand)) throw error
      this.reader.refuse(error.refusal)
    }
  }

  /** Refuses the command when its caller is over a limit of requests. */
  #mayWork(): boolean {
    try {
      this.session.mustHaveRate()
      return true
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      this.reader.refuse(refusalOf(error))
      return false
    }
  }

  /** @param octets all by default; at the end of the connection they were given back already */
  giveBack(octets = this.#taken): void {
    const given = Math.min(octets, this.#taken)
    this.session.parts.memory.give(given)
    this.#taken -= given
  }
}
