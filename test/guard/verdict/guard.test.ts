import t from 'tap'
import { createGuard } from '../../../src/guard/verdict/guard.js'
import { loadModel } from '../../../src/guard/model/model.js'
import type { GuardSubject } from '../../../src/guard/types.js'
import { BAD } from '../bad.js'
import { LEGITIMATE, type Sample } from '../legitimate.js'

const subjectOf = (sample: Sample[1]): GuardSubject => ({
  kind: 'outbound',
  html: null,
  links: [],
  recipientCount: 1,
  newRecipientCount: 0,
  attachments: [],
  trust: 0,
  ...sample,
})

const guard = createGuard({ model: loadModel() })

t.test('ordinary mail goes at once', async (t) => {
  for (const [what, sample] of LEGITIMATE) {
    const verdict = await guard.check(subjectOf(sample))
    t.match(verdict, { decision: 'send', category: 'legitimate' }, what, { verdict })
    t.not(verdict.reasons.length, 0, `${what}: has a reason`)
  }
})

t.test('bad mail waits for a person or is refused, and the reason is given', async (t) => {
  for (const [what, sample, reason] of BAD) {
    const verdict = await guard.check(subjectOf(sample))
    t.not(verdict.decision, 'send', what, { verdict })
    t.ok(
      verdict.reasons.some(({ code }) => code === reason),
      `${what}: ${reason}`,
      { verdict },
    )
    t.ok(
      verdict.reasons.every(({ detail }) => detail.length > 0),
      `${what}: in words`,
    )
  }
})

t.test('mail in which nothing is found says so', async (t) => {
  const { reasons, scores } = await createGuard().check(subjectOf({ subject: 'Lunch', text: 'At noon?' }))
  t.strictSame(reasons, [{ code: 'no_risk_found', detail: 'nothing suspicious found' }])
  t.strictSame(scores, { legitimate: 1 })
})

t.test('a program that poses as a document is blocked, a plain one waits for a person', async (t) => {
  const check = (filename: string) =>
    guard.check(
      subjectOf({ subject: 'x', text: 'x', attachments: [{ filename, contentType: 'application/pdf', sizeBytes: 1 }] }),
    )
  t.match(await check('report.pdf.exe'), { decision: 'block', category: 'malware' })
  t.match(await check('report.exe'), { decision: 'hold', category: 'malware' })
})

t.test('an account that has earned trust may write to more strangers at once', async (t) => {
  const sample = { subject: 'News', text: 'https://news.example/', recipientCount: 15, newRecipientCount: 15 }
  t.equal((await guard.check(subjectOf(sample))).decision, 'hold')
  t.equal((await guard.check({ ...subjectOf(sample), trust: 1 })).decision, 'send')
})

t.test('the operator decides how much risk is held', async (t) => {
  const subject = subjectOf({ subject: 'Update', text: '', attachments: [file('setup.exe')] })
  t.equal((await createGuard({ holdAt: 0.8 }).check(subject)).decision, 'send')
  t.equal((await createGuard().check(subject)).decision, 'hold')
})

t.test('a hostile message of many megabytes is judged as any other', async (t) => {
  const heavy = [
    'verify your a '.repeat(300_000),
    'a'.repeat(4_000_000),
    '<a href='.repeat(300_000),
    '!'.repeat(2_000_000),
  ]
  for (const text of heavy) {
    const verdict = await guard.check({ ...subjectOf({ subject: text, text }), html: text })
    t.ok(verdict.reasons.length > 0)
  }
})

function file(filename: string) {
  return { filename, contentType: 'application/octet-stream', sizeBytes: 1 }
}
