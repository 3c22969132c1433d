/**
 * Files of a message that a browser can show without running anything in them: pictures by their bytes, and text. Others are downloads: HTML and SVG are
 * documents with scripts, and a browser's viewer runs those of a PDF.
 */
import { ServiceError } from '../../lib/errors.js'
import { cut } from '../../lib/text.js'
import type { Message } from '../../mailbox/objects/objects.js'
import { html, type Html } from '../page/html.js'
import type { Visitor } from '../page/page.js'
import { ownerPage, PATHS } from '../page/person-frame.js'
import { plain, size } from '../page/words.js'
import { inboxMailbox, itemPath, type InboxDeps, type InboxPage } from './deps.js'
import { orGone } from './gone.js'
import { pictureType } from './picture-bytes.js'

type File = Message['attachments'][number]

/** Max size of a picture on a page, of a text that is read for one, and what is shown of it. */
const MAX_PICTURE_BYTES = 4 * 1024 * 1024
const MAX_TEXT_BYTES = 1024 * 1024
const MAX_TEXT_CHARS = 100_000
/** Pictures of one message on its page. */
const MAX_SHOWN_PICTURES = 10

/** SVG is a document, and may have scripts. */
const PICTURE = /^image\/(?:png|jpe?g|gif|webp|bmp)$/
const TEXT = /^(?:text\/(?:plain|csv|markdown|calendar|x-log|x-patch|x-diff|tab-separated-values)|application\/json)$/

/** Whatever made it risky may be meant for who opens it. */
const isHarmless = ({ risk }: File): boolean => risk.length === 0
const isPicture = (file: File): boolean =>
  isHarmless(file) && PICTURE.test(file.content_type) && file.size_bytes <= MAX_PICTURE_BYTES
const isText = (file: File): boolean =>
  isHarmless(file) && TEXT.test(file.content_type) && file.size_bytes <= MAX_TEXT_BYTES

/** @param place of the file among those of its message */
export function preview(message: Message, file: File, place: number): Html | undefined {
  const path = `${itemPath(message.mailbox_id, message.id)}/files/${file.id}`
  if (isText(file)) return html`<a class="small" href="${path}/text">read it here</a>`
  if (!isPicture(file) || place >= MAX_SHOWN_PICTURES) return undefined
  return html`<br /><img class="preview-picture" src="${path}/picture" alt="${plain(file.filename)}" loading="lazy" />`
}

const PATH = `${itemPath('{mailbox_id}', '{id}')}/files/{file_id}`

const picturePage: InboxPage = {
  method: 'GET',
  path: `${PATH}/picture`,
  access: 'session',
  async answer({ params, visitor }, deps) {
    const { file, content } = await fileOf(params, visitor, isPicture, deps)
    const type = pictureType(content)
    if (type === undefined) throw notShown(file)
    return {
      status: 200,
      headers: {
        'Content-Type': type,
        'Content-Disposition': 'inline',
        'Content-Security-Policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
        'X-Content-Type-Options': 'nosniff',
        'Cross-Origin-Resource-Policy': 'same-origin',
        'Referrer-Policy': 'no-referrer',
        'Cache-Control': 'no-store',
      },
      body: content,
    }
  },
}

const textPage: InboxPage = {
  method: 'GET',
  path: `${PATH}/text`,
  access: 'session',
  async answer({ params, visitor }, deps) {
    const { mailbox, message, file, content } = await fileOf(params, visitor, isText, deps)
    const text = await decoded(content)
    return ownerPage(
      {
        place: PATHS.inbox,
        title: 'A file',
        heading: html`<bdi>${plain(file.filename)}</bdi>`,
        isWide: true,
        body: html`<p class="small">
            <a href="${itemPath(mailbox.id, message.thread_id)}">The conversation</a>, ${plain(file.content_type)},
            ${size(file.size_bytes)}
          </p>
          <pre class="file-text" dir="auto">${plain(cut(text, MAX_TEXT_CHARS))}</pre>
          ${text.length > MAX_TEXT_CHARS && html`<p class="small">It is longer than shown here; the download has all of it.</p>`}`,
      },
      visitor,
      deps,
    )
  },
}

/** By its bytes, as its sender does not always say in which charset it is. The charsets are loaded with the first file that is read. */
async function decoded(content: Buffer): Promise<string> {
  const { decodeText } = await import('../../mime/charset.js')
  return decodeText(content, '')
}

export const previewPages: readonly InboxPage[] = [picturePage, textPage]

async function fileOf(
  params: Record<string, string>,
  visitor: Visitor,
  mayBeShown: (file: File) => boolean,
  deps: InboxDeps,
) {
  const mailbox = await inboxMailbox(visitor, params['mailbox_id'] ?? '', deps)
  const { reading } = deps.mailboxes
  const message = await orGone(() => reading.message(mailbox.id, params['id'] ?? ''))
  const file = message.attachments.find(({ id }) => id === params['file_id'])
  if (!file) throw new ServiceError('not_found', 'There is no such file.', 'Go back to the conversation.')
  if (!mayBeShown(file)) throw notShown(file)
  const { content } = await orGone(() => reading.attachment(mailbox.id, message.id, file.id))
  return { mailbox, message, file, content }
}

const notShown = ({ id }: File): ServiceError =>
  new ServiceError('not_found', `${id} is not shown in the browser.`, 'Download it from its conversation.')
