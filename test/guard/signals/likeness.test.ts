/** Hosts that look like the sender's or the recipient's own domain, and brands in other dress. */
import t from 'tap'
import { imitationOf, looksLike } from '../../../src/guard/links/lookalike.js'
import { findingsOf } from '../../../src/guard/verdict/findings.js'
import { createGuard } from '../../../src/guard/verdict/guard.js'
import { subjectWith } from '../subject.js'

t.test('a domain looks like another one, or does not', async (t) => {
  for (const [host, other] of [
    ['fernhi11.com', 'fernhill.com'],
    ['fernhіll.com', 'fernhill.com'],
    ['larksupr.com', 'larkspur.com'],
    ['rnossgate.com', 'mossgate.com'],
    ['mail.fernhil.com', 'fernhill.com'],
  ] as const)
    t.ok(looksLike(host, other), `${host} ${other}`)
  for (const [host, other] of [
    ['fernhill.com', 'fernhill.com'],
    ['www.fernhill.com', 'fernhill.com'],
    ['fernhill.co.uk', 'fernhill.com'],
    ['fernhills.com', 'fernhill.com'],
    ['acme.org', 'acne.com'],
    ['mossgarden.com', 'mossgate.com'],
  ] as const)
    t.notOk(looksLike(host, other), `${host} ${other}`)
})

const from = { address: 'accounts@fernhill.example', name: 'Fernhill' }

t.test('links and answers that look like the own domain are found, with both names', async (t) => {
  const link = (host: string) => [{ target: `https://${host}/in`, text: 'Open' }]
  const found = (given: Parameters<typeof subjectWith>[0]) => findingsOf(subjectWith({ text: 'Hello', ...given }))
  const toReader = found({ recipientDomains: ['larkspur.example'], links: link('larkspvr.example') })
  t.match(toReader, [
    { code: 'host_like_own', class: 'credentials', detail: '"larkspur.example" → "larkspvr.example"' },
  ])
  t.match(found({ from, links: link('fernhlll.example') }), [{ code: 'host_like_own' }])
  const answers = found({ from, replyTo: [{ address: 'accounts@fernhi11.example', name: '' }] })
  t.match(answers, [{ code: 'answers_to_lookalike', class: 'bec' }])
  const likeReader = found({ from, recipientDomains: ['fernhiil.example'] })
  t.match(likeReader, [{ code: 'sender_like_reader', class: 'bec' }])
  for (const quiet of [
    { from, links: link('www.fernhill.example') },
    { from, recipientDomains: ['fernhill.example'] },
    { from, recipientDomains: ['gmail.com'], links: link('gmali.example') },
    { from, replyTo: [{ address: 'ann@billing.fernhill.example', name: '' }] },
  ]) {
    const codes = found(quiet).map(({ code }) => code)
    t.same(
      codes.filter((code) => /host_like_own|sender_like|answers_to_lookalike/.test(code)),
      [],
      JSON.stringify(quiet),
    )
  }
  const subject = subjectWith({ from, replyTo: [{ address: 'a@fernhi11.example', name: '' }], text: 'Hello' })
  t.equal((await createGuard().check(subject)).decision, 'hold')
})

t.test('brands with numbers, words and suffixes around them', async (t) => {
  for (const host of [
    'microsoft-support24.com',
    'microsoft24.com',
    'www-paypal.com',
    'paypal-com.example',
    'redelivery-netflix.com',
    'nnicrosoft.com',
    'paypal.xyz-abc.top',
    'paypal-83921.com',
  ])
    t.ok(imitationOf(host), host)
  for (const host of ['microsoft.example.edu', 'www.netflix.com', 'netflix.fernhill.example'])
    t.equal(imitationOf(host), undefined, host)
})

t.test('a host in another script is shown in both spellings', async (t) => {
  const link = [{ target: 'https://xn--pypal-4ve.com/', text: 'Open' }]
  const { detail } = findingsOf(subjectWith({ text: 'Hello', links: link })).find(
    ({ code }) => code === 'lookalike_host',
  ) ?? { detail: '' }
  t.match(detail, /"pаypal\.com" \(xn--pypal-4ve\.com\)/)
})
