/**
 * enmime's messages: what its own tests say of the `.raw` files (enmime-told.ts) has to be so. `.golden` files are what it makes of parts with
 * known content; for these, and for messages that its tests only look at for the names of errors, our reading is kept as a digest, so that a
 * change is seen.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import type { Entity } from '../../../src/mime/entity.js'
import { parseMessage } from '../../../src/mime/parse/parse.js'
import { readPart } from '../../../src/mime/part.js'
import { readStructure } from '../../../src/mime/structure.js'
import { limits } from '../../mime/support.js'
import { TOLD, type Told } from './enmime-told.js'
import { examine, filesIn } from './mime-cost.js'
import type { Difference, Suite } from '../suite.js'

/** Types in their nesting, and a digest of subject, people, text, HTML and files as they were found right when they were looked through. */
const EXPECTED: Record<string, string> = {
  'internal/test/testdata/test.golden': 'text/plain 3486e072abaa',
  'testdata/encode/build-qp-addr-headers.golden': 'text/plain;utf-8 ac74ff8a128e',
  'testdata/encode/nocontent-with-children.golden':
    'multipart/alternative[text/html;utf-8, text/plain;utf-8] 23e3d98eb749',
  'testdata/encode/parser-raw-content-html-option-false.raw.golden': 'text/html;utf-8 dc5075d2a830',
  'testdata/encode/parser-raw-content-html-option-true.raw.golden': 'text/html;utf-8 dc5075d2a830',
  'testdata/encode/parser-raw-content-text-option-false.raw.golden': 'text/plain;utf-8 9fb289ea66bb',
  'testdata/encode/parser-raw-content-text-option-true.raw.golden': 'text/plain;utf-8 9fb289ea66bb',
  'testdata/encode/part-bin-content.golden': 'image/jpeg 06f900f80f9d',
  'testdata/encode/part-bin-header.golden': 'text/plain;utf-8 e8e46280b055',
  'testdata/encode/part-content-only-qp.golden': 'text/plain e469c783328e',
  'testdata/encode/part-content-only.golden': 'text/plain 78d55c0ed1e2',
  'testdata/encode/part-default-headers.golden': 'application/zip;binary b545e8b6a333',
  'testdata/encode/part-empty.golden': 'text/plain b09c916c437f',
  'testdata/encode/part-file-mod-date.golden': 'text/plain;utf-8 c199b680af41',
  'testdata/encode/part-header-only-default-encoding.golden': 'text/plain b09c916c437f',
  'testdata/encode/part-header-only.golden': 'text/plain b09c916c437f',
  'testdata/encode/part-message-rfc822.golden': 'message/rfc822 b3e5bc9b61ec',
  'testdata/encode/part-plain.golden': 'text/plain;utf-8 fcaafe5f52e9',
  'testdata/encode/part-quotable-content.golden': 'text/plain;utf-8 0746aec00c4d',
  'testdata/encode/part-quoted-content.golden': 'text/plain;utf-8 c199b680af41',
  'testdata/encode/part-quoted-headers.golden': 'application/zip;binary ac05fb933a80',
  'testdata/encode/part-quoted-printable-headers.golden': 'application/zip;binary ac05fb933a80',
  'testdata/encode/part-with-children.golden': 'multipart/alternative[text/html;utf-8, text/plain;utf-8] 23e3d98eb749',
  'testdata/encode/utf8-to.raw.golden': 'text/plain;utf-8 a714ce2d6dec',
  'testdata/low-quality/bad-final-boundary.raw':
    'multipart/mixed[text/plain;us-ascii, application/x-zip-compressed] f4cec5a6bd99',
  'testdata/low-quality/bad-header-start.raw': 'multipart/alternative[text/plain;us-ascii, text/plain] f215e423dfa1',
  'testdata/low-quality/bad-header-wrap.raw':
    'multipart/mixed[text/plain;us-ascii, application/x-zip-compressed] 7dacac8c95e4',
  'testdata/low-quality/empty-header.raw': 'multipart/alternative[text/plain;us-ascii, text/plain] f215e423dfa1',
  'testdata/low-quality/html-only-inline.raw':
    'multipart/alternative[multipart/related[text/html;us-ascii, image/png]] e6de8645bdaa',
  'testdata/low-quality/incorrect-charset.raw': 'multipart/alternative[text/plain;us-ascii] b34ead24c8b0',
  'testdata/low-quality/malformed-base64-attach.raw':
    'multipart/mixed[text/plain;us-ascii, application/msword] 8dfd491c3100',
  'testdata/low-quality/missing-content-type.raw': 'text/plain 231766319c0f',
  'testdata/low-quality/missing-content-type2.raw':
    'multipart/alternative[text/plain;us-ascii, text/plain] f215e423dfa1',
  'testdata/low-quality/unk-charset-html-only.raw': 'text/html 33992fcfbf7c',
  'testdata/low-quality/unk-charset-part.raw':
    'multipart/mixed[text/plain;fakescii, application/x-zip-compressed] f4cec5a6bd99',
  'testdata/low-quality/unk-encoding-part.raw':
    'multipart/mixed[text/plain;us-ascii, application/x-zip-compressed] b71a7d2f1ff0',
  'testdata/mail/erroneous.raw': 'text/plain eecbd6cf198a',
  'testdata/mail/header-only.raw': 'text/plain 44d924007ed1',
  'testdata/mail/html-mime-bad-charset-inline.raw':
    'multipart/alternative[text/plain;us-ascii, multipart/related[text/html;us-ascii, image/png]] 2cd957a614f2',
  'testdata/mail/html-mime-bad-unknown-charset-inline.raw':
    'multipart/alternative[text/plain;us-askey, multipart/related[text/html;us-askey, image/png]] 2cd957a614f2',
  'testdata/mail/malformed-multiple-address-header-values.raw':
    'multipart/mixed[text/plain;us-ascii, application/pdf, text/plain] d9b7108e6511',
  'testdata/mail/mime-bad-8bit-filename.raw': 'multipart/mixed[text/plain;us-ascii, application/msword] fbbf16ac8f22',
  'testdata/mail/mime-bad-content-transfer-encoding.raw':
    'multipart/alternative[text/plain;UTF-8, text/html;utf-8] 102392db9093',
  'testdata/mail/mime-bad-content-type.raw': 'multipart/mixed[text/plain, application/pdf] f49759e1071d',
  'testdata/mail/mime-blank-media-name.raw': 'multipart/mixed[text/plain, application/pdf] ed81ae9142bd',
  'testdata/mail/mime-duplicate-param.raw': 'multipart/mixed[text/plain, application/pdf] ed81ae9142bd',
  'testdata/mail/mime-unquoted-tspecials-param.raw': 'multipart/mixed[text/plain, application/pdf] 9bf912d548a2',
  'testdata/mail/multipart-wo-boundary.raw': 'text/plain 9cd8e8a6c8ae',
  'testdata/mail/non-mime-html-charset-header-only.raw': 'text/html;iso-8859-1 74f282edfb5f',
  'testdata/mail/qp-utf8-header-no-break.raw': 'multipart/alternative[text/html;ISO-8859-1] ffaf0dd33bd1',
  'testdata/mail/qp-utf8-header-recursed.raw':
    'multipart/alternative[text/plain;ISO-8859-1, text/html;ISO-8859-1] 6152c4c7e729',
  'testdata/mail/qp-utf8-header.raw': 'multipart/alternative[text/plain;ISO-8859-1, text/html;ISO-8859-1] 6152c4c7e729',
  'testdata/parts/badboundary.raw': 'multipart/alternative[text/plain;us-ascii, text/html;us-ascii] 5a087e0dcfa3',
  'testdata/parts/barren-content-type.raw': 'text/plain 8e38a2f83852',
  'testdata/parts/bin-attach.raw':
    'multipart/mixed[text/plain;us-ascii, application/octet-stream;us-ascii] c9e11f3fc12b',
  'testdata/parts/chardet-detection.raw': 'text/plain;utf-8 51d6ae43c666',
  'testdata/parts/chardet-fail-non-txt.raw': 'image/gif 275459cae56c',
  'testdata/parts/chardet-fail-not-long-enough.raw': 'text/plain;UTF-8 ab8bcb32c01e',
  'testdata/parts/chardet-fail.raw': 'text/plain b03c37f5f44c',
  'testdata/parts/chardet-success-big-5.raw': 'text/plain;us-ascii, read as Big5',
  'testdata/parts/chardet-success-iso-8859-1.raw': 'text/plain;us-ascii 077071e66a0d',
  'testdata/parts/ctype-invalid-characters.raw': 'text/plain 52673f01acd2',
  'testdata/parts/empty-ctype-bad-content.raw': 'multipart/alternative[text/plain] 4f2860f2638d',
  'testdata/parts/empty-header.raw': 'multipart/alternative[text/plain, text/html;us-ascii] 5a087e0dcfa3',
  'testdata/parts/extra-base64-character.raw': 'multipart/alternative[text/plain;utf-8, text/html;utf-8] 0afa55f8bd9d',
  'testdata/parts/header-only.raw': 'text/html;utf-8 3be662f69329',
  'testdata/parts/html-with-boundary.raw': 'multipart/mixed[text/html;UTF-8] f0b7443d99ba',
  'testdata/parts/malformed-content-type-params.raw': 'text/html 3be662f69329',
  'testdata/parts/missing-closing-param-quote.raw': 'text/html;UTF-8Return-Path: 3be662f69329',
  'testdata/parts/missing-ctype-root.raw': 'text/plain beb435e3d737',
  'testdata/parts/missing-ctype.raw': 'multipart/alternative[text/plain, text/html;us-ascii] 5a087e0dcfa3',
  'testdata/parts/multi-malformed.raw':
    'multipart/mixed[text/plain;us-ascii, text/plain, text/plain;us-ascii] d39983bd7c66',
  'testdata/parts/multialtern.raw': 'multipart/alternative[text/plain;us-ascii, text/html;us-ascii] 5a087e0dcfa3',
  'testdata/parts/multibase64.raw': 'multipart/mixed[text/plain;us-ascii, text/html] d46684dd807e',
  'testdata/parts/multimixed-no-closing-boundary.raw': 'multipart/mixed[text/html;UTF-8] 60f20bf29187',
  'testdata/parts/multimixed.raw': 'multipart/mixed[text/plain;us-ascii, text/plain;us-ascii] 8aa1d1c5408b',
  'testdata/parts/multiother.raw': 'multipart/x-enmime[text/plain;us-ascii, text/plain;us-ascii] 8aa1d1c5408b',
  'testdata/parts/nestedmulti.raw':
    'multipart/alternative[text/plain;us-ascii, multipart/related[text/html;us-ascii, text/plain, text/plain]] 5908f56b095a',
  'testdata/parts/quoted-printable-invalid.raw': 'text/plain;utf-8 d9f102702410',
  'testdata/parts/quoted-printable.raw': 'text/plain;us-ascii 7b9eeeccf49a',
  'testdata/parts/similar-boundary.raw':
    'multipart/mixed[text/plain;us-ascii, multipart/alternative[text/plain;us-ascii, text/html;us-ascii]] 5a6fef3a5f66',
  'testdata/parts/textplain.raw': 'text/plain;us-ascii cd2ee1259541',
  'testdata/parts/unquoted-ctype-param-special.raw': 'text/calendar 8328055ca613',
}

