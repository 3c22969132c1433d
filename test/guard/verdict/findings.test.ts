/** Each structural sign: what shows it, and what looks like it and is none. */
import t from 'tap'
import fc from 'fast-check'
import { attachmentFindings } from '../../../src/guard/signals/attachments.js'
import { badHostsIn } from '../../../src/guard/links/bad-hosts.js'
import { FINDING_CODES } from '../../../src/guard/reason-codes.js'
import { isHardEvidence } from '../../../src/guard/verdict/evidence.js'
import { findingsOf } from '../../../src/guard/verdict/findings.js'
import { LURES as INBOUND_LURES } from '../../../src/guard/phrases/lure-patterns.js'
import { normalised, readingOf } from '../../../src/guard/text/text.js'
import { extractReply } from '../../../src/mime/reply/reply.js'
import type { GuardSubject } from '../../../src/guard/types.js'
import { BAD } from '../bad.js'
import { LURES } from '../languages.js'
import { subjectWith } from '../subject.js'

type Parts = Partial<GuardSubject>
const codesOf = (parts: Parts): string[] => findingsOf(subjectWith(parts)).map(({ code }) => code)
const at = (host: string): Parts => ({ text: `See https://${host}/x` })
const link = (target: string, text: string): Parts => ({ links: [{ target, text }] })
const from = (name: string, address: string, ...answers: string[]): Parts => ({
  text: 'x',
  from: { name, address },
  replyTo: answers.map((answer) => ({ name: '', address: answer })),
})
const file = (filename: string, encrypted = false): Parts => ({
  attachments: [
    {
      filename,
      contentType: 'application/octet-stream',
      sizeBytes: 10,
      ...(encrypted ? { archive: { encrypted: true, names: ['a.doc'] } } : {}),
    },
  ],
})

const REQUEST = 'Please verify your account.'

// prettier-ignore
const SHOWN: [code: string, parts: Parts][] = [
  ['lookalike_host', at('paypa1.com')], ['lookalike_host', at('paypaI.com')], ['lookalike_host', at('micros0ft-login.example')],
  ['lookalike_host', at('arnazon.com')], ['lookalike_host', at('g00gle.com')], ['lookalike_host', at('pаypal.com')], ['lookalike_host', at('secure.paypa1.account.example')],
  ['misspelt_brand_host', at('paypall.com')], ['misspelt_brand_host', at('netfllix.com')], ['misspelt_brand_host', at('micorsoft.com')],
  ['lookalike_host', { text: 'Microsoft: https://micorsoft.com/ Your account has been suspended' }],
  ['brand_in_host', at('paypal-secure-login.example')], ['brand_in_host', at('secureamazonlogin.example')], ['brand_in_host', at('paypal.com.account-check.example')],
  ['brand_in_host', at('dhl-paket.example')], ['brand_in_subdomain', at('paypal.account-check.example')], ['brand_other_suffix', at('paypal.icu')],
  ['mixed_script_host', at('банкbank.com')],
  ['deep_subdomain', at('a.b.c.d.e.f.example.com')], ['unusual_port', at('shop.example.com:8912')], ['shortened_link', at('bit.ly')], ['free_host', at('x.weebly.com')], ['free_host', at('ana.github.io')],
  ['open_redirect', { text: 'https://www.google.com/url?q=https://evil.example/x' }], ['lookalike_host', { text: 'https://www.google.com/url?q=https%3A%2F%2Fpaypa1.com%2Fx' }],
  ['active_link', link('data:text/html,<b>x', 'x')],
  ['link_text_mismatch', { ...link('https://paypa1-login.example/', 'paypal.com') }],
  ['hidden_link', { text: `${REQUEST} https://bit.ly/x` }],
  ['brand_in_name', from('PayPal Support', 'a@mail.example')], ['brand_in_name', from('PаyPal', 'a@mail.example')], ['brand_in_name', from('Wells Fargo Alerts', 'a@mail.example')],
  ['address_in_name', from('service@paypal.com', 'a@mail.example')], ['lookalike_sender', from('Service', 'a@paypa1.com')],
  ['answers_to_free_mail', from('Ana', 'ana@shop.example', 'ana.shop@gmail.com')], ['answers_elsewhere', from('Ana', 'ana@shop.example', 'ana@desk.example')],
  ['html_attachment', file('Invoice.htm')], ['archive_password_in_text', { text: 'The password is: 1234', ...file('a.zip', true) }], ['encrypted_archive', file('a.zip', true)],
  ['qr_code', { text: 'Scan the QR code to verify your account.', attachments: [{ filename: 'q.png', contentType: 'image/png', sizeBytes: 1 }] }],
  ['form_to_other_host', { subject: 'PayPal', html: '<form action="https://evil.example/x"><input name=a></form>' }],
  ['hidden_text', { text: 'x', html: `<p>Buy now</p><div style="display:none">${'the quick brown fox jumps '.repeat(20)}</div>` }],
  ['near_duplicates', { similar: { messages: 30, newRecipients: 30 } }], ['mostly_new_recipients', { recipientCount: 6, newRecipientCount: 6 }],
  ['test_virus', { text: 'X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*' }],
]

