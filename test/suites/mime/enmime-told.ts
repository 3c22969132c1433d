/**
 * What enmime's own tests (part_test.go, envelope_test.go) say of its `.raw` messages, in our words: the folder has the messages alone. A tree
 * is written as in enmime.ts; where they expect no type at all, ours is the default of RFC 2045 §5.2.
 */
export interface Told {
  tree?: string
  /** The whole text, white space at both ends aside. */
  text?: string
  /** What stands in the text, the HTML, or the one text of a part. */
  textHas?: string
  /** Null: there is none. */
  htmlHas?: string | null
  /** Every file, in order: its name, with what it begins with in hex behind a colon. */
  attached?: string[]
  inline?: string[]
  /** Its "other parts": files without a disposition, which are one or the other here. */
  other?: string[]
  subject?: string
  to?: string
}

const PNG = '89504e47'

export const TOLD: Record<string, Told> = {
  'parts/textplain.raw': { tree: 'text/plain;us-ascii', textHas: 'Test of text/plain section' },
  'parts/quoted-printable.raw': { tree: 'text/plain;us-ascii', text: 'Start=ABC=Finish' },
  'parts/quoted-printable-invalid.raw': { tree: 'text/plain;utf-8', textHas: 'Stuffs’s Weekly Summary' },
  'parts/multialtern.raw': {
    tree: 'multipart/alternative[text/plain;us-ascii, text/html;us-ascii]',
    textHas: 'A text section',
    htmlHas: 'An HTML section',
  },
  'parts/missing-ctype-root.raw': { tree: 'text/plain' },
  'parts/missing-ctype.raw': {
    tree: 'multipart/alternative[text/plain, text/html;us-ascii]',
    textHas: 'A text section',
    htmlHas: 'An HTML section',
  },
  'parts/empty-header.raw': {
    tree: 'multipart/alternative[text/plain, text/html;us-ascii]',
    textHas: 'A text section',
    htmlHas: 'An HTML section',
  },
  'parts/header-only.raw': { tree: 'text/html;utf-8' },
  'parts/multimixed.raw': {
    tree: 'multipart/mixed[text/plain;us-ascii, text/plain;us-ascii]',
    text: 'Section one\n\nSection two',
  },
  'parts/multiother.raw': {
    tree: 'multipart/x-enmime[text/plain;us-ascii, text/plain;us-ascii]',
    text: 'Section one\n\nSection two',
  },
  'parts/nestedmulti.raw': {
    tree: 'multipart/alternative[text/plain;us-ascii, multipart/related[text/html;us-ascii, text/plain, text/plain]]',
    textHas: 'A text section',
    htmlHas: 'An HTML section',
    inline: ['attach.txt', 'attach2.txt'],
  },
  'parts/similar-boundary.raw': {
    tree: 'multipart/mixed[text/plain;us-ascii, multipart/alternative[text/plain;us-ascii, text/html;us-ascii]]',
    textHas: 'A text section',
    htmlHas: 'An HTML section',
  },
  'parts/bin-attach.raw': {
    tree: 'multipart/mixed[text/plain;us-ascii, application/octet-stream;us-ascii]',
    textHas: 'A text section',
    attached: ['test.bin:504b0304140008000800c202294a0000'],
  },
  'parts/multibase64.raw': {
    tree: 'multipart/mixed[text/plain;us-ascii, text/html]',
    textHas: 'A text section',
    attached: [`test.html:${Buffer.from('<html>').toString('hex')}`],
  },
  'parts/badboundary.raw': {
    tree: 'multipart/alternative[text/plain;us-ascii, text/html;us-ascii, nothing]',
    htmlHas: 'An HTML section',
  },
  'parts/barren-content-type.raw': { tree: 'text/plain' },
  'parts/empty-ctype-bad-content.raw': { tree: 'multipart/alternative[text/plain]' },
  'parts/malformed-content-type-params.raw': { tree: 'text/html' },
  'parts/unquoted-ctype-param-special.raw': { tree: 'text/calendar', attached: ['calendar.ics'] },
  'parts/multimixed-no-closing-boundary.raw': { tree: 'multipart/mixed[text/html;UTF-8]' },
  'parts/missing-closing-param-quote.raw': { tree: 'text/html;UTF-8Return-Path:' },
  'parts/chardet-fail.raw': { tree: 'text/plain' },
  'parts/chardet-fail-non-txt.raw': { tree: 'image/gif', other: ['rzkly.gif:474946383961'] },
  'mail/header-only.raw': { text: '', htmlHas: null },
  'mail/non-mime.raw': { textHas: 'This is a test mailing', htmlHas: null },
  'mail/non-mime-html.raw': { textHas: 'This is a test mailing', htmlHas: '<span>This</span>' },
  'mail/html-mime-inline.raw': {
    text: 'Test of text section',
    htmlHas: '>Test of HTML section<',
    attached: [],
    inline: [`favicon.png:${PNG}`],
  },
  'mail/html-mime-bad-charset-inline.raw': { text: 'Test of text section' },
  'mail/html-mime-bad-unknown-charset-inline.raw': { text: 'Test of text section' },
  'mail/mime-alternative.raw': { text: 'Section one' },
  'mail/mime-mixed.raw': { text: 'Section one\n\nSection two' },
  'mail/mime-mixed-related.raw': { htmlHas: '<p>html1</p>' },
  'mail/mime-signed.raw': { text: 'Section one\n\nSection two' },
  'mail/quoted-printable.raw': { textHas: 'Phasellus sit amet arcu' },
  'mail/quoted-printable-mime.raw': { textHas: 'Nullam venenatis ante' },
  'mail/attachment.raw': {
    textHas: 'A text section',
    htmlHas: null,
    attached: [`test.html:${Buffer.from('<html>').toString('hex')}`],
    inline: [],
  },
  'mail/attachment-octet.raw': {
    textHas: 'A text section',
    htmlHas: null,
    attached: ['ATTACHMENT.EXE:0317e17ee8eba2969d95a7678209df8e0c2c6a2b'],
    inline: [],
  },
  'mail/attachment-application.raw': { attached: ['some.doc'], inline: [] },
  'mail/other-parts.raw': {
    textHas: 'A text section',
    htmlHas: null,
    other: ['B05.gif:4749463839610f000f00a20500deebf35bb0ec00'],
  },
  'mail/other-multi-related.raw': {
    textHas: 'Plain text.',
    htmlHas: '<i>HTML text.</i>',
    other: [`image001.png:${PNG}`, `image002.png:${PNG}`],
  },
  'mail/html-only-inline.raw': {
    textHas: 'Test of HTML section',
    htmlHas: '>Test of HTML section<',
    attached: [],
    inline: [`favicon.png:${PNG}`],
  },
  'mail/inlinemultipart.raw': {
    textHas: 'Simple text.',
    inline: [`test.txt:${Buffer.from('Text').toString('hex')}`],
  },
  'mail/non-mime-html-charset-header-only.raw': { htmlHas: 'Müller' },
  'mail/non-mime-missing-charset.raw': { htmlHas: '\u20ac' },
  'mail/qp-ascii-header.raw': { subject: 'Test QP Subject!' },
  'mail/qp-utf8-header.raw': { subject: 'MIME UTF8 Test \u00a2 More Text', to: 'Mirosław Marczak' },
  'mail/attachment-only.raw': { attached: [`favicon.jpg:${PNG}`], inline: [] },
  'mail/attachment-only-inline.raw': { attached: [], inline: [`favicon.jpg:${PNG}`] },
  'mail/attachment-only-inline-quoted-printable.raw': {
    text: 'Just some html content',
    htmlHas: 'Just some html content',
  },
  'mail/mime-duplicate-param.raw': { attached: ['Invoice_302232133150612.pdf'] },
  'mail/mime-unquoted-tspecials-param.raw': { attached: ['Invoice_(302232133150612).pdf'] },
  'mail/mime-bad-content-type.raw': { attached: ['Invoice_302232133150612.pdf'] },
  'mail/mime-blank-media-name.raw': { attached: ['Invoice_302232133150612.pdf'] },
  'mail/mime-bad-8bit-filename.raw': { text: 'Text part', attached: ['管理.doc'] },
  'mail/ctype-bug.raw': { subject: 'Welcome to Papertrail' },
}
