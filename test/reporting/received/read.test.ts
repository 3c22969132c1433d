/** Reading reports: whoever wrote them, and whatever they are made to do. */
import { once } from 'node:events'
import { deflateRawSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import t from 'tap'
import { ZipFile } from 'yazl'
import { parseMessage } from '../../../src/mime/parse/parse.js'
import { readReport } from '../../../src/reporting/received/read.js'
import { createReportReader } from '../../../src/reporting/received/reader.js'
import { reportParts } from '../../../src/reporting/received/recognise.js'
import { Refused, type Reading } from '../../../src/reporting/received/types.js'
import { BEGIN, dmarc, END, record, reportMail, tls } from './forms.js'

const LIMITS = { maxHeaderBytes: 65536, maxParts: 100, maxDepth: 10 }

function read(file: Buffer | string): Reading {
  try {
    return { kind: 'read', report: readReport(Buffer.from(file)) }
  } catch (error) {
    if (error instanceof Refused) return { kind: 'refused', refusal: error.refusal }
    throw error
  }
}

async function zip(files: Record<string, string>): Promise<Buffer> {
  const made = new ZipFile()
  for (const [name, text] of Object.entries(files)) made.addBuffer(Buffer.from(text), name)
  made.end()
  const pieces: Buffer[] = []
  made.outputStream.on('data', (piece: Buffer) => pieces.push(piece))
  await once(made.outputStream, 'end')
  return Buffer.concat(pieces)
}

t.test('reports of several reporters say the same', async (t) => {
  const row = { source_ip: '192.0.2.1', count: 2, dkim: 'pass', spf: 'pass', header_from: 'agents.test' }
  const facts = { kind: 'dmarc', domain: 'agents.test', begin: BEGIN, end: END, messages: 2, passed: 2, rows: [row] }
  const forms: Record<string, Buffer | string> = {
    'Google: gzip': gzipSync(dmarc()),
    'Mimecast: a line end behind the gzip': Buffer.concat([gzipSync(dmarc()), Buffer.from('\r\n')]),
    'a schema around it': `<xs:schema>${dmarc().replace(/^<\?.*\?>/, '')}`,
    'Google of old: zip': await zip({ 'google.com!agents.test!1!2.xml': dmarc() }),
    'a zip made on a Mac': await zip({ '__MACOSX/._report.xml': 'junk', 'report.xml': dmarc() }),
    'Microsoft: namespaces of tools, version, capitals': dmarc({
      open: '<?xml version="1.0"?>\n<feedback xmlns:xsd="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">',
      version: '<version>1.0</version>',
      records: [record({ dkim: 'Pass', spf: 'PASS' })],
    }),
    'RFC 9990: the namespace of its schema': dmarc({ open: '<feedback xmlns="urn:ietf:params:xml:ns:dmarc-2.0">' }),
    'a prefix for each element': dmarc().replaceAll(/<(\/?)(?!\?)(\w)/g, '<$1dm:$2'),
    'Yahoo: no selector, spaces and line ends': dmarc()
      .replaceAll('><', '>\r\n  <')
      .replaceAll(/<selector>\w+<\/selector>/g, ''),
    'Fastmail: comments and CDATA': dmarc({ org: '<![CDATA[Fastmail Pty Ltd]]>' }).replace(
      '<report_metadata>',
      '<!-- x --><report_metadata>',
    ),
    'UTF-16, as some tools on Windows write it': Buffer.from(`\ufeff${dmarc().replace('UTF-8', 'UTF-16')}`, 'utf16le'),
    'UTF-8 that says it is UTF-16': dmarc().replace('UTF-8', 'utf-16'),
    'a byte order mark in front': `\ufeff${dmarc()}`,
  }
  for (const [name, file] of Object.entries(forms)) t.match(read(file), { kind: 'read', report: facts }, name)
  t.match(read(dmarc({ org: 'Mail.Ru &amp; &#1055;', open: '<feedback>' })), { report: { org_name: 'Mail.Ru & П' } })
  t.match(read(Buffer.from(dmarc({ org: 'Soci\xe9t\xe9' }).replace('UTF-8', 'ISO-8859-1'), 'latin1')), {
    report: { org_name: 'Société' },
  })
  t.match(read(Buffer.from(dmarc({ org: 'Soci\xe9t\xe9' }), 'latin1')), { report: { org_name: 'Soci\ufffdt\ufffd' } })
})

t.test('rows: IPv6, overrides, several signatures, what is missing, what lies', (t) => {
  const auth = ['a.test', 'b.test', 'c.test', 'd.test', 'agents.test']
    .map(
      (domain) =>
        `<dkim><domain>${domain}</domain><result>${domain === 'agents.test' ? 'pass' : 'fail'}</result></dkim>`,
    )
    .join('')
  const reading = read(
    dmarc({
      records: [
        record({
          ip: '2001:DB8::1',
          count: 5,
          disposition: 'reject',
          dkim: 'fail',
          spf: 'fail',
          auth,
          reason:
            '<reason><type>mailing_list</type><comment>x</comment></reason><reason><type>local_policy</type></reason>',
        }),
        record({ count: '-4' }),
        record({ count: '1e9' }),
        record({ count: '99999999999' }),
        record({ ip: '192.0.2.999' }),
        record().replace(/<policy_evaluated>.*<\/policy_evaluated>/, ''),
        '<record/>',
        '<record><row><source_ip>192.0.2.9</source_ip><count>7</count></row></record>',
      ],
    }),
  )
  t.match(reading, {
    report: {
      messages: 14,
      passed: 2,
      failed: 12,
      rejected: 5,
      rows_left_out: 5,
      rows: [
        { source_ip: '192.0.2.9', count: 7, dkim: 'fail', spf: 'fail', header_from: '', dkim_results: [] },
        {
          source_ip: '2001:db8::1',
          count: 5,
          reasons: ['mailing_list', 'local_policy'],
          dkim_results: [{ domain: 'agents.test', result: 'pass' }, {}, {}, {}],
        },
        { source_ip: '192.0.2.1', count: 2, dkim: 'pass', spf: 'pass' },
      ],
    },
  })
  t.end()
})

t.test('a report on TLS', (t) => {
  t.match(read(gzipSync(JSON.stringify(tls()))), {
    kind: 'read',
    report: {
      kind: 'tls',
      org_name: 'Google Inc.',
      domain: 'agents.test',
      begin: BEGIN,
      end: END,
      sessions_ok: 10,
      sessions_failed: 3,
      rows: [{ type: 'certificate-expired', count: 3, mx: 'mx.agents.test', sending_ip: '198.51.100.7' }],
    },
  })
  const [policy] = tls()['policies'] as [Record<string, unknown>]
  const refused = (change: Record<string, unknown>, refusal: string) =>
    t.match(read(JSON.stringify(tls(change))), { kind: 'refused', refusal })
  refused({ policies: [] }, 'no_report')
  refused({ policies: [{ ...policy, summary: { 'total-successful-session-count': -1 } }] }, 'broken')
  refused({ policies: [policy, { ...policy, policy: { 'policy-domain': 'other.test' } }] }, 'broken')
  refused({ policies: Array.from({ length: 101 }, () => policy) }, 'too_many_records')
  refused({ 'date-range': { 'start-datetime': 'yesterday', 'end-datetime': 'today' } }, 'bad_dates')
  t.match(read('[' + '['.repeat(1_000_000)), { refusal: 'no_report' })
  t.match(read(`{"a":${'['.repeat(1_000_000)}`), { refusal: 'broken' })
  t.end()
})

t.test('what is made to hurt is refused', async (t) => {
  const lol = '<!DOCTYPE lolz [<!ENTITY lol "lol"><!ENTITY lol2 "&lol;&lol;&lol;">]>'
  const refusals: [string, Buffer | string, string][] = [
    ['a billion laughs', dmarc({ open: `<?xml version="1.0"?>${lol}<feedback>`, org: '&lol2;' }), 'dtd'],
    [
      'a file of ours',
      dmarc({ open: '<!DOCTYPE f [<!ENTITY x SYSTEM "file:///etc/passwd">]><feedback>', org: '&x;' }),
      'dtd',
    ],
    ['a gzip bomb', gzipSync(Buffer.alloc(40 * 1024 * 1024, ' ')), 'too_large'],
    ['a zip bomb', lyingZip(Buffer.alloc(40 * 1024 * 1024)), 'too_large'],
    ['more than ten megabytes', Buffer.alloc(10 * 1024 * 1024 + 1, '<'), 'too_large'],
    ['deep nesting', '<feedback>' + '<a>'.repeat(100_000), 'too_deep'],
    ['too many records', gzipSync(dmarc({ records: ['<record/>'.repeat(100_001)] })), 'too_many_records'],
    ['a tag without an end', `<feedback ${'a'.repeat(5_000_000)}`, 'no_report'],
    [
      'a hundred thousand attributes',
      `<feedback ${Array.from({ length: 100_000 }, (_, i) => `a${i}="x"`).join(' ')}>`,
      'broken',
    ],
    ['cut off', dmarc().slice(0, -300), 'broken'],
    ['a gzip that is cut off', gzipSync(dmarc()).subarray(0, 100), 'broken'],
    ['no zip', Buffer.from('PK\x03\x04 and nothing'), 'broken'],
    ['another document', '<html><body>Hello</body></html>', 'no_report'],
    ['nothing', '', 'no_report'],
    ['no domain', dmarc({ domain: '../../etc' }), 'broken'],
    ['no dates', dmarc({ begin: 'x' }), 'bad_dates'],
  ]
  for (const [name, file, refusal] of refusals) t.same(read(file), { kind: 'refused', refusal }, name)
  t.match(read(dmarc({ open: '<feedback>', org: '&unknown;&#99999999999;' })), { kind: 'read' })
  t.match(read(dmarc({ org: 'x'.repeat(3_000_000) })), { report: { org_name: 'x'.repeat(200) } })
  const many = read(dmarc({ records: Array.from({ length: 3000 }, (_, i) => record({ count: i + 1 })) }))
  t.match(many, { report: { messages: 4_501_500, rows_left_out: 2000 } })
  t.equal(many.kind === 'read' && many.report.rows.length, 1000)
})

/** A ZIP whose directory says that its file is small. */
function lyingZip(content: Buffer): Buffer {
  const packed = deflateRawSync(content)
  const local = Buffer.alloc(30)
  local.writeUInt32LE(0x04034b50, 0)
  const entry = Buffer.alloc(46)
  entry.writeUInt32LE(0x02014b50, 0)
  entry.writeUInt16LE(8, 10)
  entry.writeUInt32LE(packed.length, 20)
  entry.writeUInt32LE(10, 24)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt32LE(local.length + packed.length, 16)
  return Buffer.concat([local, packed, entry, end])
}

t.test('whatever the bytes, reading ends in a report within bounds or a refusal', (t) => {
  const whole = dmarc({ records: [record(), record({ ip: '2001:db8::2' })] })
  const json = JSON.stringify(tls())
  const bounded = (file: Buffer): void => {
    const reading = read(file)
    if (reading.kind === 'read' && JSON.stringify(reading.report).length > 20_000) throw new Error('a long report')
  }
  const changes = fc.array(
    fc.tuple(
      fc.nat(whole.length - 1),
      fc.oneof(fc.string(), fc.constantFrom('<', '>', '&', '"', ']]>', '<!--', '<record>')),
    ),
    { maxLength: 5 },
  )
  fc.assert(
    fc.property(changes, fc.boolean(), fc.boolean(), (made, isJson, isPacked) => {
      let text = isJson ? json : whole
      for (const [at, piece] of made) text = text.slice(0, at) + piece + text.slice(at + piece.length)
      bounded(isPacked ? gzipSync(text) : Buffer.from(text))
    }),
    { numRuns: 300 },
  )
  fc.assert(
    fc.property(
      fc.constantFrom(gzipSync(whole), lyingZip(Buffer.from(whole))),
      fc.nat(),
      fc.integer({ min: 0, max: 255 }),
      (file, at, octet) => {
        const changed = Buffer.from(file)
        changed[at % changed.length] = octet
        bounded(changed)
      },
    ),
    { numRuns: 300 },
  )
  t.end()
})

t.test('in a thread of its own, from the mail that it came in, and not for ever', async (t) => {
  const raw = reportMail(gzipSync(dmarc()))
  const parts = reportParts(await parseMessage(raw, LIMITS), true)
  t.same(parts, [0])
  t.match(await createReportReader(LIMITS)(raw, parts), {
    kind: 'read',
    report: { domain: 'agents.test', messages: 2 },
  })
  t.match(await createReportReader(LIMITS)(raw, [7]), { kind: 'refused', refusal: 'no_report' })
  t.same(await createReportReader(LIMITS, 0)(raw, parts), { kind: 'refused', refusal: 'too_slow' })
})

t.test('what looks like a report, and what does not', async (t) => {
  const parts = async (change: Parameters<typeof reportMail>[1], toReports = false) =>
    reportParts(await parseMessage(reportMail(gzipSync(dmarc()), change), LIMITS), toReports)
  t.same(await parts({}), [0])
  t.same(await parts({ subject: 'hello' }), [0], 'by the name of the file')
  t.same(await parts({ name: 'report.gz' }), [0], 'by the subject')
  t.same(await parts({ subject: 'hello', name: 'report.gz' }), [], 'mail with a file for postmaster')
  t.same(await parts({ subject: 'hello', name: 'report.gz' }, true), [0], 'the same for dmarc-reports')
  t.same(await parts({ subject: 'hello', name: 'x', type: 'application/tlsrpt+gzip' }), [0])
  t.same(await parts({ name: 'a.pdf', type: 'application/pdf' }, true), [])
})
