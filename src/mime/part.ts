/** The decoded bytes of one part of a message. */
import { readStructure, leaves, type Entity } from './structure.js'
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
  for (const entity of leaves(await readStructure(raw, limits)))
    if (numbers.has(entity.leaf)) contents.set(entity.leaf, await decodedContent(entity))
  return contents
}

/** The whole content of a leaf, with its transfer encoding taken off. */
export async function decodedContent(entity: Entity): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of decodedPieces(entity)) pieces.push(piece)
  return Buffer.concat(pieces)
}

/** The content with its transfer encoding taken off, in pieces, leaving the event loop free in between. */
export async function* decodedPieces(entity: Entity): AsyncGenerator<Buffer> {
  const decoder = transferDecoder(entity.encoding)
  let sinceYield = 0
  for (const piece of entity.pieces) {
    for (let at = 0; at < piece.length; at += PIECE_BYTES) {
      const encoded = piece.subarray(at, at + PIECE_BYTES)
      sinceYield += encoded.length
      if (sinceYield > PIECE_BYTES) {
        await new Promise(setImmediate)
        sinceYield = encoded.length
      }
      yield decoder.write(encoded)
    }
  }
  yield decoder.end()
}
