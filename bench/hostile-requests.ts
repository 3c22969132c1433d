/** Requests that are made to be costly, each within what the API takes. `bench/hostile.ts` measures what they take of the main thread. */
import { randomBytes, randomUUID } from 'node:crypto'
import { gzipSync } from 'node:zlib'

const WORDS_BYTES = 960 * 1024
const FILE_BYTES = 18 * 1024 * 1024
const ZIP_ENTRIES = 60_000

const filled = (unit: string, bytes = WORDS_BYTES): string => unit.repeat(Math.floor(bytes / Buffer.byteLength(unit)))

/** Bodies of a message that is sent, by what they are. */
export function hostileBodies(): Record<string, object> {
  const html = (markup: string): object => ({ html: markup })
  const text = (words: string): object => ({ text: words })
  const file = (filename: string, content: Buffer): object => ({
    text: 'See the file.',
    attachments: [{ filename, content: content.toString('base64') }],
  })
  return {
    'HTML, words in paragraphs': html(filled('<p>The quick brown fox jumps over the lazy dog.</p>\n')),
    'HTML, tables within tables': html(filled('<table><tr><td>')),
    'HTML, many small tables': html(filled('<table><tr><td>a</td><td>b</td></tr></table>')),
    'HTML, many small lists': html(filled('<ol><li>x</ol>')),
    'HTML, Chinese': html(filled('<p>漢字仮名交じり文</p>')),
    'text, emoji': text(filled('😀👨‍👩‍👧‍👦🏳️‍🌈 ')),
    'text, Chinese without spaces': text(filled('漢字仮名交じり文')),
    'text, characters that stand for words': text(filled('\ufdfa')),
    'text, links': text(filled('http://a.example/x ')),
    'text, quoted lines': text(filled('> x\n')),
    'text, 9 MB': text(filled('The quick brown fox jumps over the lazy dog.\n', 9_000_000)),
    'a ZIP of 60,000 entries': file('many.zip', zipOf(ZIP_ENTRIES)),
    'a file of 18 MB': file('large.bin', randomBytes(FILE_BYTES)),
    'a gzip bomb': file('bomb.tar.gz', gzipSync(Buffer.alloc(100 * 1024 * 1024))),
    'a million values': { text: 'x', labels: filled('a,', 2_000_000).split(',') },
  }
}

/** A ZIP of empty files: local headers, and the directory at its end (APPNOTE §4.3.7, §4.3.12). */
function zipOf(entries: number): Buffer {
  const local: Buffer[] = []
  const directory: Buffer[] = []
  let at = 0
  for (let i = 0; i < entries; i++) {
    const name = Buffer.from(`file-${i}.txt`)
    const head = Buffer.alloc(30)
    head.writeUInt32LE(0x04034b50)
    head.writeUInt16LE(name.length, 26)
    local.push(head, name)
    const entry = Buffer.alloc(46)
    entry.writeUInt32LE(0x02014b50)
    entry.writeUInt16LE(name.length, 28)
    entry.writeUInt32LE(at, 42)
    directory.push(entry, name)
    at += head.length + name.length
  }
  const bytes = directory.reduce((sum, { length }) => sum + length, 0)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50)
  end.writeUInt16LE(entries, 8)
  end.writeUInt16LE(entries, 10)
  end.writeUInt32LE(bytes, 12)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...local, ...directory, end])
}

/** A message of many small files, as anybody can send one. */
export function manyParts(to: string, count: number, bytes: number): Buffer {
  const content = `${'x'.repeat(74)}\r\n`.repeat(Math.ceil(bytes / 76)).slice(0, bytes)
  const part = (i: number): string =>
    `--b1\r\nContent-Type: application/octet-stream; name=${i}\r\nContent-Disposition: attachment\r\n\r\n${content}\r\n`
  const head = `From: Bob <bob@peer.test>\r\nTo: ${to}\r\nSubject: ${count} files\r\nMessage-ID: <many-${count}@peer.test>\r\n`
  const parts = Array.from({ length: count }, (_, i) => part(i)).join('')
  return Buffer.from(`${head}MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b1\r\n\r\n${parts}--b1--\r\n`)
}

/** A message of long HTML, with the same as a file beside it. */
export function longHtml(to: string, markup: string): Buffer {
  const lines = filled(`${markup}\r\n`, 250_000)
  const file = filled(`${markup}\r\n`, 63_000)
  const head = `From: Bob <bob@peer.test>\r\nTo: ${to}\r\nSubject: HTML\r\nMessage-ID: <${Buffer.from(markup).toString('hex').slice(0, 40)}@peer.test>\r\n`
  const part = `Content-Type: text/html; charset=utf-8\r\n`
  return Buffer.from(
    `${head}MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b1\r\n\r\n--b1\r\n${part}\r\n${lines}\r\n--b1\r\n${part}Content-Disposition: attachment; filename=a.html\r\n\r\n${file}\r\n--b1--\r\n`,
  )
}

const text = (to: string, head: string, words: string): Buffer =>
  Buffer.from(
    `From: Bob <bob@peer.test>\r\nTo: ${to}\r\n${head}Message-ID: <${randomUUID()}@peer.test>\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n${words}`,
  )

/** A message of so many bytes of text. */
export const largeText = (to: string, bytes: number): Buffer =>
  text(to, 'Subject: Long\r\n', filled('漢字仮名 the quick brown fox jumps over the lazy dog.\r\n', bytes))

/** A message to 5,000 addresses, within the largest head that is taken. */
export const addressees = (to: string, number: number): Buffer =>
  text(
    to,
    `Subject: ${number}\r\nCc: ${Array.from({ length: 5000 }, (_, i) => `"Person ${i}" <p${i}@far.example>`).join(',\r\n ')}\r\n`,
    'Hello.\r\n',
  )