// prettier-ignore
const NOT_SHOWN: [code: string, parts: Parts][] = [
  ...['paypal.com', 'www.amazon.de', 'finance.example.com', 'revolt.tv', 'telecom.com', 'webchat.example', 'amazone.de', 'appie.nl', 'stearns.com', 'goggles.com', 'github.com', 'login.microsoftonline.com', 'docs.google.com', 'barclay.example', 'bookings.example', 'discards.example']
    .flatMap((host): [string, Parts][] => ['lookalike_host', 'misspelt_brand_host', 'brand_in_host', 'brand_other_suffix'].map((code) => [code, at(host)])),
  ['mixed_script_host', at('почта.рф')], ['lookalike_host', at('hesabım.com.tr')], ['mixed_script_host', at('日本abc.jp')],
  ['open_redirect', { text: 'https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fshop.example%2F' }],
  ['link_text_mismatch', link('https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fshop.example.com%2F', 'shop.example.com')],
  ['link_text_mismatch', link('https://www.amazon.co.uk/x', 'amazon.com')],
  ['brand_in_name', from('PayPal', 'service@paypal.com')], ['brand_in_name', from('Apple Tree Farm', 'ana@farm.example')], ['brand_in_name', from('Amazon.de', 'no-reply@amazon.de')],
  ['answers_elsewhere', from('Ana', 'ana@mail.shop.example', 'desk@shop.example')],
  ['archive_password_in_text', { text: 'The password is: 1234' }], ['qr_code', { text: 'Scan the QR code at the door.' }],
  ['hidden_text', { html: '<div style="display:none">Three papers, one talk</div><p>Hello</p>' }],
  ['hidden_text', { html: `<table bgcolor="#00f"><a style="color:#fff">${'Buy a ticket '.repeat(50)}</a></table>` }],
  ['near_duplicates', { similar: { messages: 30, newRecipients: 1 } }], ['near_duplicates', { isAnswer: true, similar: { messages: 30, newRecipients: 30 } }],
]

t.test('each sign is seen', async (t) => {
  for (const [code, parts] of SHOWN) t.ok(codesOf(parts).includes(code), code, { parts, found: codesOf(parts) })
})

t.test('what only looks like a sign is left alone', async (t) => {
  for (const [code, parts] of NOT_SHOWN) t.notOk(codesOf(parts).includes(code), code, { parts })
})

t.test('two things that are compared are both told', async (t) => {
  const [finding] = findingsOf(subjectWith(link('https://paypa1-login.example/a', 'paypal.com'))).filter(
    ({ code }) => code === 'link_text_mismatch',
  )
  t.match(finding?.detail, '"paypal.com" \u2192 "paypa1-login.example"')
  t.equal(finding?.excerpt, 'https://paypa1-login.example/a')
})

t.test('a host on the list of the operator is known, with all below it', async (t) => {
  const isKnownBad = badHostsIn('# ours\nevil.example # since May\n*.bad.example\n\nbücher.example\n')
  const found = (text: string) => findingsOf(subjectWith({ text }), { isKnownBad }).map(({ code }) => code)
  t.ok(found('https://www.evil.example/').includes('known_bad_link'))
  t.ok(found('https://bücher.example/').includes('known_bad_link'))
  t.notOk(found('https://notevil.example/').includes('known_bad_link'))
})

