import fc from 'fast-check'
import t from 'tap'
import { parseMessage } from '../../../src/mime/parse/parse.js'
import { findCodes } from '../../../src/mime/parse/codes.js'
import { LANGUAGES, LOOK_ALIKES, SERVICES } from '../code-forms.js'
import { limits } from '../support.js'

t.test('one-time codes are found where people look for them', async (t) => {
  const cases: [string, string, string[]][] = [
    ['Your code', 'Your verification code is 482913.', ['482913']],
    ['', 'Your verification code:\n\n482913\n\nIt expires in 10 minutes.', ['482913']],
    ['482913 is your code', 'See the subject', ['482913']],
    ['', '123 456 is your one-time password', ['123456']],
    ['', 'Enter this code to sign in: 12-34, no: 123-456', ['123456']],
    ['', 'G-482913 is your verification code.', ['482913']],
    ['', 'Use code ABCD-EFGH to log in your TV', ['ABCD-EFGH']],
    ['', 'Your OTP is A1B2C3', ['A1B2C3']],
    ['', 'PIN: 2024', ['2024']],
    ['', 'Security code\n**0417**', ['0417']],
    ['', 'Votre code de vérification est 771 204', ['771204']],
    ['', 'Ihr Bestätigungscode lautet: 5531', ['5531']],
    ['', 'Tu código de verificación es 90210', ['90210']],
    ['', 'Il tuo codice è 667788', ['667788']],
    ['', 'Twój kod weryfikacyjny: 445566', ['445566']],
    ['', 'Din engangskode er 123987', ['123987']],
    ['', 'Ваш код подтверждения: 8812', ['8812']],
    ['', '您的验证码是 882211，请勿泄露', ['882211']],
    ['', '認証コード：119922', ['119922']],
    ['', '인증번호 [330011]를 입력해 주세요', ['330011']],
  ]
  for (const [subject, text, codes] of cases) t.strictSame(findCodes(subject, text), codes, text)
})

t.test('other numbers are no codes', async (t) => {
  const cases = [
    'We met in 2024 and 2025.',
    'Your order 123456 has shipped.',
    'Invoice 4711 over 1500 EUR is due.',
    'Call +1 555 123 4567 or 0800 123456.',
    'Use promo code SAVE2024 or discount code 123456.',
    'Our zip code is 94110, the country code 0049.',
    'The error code was 40404 and the status code 5000.',
    'Code of conduct, version 2023.',
    'The code has 12345678901234567890 lines.',
    'The source code is at https://example.com/a/123456?x=654321',
    'Copyright 2026 Example Inc., 1234 Main Street',
    'Meeting at 14:30 on 12.05.2026, code review after',
    'The price is $1234 and €5678.',
    'No number here',
  ]
  for (const text of cases) t.strictSame(findCodes('', text), [], text)
})

t.test('at most ten, each once', async (t) => {
  t.equal(findCodes('', 'code 1234 code 1234').length, 1)
  t.equal(findCodes('', Array.from({ length: 50 }, (_, i) => `code: ${4000 + i}`).join('\n')).length, 10)
})

t.test('the wordings of services, and of twelve languages and more', async (t) => {
  for (const [subject, text, ...codes] of [...SERVICES, ...LANGUAGES])
    t.strictSame(findCodes(subject, text), codes, `${subject} ${text}`)
})

t.test('what only looks like a code', async (t) => {
  for (const [subject, text] of LOOK_ALIKES) t.strictSame(findCodes(subject, text), [], `${subject} ${text}`)
})

t.test('codes in HTML alone, with each digit in an element of its own', async (t) => {
  const digits = [...'204816']
  const shapes = [
    `<table><tr>${digits.map((digit) => `<td>${digit}</td>`).join('')}</tr></table>`,
    `<p>${digits.map((digit) => `<span>${digit}</span>`).join('')}</p>`,
    `<p>${digits.map((digit) => `<span>${digit}</span>`).join(' ')}</p>`,
    `<div>${digits.map((digit) => `<div>${digit}</div>`).join('')}</div>`,
  ]
  for (const shape of shapes) {
    const raw = `Subject: Sign in\r\nContent-Type: text/html\r\n\r\n<p>Your sign-in code is</p>${shape}<p>It expires soon.</p>`
    t.strictSame((await parseMessage(Buffer.from(raw), limits)).extracted.codes, ['204816'], shape)
  }
})

t.test('text that is made to be slow takes no time', async (t) => {
  const pieces = [
    'code 1234 ',
    'code is abc-def-',
    '1 2 ',
    'ABC-',
    'a1',
    'enter ',
    'log in ',
    '1\n',
    'your code\n',
    'код ',
    'code the ',
  ]
  for (const piece of pieces) {
    const started = process.cpuUsage()
    findCodes(piece.repeat(100), piece.repeat(Math.ceil(1_000_000 / piece.length)))
    const { user } = process.cpuUsage(started)
    t.ok(user < 1_000_000, `${JSON.stringify(piece)} took ${user} µs`)
  }
})

t.test('where only some lines are looked at, the codes are those of all lines', (t) => {
  const line = fc.oneof(
    fc.constantFrom(
      'Your code is',
      'code:',
      'Your PIN',
      'Enter',
      'to log in',
      'to get in',
      'Use the link',
      'Hello',
      '',
      '-',
      '>',
    ),
    fc.constantFrom('4711', '123 456', '12345678', '2026', '1', 'x1y2z3', 'AB12CD', 'G-1234', '10.50', '12', '12:30'),
    fc.constantFrom('The password is below.', 'We met 3000 people there', 'önskar', 'in 1999', 'verification'),
  )
  const lines = fc.array(fc.array(line, { maxLength: 4 }), { maxLength: 12 })
  fc.assert(
    fc.property(fc.array(line, { maxLength: 3 }), lines, (subject, text) => {
      const written = text.map((words) => words.join(' ')).join('\n')
      // Capitals may be a code, so all lines are looked at; these stand too far below to be one.
      const withCapitals = `${written}${'\nnothing here'.repeat(6)}\nCAPITALS`
      t.same(findCodes(subject.join(' '), written), findCodes(subject.join(' '), withCapitals), written)
    }),
    { numRuns: 1000, seed: 20_261_124 },
  )
  t.end()
})