export const enmimeSuite: Suite = {
  folder: 'mime-enmime',
  title: 'enmime: messages, and parts it encoded',
  rule: 'RFC 2045',
  source:
    'For 54 messages, trees, texts and files are from the tests of the suite (part_test.go, envelope_test.go). For the others, and the parts it encoded, its tests do not cover the structure: a digest of our result detects changes.',
  size: 117,
  explanations: {
    'testdata/mail/mime-alternative.raw':
      'two plain texts in a multipart/alternative: by RFC 2046 §5.1.4 the best form is last, and the last is shown',
    'testdata/parts/badboundary.raw':
      'nothing follows the last delimiter, which should have been the end: an empty part that nobody sent is omitted here',
    'testdata/parts/chardet-success-big-5.raw':
      'declares ASCII and is Big5: charsets are not guessed from letter frequencies here, and unknown text is read as windows-1252',
  },
  async run(dir) {
    const files = filesIn(dir)
    const differences: Difference[] = []
    for (const file of files) {
      const name = relative(dir, file)
      const raw = readFileSync(file)
      differences.push(...(await examine(name, raw)))
      const wanted = EXPECTED[name]
      const got = wanted === undefined ? undefined : await summary(raw)
      if (wanted !== undefined && got !== undefined && got !== wanted) differences.push({ case: name, got, wanted })
      const told = TOLD[name.replace(/^testdata\//, '')]
      if (told) differences.push(...(await contradictions(name, raw, told)))
    }
    const seen = new Set(files.map((file) => relative(dir, file)))
    for (const name of [...Object.keys(EXPECTED), ...Object.keys(TOLD).map((file) => `testdata/${file}`)])
      if (!seen.has(name)) differences.push({ case: name, got: 'nothing', wanted: 'a file' })
    return { total: files.length, differences }
  },
}

async function contradictions(name: string, raw: Buffer, told: Told): Promise<Difference[]> {
  const message = await parseMessage(raw, limits)
  const differences: Difference[] = []
  const same = (what: string, got: string, wanted: string): void => {
    if (got !== wanted) differences.push({ case: name, got: `${what}: ${got}`, wanted })
  }
  const has = (what: string, got: string | null, wanted: string): void => {
    if (got?.includes(wanted) !== true) differences.push({ case: name, got: `${what}: ${got?.slice(0, 100)}`, wanted })
  }
  if (told.tree !== undefined) same('tree', outline(readStructure(raw, limits)), told.tree)
  if (told.text !== undefined) same('text', message.text.trim(), told.text)
  if (told.textHas !== undefined) has('text', message.text, told.textHas)
  if (told.htmlHas === null) same('html', message.html ?? 'none', 'none')
  else if (told.htmlHas !== undefined) has('html', message.html, told.htmlHas)
  if (told.subject !== undefined) same('subject', message.subject, told.subject)
  if (told.to !== undefined) same('to', message.to.map((address) => address.name).join(), told.to)
  for (const [disposition, wanted] of [
    ['attachment', told.attached],
    ['inline', told.inline],
    ['any', told.other],
  ] as const) {
    if (wanted === undefined) continue
    const files = message.attachments.filter((file) => disposition === 'any' || file.disposition === disposition)
    const got = await Promise.all(
      files.map(async ({ filename, part }, i) => {
        const start = wanted[i]?.split(':')[1]
        if (start === undefined) return filename
        return `${filename}:${(await readPart(raw, part, limits)).toString('hex', 0, start.length / 2)}`
      }),
    )
    same(disposition, got.join(', '), wanted.join(', '))
  }
  return differences
}

export async function summary(raw: Buffer): Promise<string> {
  const { subject, from, to, text, html, attachments } = await parseMessage(raw, limits)
  const files = attachments.map(({ filename, sizeBytes, disposition }) => [filename, sizeBytes, disposition])
  const said = JSON.stringify([subject, from, to, text, html, files])
  return `${outline(readStructure(raw, limits))} ${createHash('sha256').update(said).digest('hex').slice(0, 12)}`
}

function outline(entity: Entity): string {
  if (entity.children.length > 0) return `${entity.contentType}[${entity.children.map(outline).join(', ')}]`
  return entity.charset === '' ? entity.contentType : `${entity.contentType};${entity.charset}`
}
