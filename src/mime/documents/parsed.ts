/** A parsed message with what its PDFs and pictures say. */
import type { Asker } from '../../lib/thread-pool.js'
import type { ParsedMessage, ParseLimits } from '../types.js'
import { filesToRead } from './choose.js'
import { withRead, type FileReader } from './reader.js'

/** The same message where it has neither. Throws only the reason of the caller's signal once that is aborted. */
export async function withFilesRead(
  reader: Pick<FileReader, 'read'>,
  { raw, parsed, limits }: { raw: Buffer; parsed: ParsedMessage; limits: ParseLimits },
  asker: Asker,
): Promise<ParsedMessage> {
  const files = await filesToRead(raw, parsed, limits)
  if (files.length === 0) return parsed
  const read = await reader.read(files, asker)
  return { ...parsed, attachments: withRead(parsed.attachments, read), pictures: read.embedded }
}
