/** Names that are made like a brand's, and findings of an account's story in words. */
import t from 'tap'
import { FINDING_CODES } from '../../../src/guard/reason-codes.js'
import { MAX_STORY_ODDS, nameFindings, storyFindings, storyOdds } from '../../../src/guard/signals/story.js'
import type { Story } from '../../../src/guard/types.js'
import { subjectWith } from '../subject.js'

const named = (address: string, name = ''): string[] =>
  nameFindings(subjectWith({ from: { address, name } })).map(({ detail }) => detail)

t.test("an address or a name that is made like a brand's is found", (t) => {
  t.same(named('paypal-support@agents.example'), [
    `"paypal.com" \u2192 "paypal-support" at "agents.example": made like the other's name`,
  ])
  for (const [address, name] of [
    ['paypa1@agents.example'],
    ['paypall@agents.example'],
    ['micros0ft.login@agents.example'],
    ['netflix.billing@agents.example'],
    ['ada@agents.example', 'PayPall Service'],
    ['ada@agents.example', 'Rnicrosoft'],
  ] as const)
    t.equal(named(address, name).length, 1, `${address} ${name ?? ''}`)
  t.end()
})

t.test('ordinary names, and a brand itself, are not', (t) => {
  for (const [address, name] of [
    ['ada.lovelace@agents.example', 'Ada Lovelace'],
    ['support@agents.example', 'Support'],
    ['billing-team@agents.example', 'Billing'],
    ['apple.martin@agents.example', 'Apple Martin'],
    ['chase@agents.example', 'Chase Miller'],
    ['barclay@agents.example', 'James Barclay'],
    ['paypal-support@paypal.com', 'PayPal'],
    ['', ''],
    ['@', '—'],
  ] as const)
    t.same(named(address, name), [], `${address} ${name}`)
  const inbound = subjectWith({ kind: 'inbound', from: { address: 'paypal-support@x.example', name: '' } })
  t.same(nameFindings(inbound), [], 'incoming mail is judged by rules of its own')
  t.end()
})

const EVERYTHING: Story = {
  burst: { of: 'new recipients', count: 90, within: 'day', times: 50, perWeek: 2, silentDays: 30 },
  newHosts: ['one.example', 'two.example'],
  firstContacts: { share: 0.02 },
  newLanguage: { language: 'Italian', usual: 'English' },
  fewRecipients: { usual: 2 },
}

t.test('findings say what departs from what', (t) => {
  const found = storyFindings(subjectWith({ story: EVERYTHING, recipientCount: 20, newRecipientCount: 20 }))
  t.same(
    found.map(({ code, detail }) => [code, detail]),
    [
      ['burst', 'about 90 new recipients within a day, after 30 days without mail; usually about 2 a week'],
      ['unusual_links', 'links to "one.example", "two.example", as no earlier mail of the account'],
      [
        'first_contact_with_link',
        `the first mail to 20 new recipients links to "one.example", "two.example"; 2 % of the account's mail were first contacts with a link`,
      ],
      ['unusual_language', 'written in Italian; the account usually writes English'],
      ['unusual_recipients', 'goes to 20 recipients; a message of the account usually goes to 2'],
    ],
  )
  for (const { code, category } of found) t.equal(FINDING_CODES[code]?.category, category)
  t.same(storyFindings(subjectWith({ story: EVERYTHING, isAnswer: true })), [], 'not of an answer')
  t.end()
})

t.test('all of them together have a bound', (t) => {
  const all = storyFindings(subjectWith({ story: EVERYTHING, recipientCount: 20, newRecipientCount: 20 }))
  t.equal(storyOdds(all), MAX_STORY_ODDS)
  t.equal(storyOdds([]), 0)
  t.ok(storyOdds(all.slice(1, 2)) > 0.39 && storyOdds(all.slice(1, 2)) < 0.41)
  t.end()
})

t.test('many messages to those it knows weigh little, however many', (t) => {
  const burst = { of: 'messages', count: 9000, within: 'hours', times: 300, perWeek: 30, silentDays: 60 } as const
  t.ok(storyOdds(storyFindings(subjectWith({ story: { burst } }))) <= 0.51)
  t.end()
})
