/** Files that go with a message. */
import type { AttachmentUpload } from './operations.js'

/** A file for the `attachments` of a message. @param contentType `application/octet-stream` when not given */
export function attachment(filename: string, content: Uint8Array | string, contentType?: string): AttachmentUpload {
  const bytes = typeof content === 'string' ? Buffer.from(content, 'utf8') : Buffer.from(content)
  return {
    filename,
    content: bytes.toString('base64'),
    ...(contentType !== undefined && { content_type: contentType }),
  }
}
