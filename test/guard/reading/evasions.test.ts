/** What people read of a disguised message is what the rules read. */
import t from 'tap'
import { findingsOf } from '../../../src/guard/verdict/findings.js'
import { createGuard } from '../../../src/guard/verdict/guard.js'
import { loadModel } from '../../../src/guard/model/model.js'
import { readingOf } from '../../../src/guard/text/text.js'
import { subjectOfParsed } from '../../../src/guard/verdict/spam.js'
import { parseMessage } from '../../../src/mime/parse/parse.js'
import { MESSAGES } from '../../../training/evasions/messages.js'
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

const LIMITS = { maxHeaderBytes: 64 * 1024, maxParts: 100, maxDepth: 10 }

for (const [name, evade] of Object.entries(MESSAGES)) {
  t.test(`parsed and read as displayed: ${name}`, async (t) => {
    const parsed = await parseMessage(evade(LURE), LIMITS)
    const subject = { ...subjectOfParsed(parsed), parentText: '' }
    const codes = findingsOf(subject).map(({ code }) => code)
    const { all, files } = readingOf(subject)
    for (const code of CODES) t.ok(codes.includes(code), code, { words: all.slice(0, 400), files, codes })
  })
}

t.test('there are more than a hundred of them', async (t) => {
  t.ok(Object.keys(EVASIONS).length > 200)
  t.ok(Object.keys(MESSAGES).length > 20)
})
