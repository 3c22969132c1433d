/** Whatever a person writes above, between or below quoted history is in `extracted_text`: authors' texts, attributions and ways of quoting, crossed. */
import fc from 'fast-check'
import t from 'tap'
import { extractReply } from '../../src/mime/reply/reply.js'
import { ATTRIBUTIONS } from './attributions.js'

/** Last lines that look like something else: dates, times, colons, addresses, verbs of saying, labels of a header, drawn rules. */
const LAST_LINES = [
  'I will be there in 2 weeks.',
  'See you on 5 May 2024',
  'On Monday',
  'On Monday, 5 May 2024 at 10:00',
  'Monday 10:00',
  '5 May',
  '2024-05-01',
  '12.05.2024, 10:00',
  '10:30',
  '42',
  'In 2024 the committee wrote:',
  'This is what he wrote:',
  'In section 3 you wrote:',
  'On Monday I wrote:',
  'On Monday you wrote:',
  'On 5 May I wrote:',
  'As Ada wrote:',
  'So Ada wrote:',
  'Here is what Bob wrote',
  'She said:',
  'Call Bob on 0171 123456 on 5 May 2024:',
  'Please reply before 5 May 2024 10:00 to ada@example.com:',
  'Bitte antworten Sie bis 5.5.2024 10:00 an ada@example.com:',
  'My address is ada@example.com',
  'Ask Bob <bob@example.com>',
  'ada@example.com:',
  'Am 5. Mai habe ich geschrieben:',
  'Am Montag schrieb ich:',
  'Le 5 mai il a écrit ceci :',
  'El lunes te escribí',
  'In data 5 maggio ho scritto:',
  '5月5日に書きました:',
  'В понедельник я написал:',
  'Thanks,',
  'Total: 300 EUR',
  'Time: 10:00',
  'Date: 5 May 2024',
  'Subject: the garden',
  'Sent via courier this morning',
  'Sent from the warehouse at 5 pm',
  'Sent a copy to Bob',
  'Sent by mail',
  'Von der Post kam nichts',
  'Enviado de manhã',
  '*** do not send before Friday ***',
  '--- see the list of 3 files ---',
  '-Milk',
  'to:',
  'a)',
  'the sum is -5',
]

/** Whole texts whose lines are often taken for history or a signature. */
const TEXTS = [
  'Please book:\n\nFrom: Berlin\nTo: Paris\nDate: 5 May 2024\n\nThe cheapest will do.',
  'Write this mail:\n\nFrom: me\nTo: bob@example.com\nSubject: Hello\n\nHi Bob, all is well.',
  'Option one is cheap\n--\nI prefer the second option because it lasts.',
  'To buy:\n-Bread\n-Milk',
  'From here on 3 things matter:\n1. time\n2. place',
  'On the other hand, 2026 is young.\nOn Mondays I write:\nnothing',
  'He wrote on 05.01.2026 that it is late',
  'List:\n- one\n- two\n\n---\n\nEnd',
]

/** Ways to put what was said before below an attribution; `marked` ones may have answers in between. */
const QUOTED = ['Does Tuesday work?', '', 'I am free at 10:00.', 'Ada']
const STYLES: Record<string, { history: string; marked: boolean }> = {
  'with > and a blank': { history: QUOTED.map((line) => `> ${line}`).join('\n'), marked: true },
  'with >': { history: QUOTED.map((line) => `>${line}`).join('\n'), marked: true },
  twice: { history: [...QUOTED.map((line) => `>> ${line}`), '> Tuesday.'].join('\n'), marked: true },
  'indented >': { history: QUOTED.map((line) => ` > ${line}`).join('\n'), marked: true },
  unmarked: { history: QUOTED.join('\n'), marked: false },
}

const WORDS =
  'we met at ten and 3 of us wrote to ada@example.com on Monday 5 May 2024 10:00 from the office: see below, yes no'.split(
    ' ',
  )
const sentence = fc
  .array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 9 })
  .map((words) => `Well, ${words.join(' ')}`)
