/** The source of a message and its files, as downloads that no browser shows. */
import { downloadHeaders } from '../../http/answers/disposition.js'
import { bytesAnswer } from '../../http/answers/ranges.js'
import { inboxMailbox, itemPath, type InboxPage } from './deps.js'
import { orGone } from './gone.js'

const PATH = itemPath('{mailbox_id}', '{id}')
const UNSTORED = { 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' }

const rawFile: InboxPage = {
  method: 'GET',
  path: `${PATH}/raw`,
  access: 'session',
  async answer({ params, visitor, request }, deps) {
    const mailbox = await inboxMailbox(visitor, params['mailbox_id'] ?? '', deps)
    const id = params['id'] ?? ''
    return bytesAnswer(request, {
      content: await orGone(() => deps.mailboxes.reading.raw(mailbox.id, id)),
      etag: `"${id}"`,
      headers: { ...downloadHeaders(`${id}.eml`, 'message/rfc822'), ...UNSTORED },
    })
  },
}

const attachedFile: InboxPage = {
  method: 'GET',
  path: `${PATH}/files/{file_id}`,
  access: 'session',
  async answer({ params, visitor, request }, deps) {
    const mailbox = await inboxMailbox(visitor, params['mailbox_id'] ?? '', deps)
    const { filename, contentType, content, sha256 } = await orGone(() =>
      deps.mailboxes.reading.attachment(mailbox.id, params['id'] ?? '', params['file_id'] ?? ''),
    )
    return bytesAnswer(request, {
      content,
      etag: `"${sha256}"`,
      headers: { ...downloadHeaders(filename, contentType), ...UNSTORED },
    })
  },
}

export const filePages: readonly InboxPage[] = [rawFile, attachedFile]
