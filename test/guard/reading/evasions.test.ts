/** What people read of a disguised message is what the rules read. */
import t from 'tap'
import { findingsOf } from '../../../src/guard/verdict/findings.js'
import { createGuard } from '../../../src/guard/verdict/guard.js'
import { loadModel } from '../../../src/guard/model/model.js'
import { readingOf } from '../../../src/guard/text/text.js'
import { EVASIONS } from '../../../training/evasions/index.js'
import { subjectWith } from '../subject.js'

const LURE =
  'Your account has been suspended because of suspicious activity.\nVerify your account and your password within 24 hours.\nEnter your password and card number on the page below.'
const LINK = { links: [{ target: 'https://owa-migrate.example/login', text: 'Verify' }] }
const CODES = ['credential_request', 'account_threat', 'secret_on_page']

const plain = subjectWith({ text: LURE, ...LINK })
const guard = createGuard({ model: loadModel() })

t.test('the rules find the plain message', async (t) => {
  const codes = findingsOf(plain).map(({ code }) => code)
  for (const code of CODES) t.ok(codes.includes(code), code)
})

for (const [name, evade] of Object.entries(EVASIONS)) {
  t.test(`read as displayed: ${name}`, async (t) => {
    // An invented quote answers a message that the mailbox does not have.
    const subject = subjectWith({ ...evade(LURE), ...LINK, parentText: '' })
    const codes = findingsOf(subject).map(({ code }) => code)
    const { words } = readingOf(subject)
    for (const code of CODES) t.ok(codes.includes(code), code, { words: words.slice(0, 400), codes })
    t.not((await guard.check(subject)).decision, 'send', 'it is not sent')
  })
}
