/** Parses a server's replies (RFC 5321 §4.2). Anything else is an error. */

export interface Reply {
  code: number
  /** Text after the code, per line. */
  lines: string[]
  /** As received, lines joined by LF. */
  text: string
}

/** The server violates the protocol: nothing it says in this session counts. */
export class ProtocolError extends Error {
  constructor(problem: string) {
    super(`protocol error: ${problem}`)
    this.name = 'ProtocolError'
  }
}

export type ReplyReader = ReturnType<typeof createReplyReader>

/** Codes from 200 to 599 (RFC 5321 §4.2: 1yz is not used in SMTP). */
const LINE = /^([2-5]\d\d)(?:([ -])(.*))?$/s
const LF = 0x0a
const SHOWN_CHARS = 200

/** @param maxBytes per reply */
export function createReplyReader(maxBytes: number) {
  let pieces: Buffer[] = []
  let bytes = 0
  let lines: string[] = []
  let code: string | undefined

  function add(piece: Buffer): void {
    bytes += piece.length
    if (bytes > maxBytes) throw new ProtocolError(`a reply exceeds the maximum allowed size of ${maxBytes} octets`)
    pieces.push(piece)
  }

  /** @returns true for the last line of a reply */
  function endLine(): boolean {
    const line = decoded(Buffer.concat(pieces)).replace(/\r?\n$/, '')
    pieces = []
    const [, lineCode, mark] = LINE.exec(line) ?? []
    if (lineCode === undefined) throw new ProtocolError(`"${line.slice(0, SHOWN_CHARS)}" is no SMTP reply`)
    // RFC 5321 §4.2.1: all lines of a reply have one code.
    if (code !== undefined && code !== lineCode)
      throw new ProtocolError(`a reply has lines with ${code} and with ${lineCode}`)
    code = lineCode
    lines.push(line)
    return mark !== '-'
  }

  return {
    /** @returns completed replies. @throws ProtocolError */
    *push(chunk: Buffer): Generator<Reply> {
      for (let at = 0; at < chunk.length;) {
        const lf = chunk.indexOf(LF, at)
        add(lf < 0 ? chunk.subarray(at) : chunk.subarray(at, lf + 1))
        if (lf < 0) return
        at = lf + 1
        if (!endLine()) continue
        const reply = { code: Number(code), lines: lines.map((line) => line.slice(4)), text: lines.join('\n') }
        lines = []
        code = undefined
        bytes = 0
        yield reply
      }
    },
    /** Bytes of an incomplete reply. */
    get rest(): string {
      return [...lines, decoded(Buffer.concat(pieces))].join('\n').trim()
    },
  }
}

/** UTF-8 if valid (RFC 6531 §3.7.4.2), else Latin-1. */
function decoded(line: Buffer): string {
  const text = line.toString('utf8')
  return text.includes('\ufffd') ? line.toString('latin1') : text
}

/**
 * Codes of other commands (RFC 5321 §4.2.3, RFC 4954 §6): ready (220), closing (221), help (211, 214), login (235). As a reply to anything else they mean both
 * sides are out of step. Unknown codes count by their first digit (§4.2.1).
 */
const OF_OTHER_COMMANDS: ReadonlySet<number> = new Set([211, 214, 220, 221, 235])

/** @returns false for a refusal, temporary or permanent @throws ProtocolError for an impossible reply */
export function isDone(command: string, reply: Reply): boolean {
  if (reply.code >= 400) return false
  if (reply.code < 300 && !OF_OTHER_COMMANDS.has(reply.code)) return true
  throw outOfPlace(command, reply)
}

/**
 * @param wanted the only success code of the command, such as 354 for DATA (RFC 5321 §4.3.2)
 * @returns false for a refusal, temporary or permanent
 * @throws ProtocolError for any other code
 */
export function isAnswered(command: string, wanted: number, reply: Reply): boolean {
  if (reply.code >= 400) return false
  if (reply.code === wanted) return true
  throw outOfPlace(command, reply)
}

function outOfPlace(command: string, { text }: Reply): ProtocolError {
  return new ProtocolError(`${command} was answered with "${text.slice(0, SHOWN_CHARS)}"`)
}
