/** Stories of accounts, played over weeks: what the guard is told, and what it decides. */
import t from 'tap'
import { MAX_HOSTS, MAX_LANGUAGES, measure, unpackStory } from '../../src/accounts/story.js'
import { LANGUAGES, type Language } from '../../src/guard/text/language.js'
import type { GuardSubject, GuardVerdict, Story } from '../../src/guard/types.js'
import { loadModel } from '../../src/guard/model/model.js'
import { createGuard } from '../../src/guard/verdict/guard.js'
import { DAY, HOUR, MINUTE } from '../../src/lib/clock.js'
import { subjectWith } from '../guard/subject.js'

const guard = createGuard({ model: loadModel() })
const START = Date.UTC(2026, 0, 5, 9)

interface Mail {
  /** Recipients that are new, and others. */
  fresh?: number
  known?: number
  hosts?: string[]
  language?: Language
  text?: string
  subject?: Partial<GuardSubject>
}

interface Sent {
  story: Story | undefined
  verdict: GuardVerdict
  unwanted: number
}

class Account {
  now = START
  row: Uint8Array | undefined
  trust = 0

  async send({
    fresh = 0,
    known = 0,
    hosts = [],
    language = 'English',
    text = NOTE,
    subject = {},
  }: Mail): Promise<Sent> {
    const told = { hosts, language, recipients: fresh + known, newRecipients: fresh }
    const { story, row } = measure('acc_1', this.row, told, this.now)
    const asked = subjectWith({
      ...{ subject: 'The plan for next week', text: [text, ...hosts.map((host) => `https://${host}/page`)].join('\n') },
      ...{ recipientCount: fresh + known, newRecipientCount: fresh, trust: this.trust, story },
      ...subject,
    })
    const { verdict, unwanted = 0 } = guard.explain(asked)
    this.row = row(verdict.decision === 'send')
    return { story, verdict, unwanted }
  }

  /** Some weeks of ordinary mail: two a day to those it knows, now and then a new one, always with its own links. */
  async pastOf(weeks: number): Promise<void> {
    for (let day = 0; day < 7 * weeks; day++) {
      await this.send({ known: 1, hosts: ['own.example'] })
      this.now += 3 * HOUR
      await this.send(day % 4 === 0 ? { fresh: 1 } : { known: 1 })
      this.now += 21 * HOUR
    }
  }
}

const NOTE =
  'Hello, here is what we spoke about. The numbers are the same as before, so there is nothing to change. See you on Monday.'
const OFFER =
  'Hello, our new programme for teams is open now, and the places are few. Have a look at it and tell us what you think.'
const codesOf = ({ verdict }: Sent): string[] => verdict.reasons.map(({ code }) => code)
const isHeld = ({ verdict }: Sent): boolean => verdict.decision !== 'send'

t.test('after three weeks of silence, forty mails with links to strangers within an hour are held', async (t) => {
  for (const trust of [0, 1, 2, 3]) {
    const account = new Account()
    await account.pastOf(5)
    account.trust = trust
    account.now += 21 * DAY
    const sent: Sent[] = []
    for (let n = 0; n < 40; n++) {
      sent.push(await account.send({ fresh: 1, hosts: ['offers.example'], text: OFFER }))
      account.now += 90_000
    }
    t.equal(sent[0]?.verdict.decision, 'send', 'the first ones are ordinary')
    const last = sent.at(-1)
    t.match(last?.verdict, { decision: 'hold', category: 'bulk' }, `trust ${trust}`)
    t.ok(sent.every(({ verdict }) => verdict.decision !== 'block'))
    t.match(
      last?.verdict.reasons.find(({ code }) => code === 'burst')?.detail,
      /^about \d\d new recipients within the last two hours, after 21 days without mail; usually about [12] a week$/,
    )
    t.match(
      last?.verdict.reasons.find(({ code }) => code === 'story')?.detail,
      /^measured by what the account usually sends: \d\d % in all, \d+ % by words/,
    )
  }
})

t.test('a new host for each mail of a burst, and a pause in between, make nothing usual', async (t) => {
  const account = new Account()
  await account.pastOf(5)
  account.now += 21 * DAY
  const sent: Sent[] = []
  for (let n = 0; n < 40; n++) {
    sent.push(await account.send({ fresh: 1, hosts: [`offers-${n}.example`], text: OFFER }))
    account.now += 90_000
  }
  t.ok(isHeld(sent.at(-1) as Sent))
  const held = sent.filter(isHeld).length
  account.now += 2 * DAY
  const again: Sent[] = []
  for (let n = 0; n < 40; n++) {
    again.push(await account.send({ fresh: 1, hosts: ['offers-new.example'], text: OFFER }))
    account.now += 90_000
  }
  t.match(again.at(-1)?.story, { burst: { of: 'new recipients' } }, 'what was held is not what it usually sends')
  t.ok(held > 10)
})

t.test('a support agent with two hundred mails a day and links to its own host is never held', async (t) => {
  const account = new Account()
  for (let day = 0; day < 15; day++) {
    for (let n = 0; n < 200; n++) {
      // Most answer somebody who wrote first, who is never new.
      const sent = await account.send({
        known: 1,
        fresh: n % 20 === 0 ? 1 : 0,
        hosts: n % 2 === 0 ? ['help.example'] : [],
      })
      if (isHeld(sent) || sent.story) return t.fail(`day ${day}, mail ${n}: ${JSON.stringify(sent.story)}`)
      account.now += 2 * MINUTE
    }
    account.now += DAY - 400 * MINUTE
    // Weekends.
    if (day % 5 === 4) account.now += 2 * DAY
  }
  t.ok(account.row)
})

