import t from 'tap'
import { distance, fingerprintOf, SIMILAR_BITS, type Fingerprint } from '../../../src/guard/text/similar.js'

const invoice = (name: string, number: string, link: string): string =>
  `Dear ${name},

we are writing to remind you that the invoice ${number} for your subscription is overdue since last week. Please open the
customer area at ${link} and settle it, or get in touch with our billing team when you have questions about single items.
Without your payment we will have to pause the service at the end of the month.

Best regards
The billing team`

const pitch = (name: string, company: string): string =>
  `Hi ${name}!

I came across ${company} the other day and was impressed by what your team has built. We help companies like yours to
find more customers without cold calling, and most of them double the number of meetings in the first quarter. Would you
be open for a short call next Tuesday or Wednesday? If somebody else looks after growth at ${company}, I would be glad
about a hint whom to write to.

Cheers`

const unrelated = [
  invoice('Ada', '4711', 'https://pay.example/a'),
  pitch('Ada', 'Acme'),
  `The tests of the release branch fail since this morning with a timeout in the second stage. I looked at the logs and it
   seems that the database container starts later than before. Could you have a look whether the image was changed?`,
  `Guten Tag, vielen Dank für Ihre Bestellung. Wir haben das Paket heute an den Versand übergeben, es sollte in drei Tagen bei
   Ihnen sein. Die Rechnung liegt dem Paket bei. Falls etwas fehlt, melden Sie sich bitte innerhalb von vierzehn Tagen bei uns.`,
  `Bonjour, nous avons bien reçu votre demande et nous vous répondrons dès que possible. En attendant vous pouvez consulter les
   questions fréquentes sur notre site, ou appeler le service client du lundi au vendredi entre neuf heures et midi.`,
  `Lunch on Thursday works for me. Shall we meet at the small place by the river again? I can book a table for four at noon, so
   that Bob and Eve can come along after their meeting. Tell me if you would rather sit inside, it may rain that day.`,
]

const print = (text: string, names?: string[]): Fingerprint => {
  const found = fingerprintOf(text, names)
  if (!found) throw new Error('too short')
  return found
}

void t.test('one template to different people reads the same', (t) => {
  const first = print(invoice('Ada Lovelace', '2026-0042', 'https://pay.example/c/1?token=abc'), [
    'Ada Lovelace',
    'ada',
  ])
  for (const [name, number, link] of [
    ['Bob', '2026-0043', 'https://pay.example/c/2?token=xyz'],
    ['Mr. von Neumann', 'A-9', 'https://pay.example/'],
    ['Sir or Madam', '1', 'https://pay.example/c/99999'],
  ] as const) {
    t.ok(distance(first, print(invoice(name, number, link), [name])) <= SIMILAR_BITS, name)
  }
  const one = print(pitch('Ada', 'Acme'), ['Ada', 'ada.lovelace'])
  t.equal(distance(one, print(pitch('Grace', 'Acme'), [])), 0, 'the greeting is no part of it')
  t.ok(distance(one, print(pitch('Grace', 'Acme').replace('team has', 'people have'))) <= SIMILAR_BITS)
  t.end()
})

void t.test('a name in the middle of a text makes no difference when it is the recipient’s', (t) => {
  const text = (name: string): string =>
    `You have won, ${name}! Among all the entries of this month yours, ${name}, was drawn by our notary. Reply with your postal address
     within two days, ${name}, so that the parcel service can hand over what you have won before the holidays begin.`
  t.equal(distance(print(text('Ada'), ['ada']), print(text('Grace'), ['grace'])), 0)
  t.end()
})

void t.test('letters that only look different make no difference', (t) => {
  const text = unrelated[5] ?? ''
  t.equal(distance(print(text), print(text.toUpperCase().replaceAll('O', '\u041e').replaceAll('E', 'E\u200b'))), 0)
  t.end()
})

void t.test('messages that have nothing to do with each other are far apart', (t) => {
  unrelated.forEach((text, i) => {
    for (const other of unrelated.slice(i + 1)) {
      const bits = distance(print(text), print(other))
      t.ok(bits > 16, `${text.slice(0, 20)} / ${other.slice(0, 20)}: ${bits}`)
    }
  })
  t.end()
})

void t.test('very short texts have none: everybody writes them', (t) => {
  t.equal(fingerprintOf(''), undefined)
  t.equal(fingerprintOf('Thanks, got it. See you tomorrow!'), undefined)
  t.equal(fingerprintOf('Hello Ada,\n\n1 2 3 4 5 6 7 8 9 10 11 12 13 14 15'), undefined)
  t.end()
})

void t.test('scripts without spaces are told apart too', (t) => {
  const chinese =
    '您好，感谢您的订购。我们已经在今天把包裹交给了快递公司，预计三天以内送达。如果有任何问题，请随时与我们联系。收货时请当面检查外包装是否完好，发票和保修卡已放在包裹里面，谢谢您的支持与信任。'
  const other =
    '各位同事，下周一上午十点在三楼会议室开会，讨论明年的预算和人员安排，请大家准备好各自部门的材料并准时参加。'
  t.ok(distance(print(chinese), print(chinese.replace('订购', '订购2026-0042号'))) <= SIMILAR_BITS)
  t.ok(distance(print(chinese), print(other)) > 16)
  t.end()
})

void t.test('of a text of any length only its beginning is read', (t) => {
  const long = Array.from({ length: 50_000 }, (_, i) => `word${String.fromCharCode(97 + (i % 26))}`).join(' ')
  t.equal(distance(print(long), print(`${long} ${unrelated.join(' ')}`)), 0)
  t.end()
})

void t.test('a text has the print that is stored of it, in whatever script', (t) => {
  const prints: [string, Fingerprint][] = [
    [
      'Hello Ada,\nyour parcel number 4711 waits at the station until Friday evening. Please bring a document with your photo, and see https://post.example/track?id=77 for the way. Yours, the post',
      { high: 629294438, low: 1129728261 },
    ],
    [
      'Der Vorstand lädt herzlich zur Versammlung ein, die am Dienstag um zwölf im großen Saal beginnt und drei Stunden dauert. Größe und Maß sind bekannt.',
      { high: 1077922200, low: 2419082080 },
    ],
    [
      '今天下午三点在会议室开会请大家准时参加并且带上上个季度的报告谢谢各位同事的配合',
      { high: 38307473, low: 4231888524 },
    ],
    [`${'word '.repeat(40)}other words end it`, { high: 1821685517, low: 1774041676 }],
  ]
  for (const [text, stored] of prints) t.strictSame(fingerprintOf(text, ['Ada']), stored)
  t.end()
})
