/** Line counts of text and of embedded messages (RFC 9051 §7.5.2). What is in an embedded message is looked at once, however deep it is. */
import { TURN_OCTETS, type Turns } from './turns.js'
import type { MessagePart, Part, TextPart } from './types.js'

const LF = 0x0a

type Counted = TextPart | MessagePart

/** Sets `lines` of all parts that have it. */
export async function countLines(raw: Buffer, root: Part, turns: Turns): Promise<void> {
  for (const outer of outermost(root)) {
    const parts = [...countedIn(outer)]
    const places = [...new Set(parts.flatMap(({ bodyAt, end }) => [bodyAt, end]))].sort((a, b) => a - b)
    const linesBefore = new Map<number, number>()
    let lines = 0
    let from = outer.bodyAt
    for (const place of places) {
      lines += await linesIn(raw, from, place, turns)
      linesBefore.set(place, lines)
      from = place
    }
    for (const part of parts) part.lines = (linesBefore.get(part.end) ?? 0) - (linesBefore.get(part.bodyAt) ?? 0)
  }
}

/** Those that are in no other. */
function* outermost(part: Part): Generator<Counted> {
  if (part.kind === 'text' || part.kind === 'message') yield part
  else if (part.kind === 'multipart') for (const each of part.parts) yield* outermost(each)
}

function* countedIn(part: Part): Generator<Counted> {
  if (part.kind === 'text' || part.kind === 'message') yield part
  if (part.kind === 'message') yield* countedIn(part.message)
  if (part.kind === 'multipart') for (const each of part.parts) yield* countedIn(each)
}

async function linesIn(raw: Buffer, from: number, end: number, turns: Turns): Promise<number> {
  let lines = 0
  for (let at = from; at < end;) {
    const until = Math.min(at + TURN_OCTETS, end)
    await turns.spend(until - at)
    for (; at < until; at++) if (raw[at] === LF) lines++
  }
  return lines
}
