/** The decoded bytes of one part of a message. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Entity } from './entity.js'
import { readStructure, leaves } from './structure.js'
import { transferDecoder } from './transfer.js'
import { MessageFormatError, type ParseLimits } from './types.js'

/** How many encoded bytes are decoded before others get their turn; about a millisecond's work. */
const PIECE_BYTES = 256 * 1024

/**
 * Reads one part.
 *
 * @param part number of the leaf part, as in `ParsedAttachment.part`
 * @throws MessageFormatError when the message has no such part
 */
export async function readPart(raw: Buffer, part: number, limits: ParseLimits): Promise<Buffer> {
  const content = (await readParts(raw, [part], limits)).get(part)
  if (content === undefined) throw new MessageFormatError(`message has no part ${part}`)
  return content
}

/**
 * Reads several parts in one pass over the message: its structure costs as much as all its parts together, however few of them are wanted.
 *
 * @param wanted numbers of leaf parts
 * @returns decoded content by number, without the parts that the message does not have
 */
export async function readParts(
  raw: Buffer,
  wanted: readonly number[],
  limits: ParseLimits,
): Promise<Map<number, Buffer>> {
  const numbers = new Set(wanted)
  const contents = new Map<number, Buffer>()
  for (const entity of leaves(readStructure(raw, limits)))
    if (numbers.has(entity.leaf)) contents.set(entity.leaf, await decodedContent(entity))
  return contents
}

/** The whole content of a leaf, with its transfer encoding taken off. */
export async function decodedContent(entity: Entity): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of decodedPieces(entity)) pieces.push(piece)
  return Buffer.concat(pieces)
}

/** The content with its transfer encoding taken off, in pieces: of a long one, each but the first in a turn of its own. */
export function* decodedPieces({ content, encoding }: Entity): Generator<Buffer | Promise<Buffer>> {
  const decoder = transferDecoder(encoding)
  yield decoder.write(content.subarray(0, PIECE_BYTES))
  for (let at = PIECE_BYTES; at < content.length; at += PIECE_BYTES)
    yield nextTurn().then(() => decoder.write(content.subarray(at, at + PIECE_BYTES)))
  yield decoder.end()
}