t.test('what alone allows a block, and what does not', async (t) => {
  const hard = (parts: Parts) => isHardEvidence(findingsOf(subjectWith(parts)))?.code
  t.equal(hard(file('invoice.pdf.exe')), 'double_extension')
  t.equal(hard({ text: `${REQUEST} https://paypa1.com/` }), 'lookalike_host')
  t.equal(hard({ text: `${REQUEST} https://paypal-login.example/` }), 'brand_in_host')
  t.equal(hard({ text: 'https://paypa1.com/' }), undefined)
  t.equal(hard({ text: `${REQUEST} https://shop.example/` }), undefined)
  t.equal(hard(file('setup.exe')), undefined)
})

t.test('every code that is found has its meaning', async (t) => {
  const found = new Set(
    [
      ...BAD.map(([, parts]) => parts),
      ...SHOWN.map(([, parts]) => parts),
      ...LURES.map(([, text]) => ({ text })),
    ].flatMap(codesOf),
  )
  const others = [...INBOUND_LURES, ...attachmentFindings(subjectWith(file('a.docm')).attachments)]
  for (const code of [...found, ...others.map(({ code }) => code)]) t.ok(FINDING_CODES[code]?.about, code)
})

t.test('words have one form, however they are written', async (t) => {
  const words = (text: string, html: string | null = null) => normalised(subjectWith({ text, html })).words
  t.equal(words("i ' d love 5 , 000 of them , really ."), "i'd love 5,000 of them, really.")
  t.equal(normalised(subjectWith({ subject: 're : rankings , at last' })).title, 're: rankings, at last')
  t.equal(words('Ｖｅｒ\u200bify your аccоunt, \ud835\udc1a\ud835\udc1b'), 'verify your account, ab')
  t.equal(words('', '<p>Ver<b>ify</b> <span style="font-size:0">not</span>this</p>'), 'verify this')
  t.equal(words('Hello there', '<p>Hello <i>there</i></p>'), 'hello there', 'what both parts say stands once')
  const reply = `${'Thanks, that works for me and for the others too. '.repeat(3)}\n\nOn Mon, 2 Mar 2026 at 10:00, Ana <a@a.example> wrote:\n> Your account has been suspended`
  t.notMatch(words(reply), 'suspended')
  t.notOk(codesOf({ text: reply, isAnswer: true }).includes('account_threat'))
  t.ok(codesOf({ text: reply }).includes('account_threat'), 'history that may be made up still counts')
})

t.test('what its parser left out of a text spares looking for it again, and changes nothing', async (t) => {
  const lines = fc.constantFrom(
    ...[
      'Thanks, that works for me and for the others too, see you all there on Tuesday at ten.',
      'yes',
      '',
      '',
      '> no',
    ],
    ...['-- ', 'Ana Example', 'On Mon, 2 Mar 2026 at 10:00, Ana <a@a.example> wrote:', '-----Original Message-----'],
    ...['From: Ana <a@a.example>', 'Sent: Monday', 'To: Bob', 'Subject: Lunch'],
  )
  let spared = 0
  fc.assert(
    fc.property(fc.array(lines, { maxLength: 12 }), fc.boolean(), (some, isAnswer) => {
      const text = some.join('\n')
      const newText = extractReply(text)
      if (newText.length >= text.trim().length) spared++
      const subject = subjectWith({ text, isAnswer })
      t.same(readingOf({ ...subject, newText }), readingOf(subject))
    }),
    { numRuns: 2000, seed: 13 },
  )
  t.ok(spared > 100, 'some had nothing to leave out')
})

t.test('whatever a message holds, it is judged', async () => {
  const part = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc.constantFrom(
      '<form',
      '<p style="display:none">',
      '</p>',
      'https://',
      'https://a@paypa1.com:99/',
      'On 1.1.2026 a@b.c wrote:\n> ',
      'your account ',
      '\u202e',
      'а',
    ),
  )
  fc.assert(
    fc.property(fc.array(part, { maxLength: 20 }), fc.string({ unit: 'binary', maxLength: 30 }), (parts, name) => {
      const text = parts.join('')
      const findings = findingsOf(
        subjectWith({
          subject: name,
          text,
          html: text,
          links: [{ target: text, text: name }],
          from: { name, address: `a@${name}` },
        }),
      )
      return findings.every(
        ({ code, weight, excerpt }) =>
          code in FINDING_CODES && weight > 0 && weight < 1 && (excerpt?.length ?? 0) <= 200,
      )
    }),
    { numRuns: 300, seed: 11 },
  )
})