const lastLine = fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...LAST_LINES) }, { weight: 1, arbitrary: sentence })
const text = fc.oneof(
  { weight: 1, arbitrary: fc.constantFrom(...TEXTS) },
  {
    weight: 4,
    arbitrary: fc
      .tuple(fc.array(fc.oneof(sentence, fc.constant('')), { maxLength: 4 }), lastLine)
      .map(([lines, last]) => ['Hi Ada,', 'thank you for your note.', ...lines, last].join('\n')),
  },
)
const attribution = fc.constantFrom(...Object.values(ATTRIBUTIONS).flat(), '')
const gap = fc.constantFrom('\n', '\n\n', '\n\n\n')
const runs = { numRuns: 4000 }

const linesOf = (written: string): string[] =>
  written
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '')

/** The lines of the author that are missing, in their order. */
function missing(written: string, extracted: string): string[] {
  const left = linesOf(extracted)
  let from = 0
  return linesOf(written).filter((line) => {
    const at = left.indexOf(line, from)
    if (at === -1) return true
    from = at + 1
    return false
  })
}

t.test('above the history nothing of the author is lost', async () => {
  fc.assert(
    fc.property(
      text,
      gap,
      attribution,
      gap,
      fc.constantFrom(...Object.values(STYLES)),
      (own, above, introduced, below, style) => {
        const reply = introduced === '' && !style.marked ? own : `${own}${above}${introduced}${below}${style.history}`
        return missing(own, extractReply(reply)).length === 0
      },
    ),
    runs,
  )
})

t.test('every last line, under every attribution, with and without an empty line between', async (t) => {
  const lost: string[] = []
  for (const own of [...LAST_LINES.map((line) => `Hi Ada,\nthank you for your note.\n${line}`), ...TEXTS])
    for (const introduced of ['', ...Object.values(ATTRIBUTIONS).flat()])
      for (const { history, marked } of [STYLES['with >'], STYLES['unmarked']].filter((style) => style !== undefined))
        for (const above of ['\n', '\n\n']) {
          if (introduced === '' && !marked) continue
          const reply = `${own}${above}${introduced}\n${history}`
          if (missing(own, extractReply(reply)).length > 0) lost.push(reply)
        }
  t.strictSame(lost.slice(0, 5), [])
  t.equal(lost.length, 0)
})

t.test('below and between marked history nothing of the author is lost', async () => {
  const marked = Object.values(STYLES).filter((style) => style.marked)
  fc.assert(
    fc.property(
      text,
      attribution,
      fc.constantFrom(...marked),
      text,
      text,
      (above, introduced, { history }, between, below) => {
        const whole = `${above}\n\n${introduced}\n${history}\n\n${between}\n\n${history}\n\n${below}`
        const extracted = extractReply(whole)
        return [above, between, below].every((own) => missing(own, extracted).length === 0)
      },
    ),
    runs,
  )
})

t.test('an answer below unmarked history stays where nothing was written above it', async (t) => {
  for (const introduced of Object.values(ATTRIBUTIONS).flat()) {
    for (const above of ['', 'Hi Ada,\n\n'])
      t.match(
        extractReply(`${above}${introduced}\n${QUOTED.join('\n')}\n\nYes, it does.`),
        /Yes, it does\.$/,
        introduced,
      )
  }
  const outlook =
    'From: Ada <ada@example.com>\nSent: Monday, January 5, 2026 10:00 AM\nTo: Bot\nSubject: Tuesday\n\nDoes it?\nYes, it does.'
  t.match(extractReply(`My answers are below in red.\n\n${outlook}`), /Yes, it does\.$/)
})

t.test('attributions are left out, in the languages and shapes of mail programs', async (t) => {
  for (const [program, forms] of Object.entries(ATTRIBUTIONS))
    for (const form of forms)
      t.equal(extractReply(`Yes, it does.\n\n${form}\n\n> Does it?`), 'Yes, it does.', `${program}: ${form}`)
})
