/**
 * A message's HTML as a document of its own, for a sandboxed frame: made safe by the mailbox (mime/html/sanitise.ts), with its own pictures in it as `data:`.
 *
 * The frame has no origin of ours, so it gets no cookies and could not ask for the pictures one by one.
 */
import type { Message } from '../../mailbox/objects/objects.js'
import type { HttpResponse } from '../../http/message.js'
import { constantTimeEqual } from '../../lib/ids.js'
import { escapeHtml } from '../../lib/text.js'
import { inboxMailbox, itemPath, type InboxDeps, type InboxPage } from './deps.js'
import { orGone } from './gone.js'
import { picturesQuery, withRemotePictures } from './remote-pictures.js'

/** Max pictures of one message, and their total size; others are among its files. */
const MAX_PICTURES = 20
const MAX_PICTURE_BYTES = 2 * 1024 * 1024

/** SVG is a document, and may have scripts. */
const RASTER = /^image\/(?:png|jpeg|gif|webp|bmp)$/

/** Nothing runs, is fetched, sent or framed elsewhere; links open windows of their own. */
const HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': [
    'sandbox allow-popups allow-popups-to-escape-sandbox',
    "default-src 'none'",
    'img-src data:',
    "style-src 'unsafe-inline'",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'self'",
  ].join('; '),
  'X-Frame-Options': 'SAMEORIGIN',
  'X-Content-Type-Options': 'nosniff',
  'X-Robots-Tag': 'noindex, nofollow',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'no-store',
}

/** On light ground, which senders count on. */
const STYLE =
  'html{color-scheme:light;background:#fff}body{margin:0;padding:1rem;color:#1c1b1a;font:16px/1.5 system-ui,sans-serif;overflow-wrap:anywhere}img{max-width:100%;height:auto}table{max-width:100%}pre{white-space:pre-wrap}'

export const htmlMailPage: InboxPage = {
  method: 'GET',
  path: itemPath('{mailbox_id}', '{id}') + '/html',
  access: 'session',
  async answer({ params, query, visitor, audit }, deps) {
    const mailbox = await inboxMailbox(visitor, params['mailbox_id'] ?? '', deps)
    const id = params['id'] ?? ''
    const asked = query.get('pictures')
    const hasRemote = asked !== null && constantTimeEqual(asked, picturesQuery(visitor, id))
    const message = await orGone(() =>
      deps.mailboxes.reading.message(mailbox.id, id, { safeHtml: hasRemote ? 'with remote pictures' : true }),
    )
    const safe = message.html_safe ?? null
    if (safe === null) return documentOf(NONE)
    const body = await withPictures(safe, message, deps)
    if (!hasRemote) return documentOf(body)
    const entry = { action: 'message.pictures_fetched', subject: { mailbox_id: mailbox.id, message_id: id } } as const
    return documentOf(await audit(entry, () => withRemotePictures(body, deps.fetchPictures)))
  },
}

const NONE =
  '<p>This message has no HTML that can be shown safely. Its plain text and its source are below the frame.</p>'

/** The one place where markup comes from elsewhere: from the sanitiser. */
function documentOf(body: string): HttpResponse {
  return {
    status: 200,
    headers: HEADERS,
    body: `<!doctype html><html><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><base target="_blank"><title>Message</title><style>${STYLE}</style></head><body>${body}</body></html>`,
  }
}

/** `cid:` as the sanitiser writes it: within a tag no `<` and `>`, within a value no quote. */
const PICTURE = /(<img\b[^<>]*?) src="cid:([^"<>]*)"/gi

/** @param safe what the sanitiser made: attribute values are quoted and escaped */
async function withPictures(
  safe: string,
  message: Message,
  { mailboxes }: Pick<InboxDeps, 'mailboxes'>,
): Promise<string> {
  const names = new Set([...safe.matchAll(PICTURE)].map(([, , name = '']) => name))
  const pictures = new Map<string, string>()
  let left = MAX_PICTURE_BYTES
  for (const name of names) {
    const file = message.attachments.find(({ content_id: id }) => id !== null && isNamed(name, id))
    if (!file || !RASTER.test(file.content_type) || file.size_bytes > left || pictures.size === MAX_PICTURES) continue
    left -= file.size_bytes
    const { content } = await mailboxes.reading.attachment(message.mailbox_id, message.id, file.id)
    pictures.set(name, `data:${file.content_type};base64,${content.toString('base64')}`)
  }
  return safe.replace(PICTURE, (_all, start: string, name: string) => {
    const picture = pictures.get(name)
    return picture === undefined ? start : `${start} src="${picture}"`
  })
}

/** RFC 2392 §2: a `cid:` is the percent-encoded Content-ID. */
function isNamed(written: string, contentId: string): boolean {
  const id = contentId.replace(/^<|>$/g, '')
  return [id, encodeURIComponent(id), encodeURI(id)].some((each) => escapeHtml(each) === written)
}

/** True if the sender's HTML would load pictures from elsewhere. */
export function hasRemotePictures(html: string): boolean {
  return /<(?:img|image|input|video|source)\b[^>]*\b(?:src|srcset|poster)\s*=\s*["']?\s*(?:https?:)?\/\/|\bbackground\s*=\s*["']?\s*(?:https?:)?\/\/|url\(\s*["']?\s*(?:https?:)?\/\//i.test(
    html,
  )
}
