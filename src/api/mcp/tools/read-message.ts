/** The tool read_message: one whole message, in pages, as text or sanitized HTML. */
import { z } from 'zod'
import { invalidRequest } from '../../../lib/errors.js'
import { cut } from '../../../lib/text.js'
import { messageFields, messageResult, ownLengthOf, messageText, TEXT_CHARACTERS } from '../text/messages.js'
import { defineTool, messageId, READS } from '../tool.js'

const input = z.strictObject({
  message_id: messageId,
  format: z.enum(['text', 'html']).default('text'),
  offset: z.int().min(0).default(0).describe('next_offset of the page before'),
})
const { left_out: _always, ...fields } = messageFields
const output = z.strictObject({ ...fields, next_offset: z.int().optional() })

export const readMessage = defineTool({
  name: 'read_message',
  title: 'Read message',
  description: 'Shows a whole message in pages, with quoted text. HTML has no scripts or images.',
  input,
  output,
  ...READS,
  async run({ mailboxes }, { message_id: id, format, offset }, { caller, asker, fence }) {
    const message = await mailboxes.reading.message(caller.mailboxId, id, { safeHtml: format === 'html', asker })
    const whole = format === 'html' ? withoutImages(message.html_safe) : message.text
    if (whole === undefined) {
      throw invalidRequest('The message has no HTML to show.', 'Call read_message again with format text.', [
        { field: 'format', problem: 'There is no HTML for this message.' },
      ])
    }
    const text = cut(whole.slice(offset), TEXT_CHARACTERS)
    // HTML is not split into own and quoted words.
    const ownLength = format === 'html' ? 0 : Math.max(0, Math.min(text.length, ownLengthOf(message, whole) - offset))
    const shown = { text, ownLength, isAlone: true as const }
    const end = offset + text.length
    const next = end < whole.length ? end : null
    const structured = { ...messageResult(fence, message, shown), ...(next !== null && { next_offset: next }) }
    const said = messageText(fence, message, shown)
    const where = `Characters ${Math.min(offset, whole.length)} to ${end} of ${whole.length}.`
    const more =
      next !== null
        ? `${where} More: call read_message with offset ${next}.`
        : message.truncated
          ? `${where} The mail is too long to show in full; your human can download it.`
          : offset > 0
            ? where
            : undefined
    return { text: more === undefined ? said : `${said}\n${more}`, structured, untrusted: true }
  },
})

/** Inline images are too long to read; get_attachment shows them. */
function withoutImages(html: string | null | undefined): string | undefined {
  return html?.replace(/<img\b[^>]*>/gi, (tag) => `[image: ${/\balt="([^"]*)"/i.exec(tag)?.[1] ?? ''}]`)
}
