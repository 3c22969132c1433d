/**
 * HTML for reading: reduced to text, its structure, links and the message's own images. No script, no form, no frame, nothing that is fetched when
 * shown, nothing that covers its surroundings.
 * It takes about half a millisecond for each KiB, and more for malicious HTML: see `mailbox/mail-work/mail-work.ts`.
 */
import sanitizeHtml from 'sanitize-html'

/** Max length; the rest is cut off. */
export const MAX_SANITISED_CHARS = 256 * 1024
const MAX_DEPTH = 64

const TAGS =
  'a abbr address article aside b bdi bdo big blockquote br caption center cite code col colgroup dd del dfn div dl dt em ' +
  'figcaption figure font footer h1 h2 h3 h4 h5 h6 header hr i img ins kbd li main mark ol p pre q rp rt ruby s samp section small span ' +
  'strike strong sub sup table tbody td tfoot th thead tr tt u ul var wbr'
/** Elements whose content is no text of the message. */
const WITHOUT_CONTENT =
  'applet audio canvas datalist embed frameset head iframe math noembed noframes noscript object option script select style svg template ' +
  'textarea title video xmp'

/** Raster images only: `data:image/svg+xml` is a document. */
const RASTER = /^data:image\/(?:png|jpe?g|gif|webp|bmp);base64,[\w+/=\s-]*$/i
const LINK = /^(?:https?:\/\/|mailto:)/i
const WEB = /^https?:\/\/[^\s<>"'\\]{1,2000}$/i

const SIZE = /^(?:0|\d{1,3}(?:\.\d{1,3})?(?:px|pt|em|rem|ex|%)?)$/i
const SIZES = /^(?:(?:0|auto|\d{1,3}(?:\.\d{1,3})?(?:px|pt|em|rem|ex|%)?)(?:\s+|$)){1,4}$/i
const COLOUR = /^(?:#[\da-f]{3,8}|[a-z]{3,24}|rgba?\([\d\s.,%]{5,40}\))$/i
const BORDER =
  /^(?:(?:\d{1,2}(?:px|pt)?|none|solid|dashed|dotted|double|#[\da-f]{3,8}|[a-z]{3,24}|rgba?\([\d\s.,%]{5,40}\))(?:\s+|$)){1,3}$/i
const WORD = /^[a-z-]{1,24}$/i

const STYLES: Record<string, RegExp[]> = {
  color: [COLOUR],
  background: [COLOUR],
  'background-color': [COLOUR],
  'font-family': [/^[\w\s,'"-]{1,200}$/],
  'font-size': [SIZE, WORD],
  'font-style': [WORD],
  'font-weight': [/^(?:[a-z]{1,10}|[1-9]00)$/i],
  'line-height': [SIZE, WORD],
  'text-align': [WORD],
  'text-decoration': [/^[a-z\s-]{1,40}$/i],
  'text-transform': [WORD],
  'vertical-align': [SIZE, WORD],
  'white-space': [WORD],
  'list-style-type': [WORD],
  'border-collapse': [WORD],
  direction: [/^(?:ltr|rtl)$/i],
  display: [/^(?:none|block|inline|inline-block|table|table-row|table-cell|list-item)$/i],
  visibility: [/^hidden$/i],
  width: [SIZE, WORD],
  height: [SIZE, WORD],
  'max-width': [SIZE, WORD],
  'max-height': [SIZE, WORD],
  // No minus sign: content must not move out of its place.
  margin: [SIZES],
  'margin-top': [SIZE],
  'margin-right': [SIZE],
  'margin-bottom': [SIZE],
  'margin-left': [SIZE],
  padding: [SIZES],
  'padding-top': [SIZE],
  'padding-right': [SIZE],
  'padding-bottom': [SIZE],
  'padding-left': [SIZE],
  border: [BORDER],
  'border-top': [BORDER],
  'border-right': [BORDER],
  'border-bottom': [BORDER],
  'border-left': [BORDER],
  'border-color': [COLOUR],
  'border-radius': [SIZE],
}

const OPTIONS: sanitizeHtml.IOptions = {
  allowedTags: TAGS.split(' '),
  nonTextTags: WITHOUT_CONTENT.split(' '),
  // No class, id or name: they would affect the page that shows the message.
  allowedAttributes: {
    '*': ['align', 'bgcolor', 'dir', 'height', 'lang', 'style', 'title', 'valign', 'width'],
    a: ['href', 'rel'],
    blockquote: ['type'],
    col: ['span'],
    colgroup: ['span'],
    font: ['color', 'face', 'size'],
    hr: ['size', 'noshade'],
    img: ['src', 'alt', 'border'],
    li: ['value'],
    ol: ['start', 'type'],
    table: ['border', 'cellpadding', 'cellspacing'],
    td: ['colspan', 'rowspan', 'nowrap'],
    th: ['colspan', 'rowspan', 'nowrap'],
    ul: ['type'],
  },
  allowedStyles: { '*': STYLES },
  allowedSchemes: ['http', 'https', 'mailto'],
  allowedSchemesByTag: { img: ['cid', 'data'] },
  allowProtocolRelative: false,
  nestingLimit: MAX_DEPTH,
  transformTags: {
    a: (tagName, { href, rel: _rel, ...attribs }) => {
      const target = readTarget(href)
      return {
        tagName,
        attribs: LINK.test(target) ? { ...attribs, href: target, rel: 'noopener noreferrer nofollow' } : attribs,
      }
    },
    img: imageIf(isOwnImage),
  },
}

/** The target as a browser reads it: without surrounding control characters and spaces, and without line ends. */
function readTarget(value: string | undefined): string {
  return (value ?? '').replace(/[\t\r\n]/g, '').replace(/^[\0- ]+|[\0- ]+$/g, '')
}

function isOwnImage(target: string): boolean {
  return /^cid:[^\s<>"'\\]{1,998}$/i.test(target) || RASTER.test(target)
}

/** Also with the pictures of other servers, for those who fetch them in place of the reader. */
const WITH_REMOTE: sanitizeHtml.IOptions = {
  ...OPTIONS,
  allowedSchemesByTag: { img: ['cid', 'data', 'http', 'https'] },
  transformTags: { ...OPTIONS.transformTags, img: imageIf((target) => isOwnImage(target) || WEB.test(target)) },
}

function imageIf(isAllowed: (target: string) => boolean): sanitizeHtml.Transformer {
  return (tagName, { src, ...attribs }) => {
    const target = readTarget(src)
    return { tagName, attribs: isAllowed(target) ? { ...attribs, src: target } : attribs }
  }
}

/** @param hasRemotePictures keeps links of pictures to other servers: what shows it must not load them by itself */
export function sanitiseHtml(html: string, hasRemotePictures = false): string {
  return sanitizeHtml(html.slice(0, MAX_SANITISED_CHARS), hasRemotePictures ? WITH_REMOTE : OPTIONS)
}