t.test('a newsletter to those who have got it before is never held, however seldom it comes', async (t) => {
  const account = new Account()
  for (let month = 0; month < 8; month++) {
    for (let n = 0; n < 120; n++) {
      const subject = {
        subject: 'The news of the month',
        text: 'Three papers and one talk. Read online: https://news.example/42',
      }
      const sent = await account.send({ known: 1, hosts: ['news.example', `guest-${month}.example`], subject })
      if (isHeld(sent)) return t.fail(`month ${month}, mail ${n}: ${JSON.stringify(sent.verdict.reasons)}`)
      account.now += 5_000
    }
    account.now += 30 * DAY
  }
  t.pass('none was')
})

t.test(
  'the first ten mails of a new account, to people it never wrote to and with links, are never held',
  async (t) => {
    for (const pause of [MINUTE, 8 * HOUR]) {
      const account = new Account()
      for (let n = 0; n < 10; n++) {
        const sent = await account.send({ fresh: 1, hosts: [`host-${n}.example`] })
        t.notOk(isHeld(sent), JSON.stringify(sent.verdict.reasons))
        t.equal(sent.story, undefined, 'there is no past to measure it by')
        account.now += pause
      }
    }
  },
)

t.test('a growing account that writes to more people from week to week is not held', async (t) => {
  const account = new Account()
  for (let week = 0; week < 12; week++) {
    for (let n = 0; n < 4 + 3 * week; n++) {
      const sent = await account.send({ fresh: 1, hosts: ['own.example'] })
      if (isHeld(sent)) return t.fail(`week ${week}, mail ${n}: ${JSON.stringify(sent.verdict.reasons)}`)
      account.now += 10 * MINUTE
    }
    account.now += 6 * DAY
  }
  t.pass('none was')
})

t.test('one unusual thing is told, and holds nothing by itself', async (t) => {
  const account = new Account()
  await account.pastOf(4)
  const link = await account.send({ fresh: 1, hosts: ['never-linked.example'] })
  t.match(link, { story: { newHosts: ['never-linked.example'], firstContacts: {} }, verdict: { decision: 'send' } })
  t.match(codesOf(link), ['first_contact_with_link', 'unusual_links'])
  const russian = await account.send({ known: 1, language: 'Russian or another language in Cyrillic letters' })
  t.match(codesOf(russian), ['unusual_language'])
  const many = await account.send({ known: 14 })
  t.match(many.story, { fewRecipients: { usual: 1 } })
  t.match(codesOf(many), ['unusual_recipients'])
  const answer = await account.send({ fresh: 1, hosts: ['other.example'], subject: { isAnswer: true } })
  t.same(codesOf(answer), ['no_risk_found'], 'an answer is measured by nothing')
  account.now += 2 * DAY
  t.equal((await account.send({ known: 1, hosts: ['never-linked.example'] })).story, undefined, 'by now it is usual')
})

t.test('doubtful words that pass by themselves are held where the story is unusual', async (t) => {
  const doubtful = {
    subject: 'Apply today',
    text: 'We can offer you a loan at a low rate. Apply today, no obligation, and save.',
  }
  const usual = new Account()
  await usual.pastOf(4)
  const alone = await usual.send({ known: 1, hosts: ['own.example'], subject: doubtful })
  const account = new Account()
  await account.pastOf(4)
  const sent = await account.send({ fresh: 1, hosts: ['never-linked.example'], subject: doubtful })
  t.ok(sent.unwanted > alone.unwanted + 0.1, `${alone.unwanted} and ${sent.unwanted}`)
})

t.test('the row stays small, whatever is sent', async (t) => {
  const account = new Account()
  let most = 0
  for (let n = 0; n < 2000; n++) {
    const hosts = Array.from({ length: 30 }, (_, i) => `host-${n}-${i}.example`)
    const { row } = measure(
      'acc_1',
      account.row,
      { hosts, language: LANGUAGES[n % LANGUAGES.length], recipients: 50, newRecipients: 50 },
      account.now,
    )
    account.row = row(true)
    account.now += n % 3 === 0 ? MINUTE : DAY / 7
    most = Math.max(most, account.row.length)
  }
  t.ok(most <= 700, `${most} octets`)
  const { hosts, languages } = unpackStory(account.row as Uint8Array)
  t.same([hosts.length, languages.length], [MAX_HOSTS, MAX_LANGUAGES])
  t.notMatch(Buffer.from(account.row as Uint8Array).toString('latin1'), 'example', 'no host is in it')
})

t.test('the same host has another hash in another account', (t) => {
  const told = { hosts: ['own.example'], language: undefined, recipients: 1, newRecipients: 0 }
  const [one, two] = ['acc_1', 'acc_2'].map(
    (id) => unpackStory(measure(id, undefined, told, START).row(true)).hosts[0]?.[0],
  )
  t.not(one, two)
  t.end()
})

t.test('a clock that goes back does no harm', (t) => {
  const told = { hosts: ['own.example'], language: undefined, recipients: 1, newRecipients: 1 }
  const row = measure('acc_1', undefined, told, START).row(true)
  const { usual, hours } = unpackStory(measure('acc_1', row, told, START - 40 * DAY).row(true))
  t.same([usual[0], hours[0]], [2, 2])
  t.end()
})
