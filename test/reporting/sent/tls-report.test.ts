/** Who wants a report, by records as strangers publish them (RFC 8460 §3). */
import t from 'tap'
import { destinationsOf } from '../../../src/reporting/sent/tls-report.js'

const mail = (address: string) => ({ kind: 'mail', address })

t.test('the destinations of a record, two at most, each once', async (t) => {
  for (const [record, expected] of [
    ['v=TLSRPTv1; rua=mailto:a@b.test', [mail('a@b.test')]],
    [
      'v=TLSRPTv1;rua = mailto:a@b.test , https://b.test/r?x=1;',
      [mail('a@b.test'), { kind: 'https', url: 'https://b.test/r?x=1' }],
    ],
    ['v=TLSRPTv1; x=y; rua=mailto:a%2Bb@b.test?subject=x', [mail('a+b@b.test')]],
    [
      'v=TLSRPTv1; rua=mailto:a@b.test,mailto:a@b.test,mailto:c@b.test,mailto:d@b.test',
      [mail('a@b.test'), mail('c@b.test')],
    ],
    ['v=TLSRPTv1', []],
    ['v=TLSRPTv2; rua=mailto:a@b.test', []],
    ['v=TLSRPTv1x; rua=mailto:a@b.test', []],
    ['v=tlsrptv1; rua=mailto:a@b.test', []],
    ['v=TLSRPTv1; rua=http://b.test/', []],
    ['v=TLSRPTv1; rua=https://user:secret@b.test/', []],
    ['v=TLSRPTv1; rua=https://', []],
    ['v=TLSRPTv1; rua=mailto:a@b.test%0D%0ABcc:c@d.test', []],
    ['v=TLSRPTv1; rua=mailto:<a@b.test>', []],
    ['v=TLSRPTv1; rua=mailto:%zz@b.test', []],
    ['v=TLSRPTv1; rua=mailto:a@[127.0.0.1]', []],
    [`v=TLSRPTv1; rua=https://b.test/${'x'.repeat(2000)}`, []],
    [`v=TLSRPTv1; rua=${','.repeat(60_000)}`, []],
  ] as const)
    t.same(destinationsOf([record]), expected, record.slice(0, 80))
})

t.test('two records are none, and other records do not count', async (t) => {
  const one = 'v=TLSRPTv1; rua=mailto:a@b.test'
  t.same(destinationsOf([]), [])
  t.same(destinationsOf([one, one]), [])
  t.same(destinationsOf(['google-site-verification=x', one]), [mail('a@b.test')])
})
