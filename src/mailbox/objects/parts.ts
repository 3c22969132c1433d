/** MIME parts of a message as sent, beyond text and attachments. */
import type { Entity } from '../../mime/entity.js'
import { safeFilename } from '../../mime/filename.js'
import { decodedContent } from '../../mime/part.js'
import { leaves, readStructure } from '../../mime/structure.js'
import type { ParseLimits } from '../../mime/types.js'
import type { MessagePart } from './objects.js'

/** A part without its transfer encoding; text stays in its charset. */
export interface PartContent {
  filename: string
  contentType: string
  /** As declared; '' if missing. */
  charset: string
  content: Buffer
}

export function partsOf(raw: Buffer, limits: ParseLimits): MessagePart[] {
  const root = readStructure(raw, limits)
  return [...partsIn(root, root.children.length > 0 ? '' : '1')]
}

/** Numbers as in RFC 3501 §6.4.5: parts of the message are 1, 2, …, those of the second one 2.1, 2.2, …; a message that is no multipart is 1. */
function* partsIn(entity: Entity, path: string): Generator<MessagePart> {
  const { contentType, charset, disposition, filename, contentId, encoding, leaf } = entity
  yield {
    path,
    part: leaf === -1 ? null : leaf,
    content_type: contentType,
    charset: charset === '' ? null : charset.toLowerCase(),
    encoding: encoding === '' ? null : encoding,
    disposition: disposition === '' ? null : disposition,
    filename: filename === '' ? null : safeFilename(filename, contentType, leaf),
    content_id: contentId === '' ? null : contentId,
    encoded_bytes: entity.content.length,
  }
  for (const [i, child] of entity.children.entries())
    yield* partsIn(child, path === '' ? `${i + 1}` : `${path}.${i + 1}`)
}

/** @param part number of a leaf, as in `MessagePart.part` @returns undefined for an unknown part */
export async function partOf(raw: Buffer, part: number, limits: ParseLimits): Promise<PartContent | undefined> {
  for (const entity of leaves(readStructure(raw, limits))) {
    if (entity.leaf !== part) continue
    const { contentType, charset, filename } = entity
    return {
      filename: safeFilename(filename, contentType, part),
      contentType,
      charset,
      content: await decodedContent(entity),
    }
  }
  return undefined
}
