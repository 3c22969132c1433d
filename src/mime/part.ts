/** The decoded bytes of one part of a message. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Entity } from './entity.js'
import { readStructure, leaves } from './structure.js'
import { transferDecoder } from './transfer.js'
import { MessageFormatError, type ParseLimits } from './types.js'

/** Encoded bytes decoded in one turn of the event loop; about a millisecond. */
const PIECE_BYTES = 256 * 1024

/** @param part number of the leaf part, as in `ParsedAttachment.part` @throws MessageFormatError when the message has no such part */
export async function readPart(raw: Buffer, part: number, limits: ParseLimits): Promise<Buffer> {
  const content = (await readParts(raw, [part], limits)).get(part)
  if (content === undefined) throw new MessageFormatError(`message has no part ${part}`)
  return content
}

/**
 * Reads several parts in one pass over the message: reading its structure costs as much as decoding all of its parts.
 *
 * @param wanted numbers of leaf parts
 * @returns decoded content by number, without missing parts
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

export async function decodedContent(entity: Entity): Promise<Buffer> {
  const pieces: Buffer[] = []
  await eachDecodedPiece(entity, (piece) => void pieces.push(piece))
  return Buffer.concat(pieces)
}

/** At least `wanted` bytes of the content, if it has as many. May be a view of the message. */
export async function decodedStart(entity: Pick<Entity, 'content' | 'encoding'>, wanted: number): Promise<Buffer> {
  const pieces: Buffer[] = []
  let length = 0
  await eachDecodedPiece(entity, (piece) => {
    if (piece.length > 0) pieces.push(piece)
    length += piece.length
    return length < wanted
  })
  const [only] = pieces
  return only && pieces.length === 1 ? only : Buffer.concat(pieces, length)
}

/**
 * Decodes the content piece by piece, with a turn of the event loop before each further piece.
 *
 * @param take gets each piece in order; returning false stops
 */
export async function eachDecodedPiece(
  { content, encoding }: Pick<Entity, 'content' | 'encoding'>,
  take: (piece: Buffer) => boolean | void,
): Promise<void> {
  const decoder = transferDecoder(encoding)
  for (let at = 0; at < content.length; at += PIECE_BYTES) {
    if (at > 0) await nextTurn()
    if (take(decoder.write(content.subarray(at, at + PIECE_BYTES))) === false) return
  }
  take(decoder.end())
}
