/** Reads commands from octets as a session does, whatever the chunks. */
import { CommandReader, type ReaderEvent } from '../../src/imap/wire/command-reader.js'
import { LIMITS_SIGNED_IN, type ReaderLimits } from '../../src/imap/wire/reader-limits.js'
import { below, type Random } from '../support/random.js'
import type { Segment } from '../../src/imap/wire/segments.js'

/** Keeps all literals. */
export function newReader(limits: Partial<ReaderLimits> = {}): CommandReader {
  return new CommandReader({ limits: { ...LIMITS_SIGNED_IN, ...limits }, decides: () => false })
}

/** All events, up to one on which the owner decides. */
export function drain(reader: CommandReader): ReaderEvent[] {
  const events: ReaderEvent[] = []
  for (let event = reader.next(); event; event = reader.next()) {
    events.push(event)
    if (event.kind === 'announced') break
  }
  return events
}

/** The events of all chunks, one after the other. */
export function feed(reader: CommandReader, chunks: Iterable<Buffer | string>): ReaderEvent[] {
  const events: ReaderEvent[] = []
  for (const chunk of chunks) {
    reader.push(typeof chunk === 'string' ? Buffer.from(chunk, 'utf8') : chunk)
    events.push(...drain(reader))
  }
  return events
}

/** The segments of one command. @throws if the octets are something else */
export function segmentsOf(octets: Buffer | string, limits: Partial<ReaderLimits> = {}): Segment[] {
  const events = feed(newReader(limits), [octets]).filter(({ kind }) => kind !== 'continue')
  const [event] = events
  if (events.length !== 1 || event?.kind !== 'command') throw new Error(`not one command: ${JSON.stringify(events)}`)
  return event.segments
}

/** The octets cut at random. */
export function randomChunks(random: Random, octets: Buffer, largest: number): Buffer[] {
  const chunks: Buffer[] = []
  for (let at = 0; at < octets.length;) {
    const end = at + 1 + below(random, largest)
    chunks.push(octets.subarray(at, end))
    at = end
  }
  return chunks
}

export function bytesOf(octets: Buffer): Buffer[] {
  return Array.from(octets, (octet) => Buffer.from([octet]))
}

/** The texts and literals of segments, for comparison. */
export function textsOf(segments: readonly Segment[]): string[] {
  return segments.map((segment) =>
    segment.kind === 'text'
      ? segment.octets.toString('latin1')
      : `${segment.isLiteral8 ? '~' : ''}{${segment.size}}${segment.octets?.toString('latin1') ?? ''}`,
  )
}
