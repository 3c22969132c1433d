import t from 'tap'
import type { Letter } from '../../src/accounts/letters.js'
import { createReviewReminder } from '../../src/jobs/review-reminder.js'
import { DAY, HOUR, ManualClock } from '../../src/lib/clock.js'

t.test('staff are reminded once a day while a message waits longer than it should', async (t) => {
  const clock = new ManualClock()
  const posted = new Map<string, Letter>()
  const waiting: { oldest: number | undefined } = { oldest: undefined }
  const reminder = (afterMs: number) =>
    createReviewReminder({
      reviewing: { counts: async () => ({ held: 2, blocked: 5 }), oldest: async () => waiting.oldest },
      letters: { post: async (id, letter) => void posted.set(id, letter) },
      to: ['amy@staff.example', 'bob@staff.example'],
      afterMs,
      baseUrl: 'https://mail.example',
      clock,
    })
  const remind = reminder(24 * HOUR)
  t.same(await remind(), { letters: 0 }, 'nothing waits')
  waiting.oldest = clock.now()
  clock.advance(23 * HOUR)
  t.same(await remind(), { letters: 0 }, 'not for long')
  clock.advance(HOUR)
  t.same(await remind(), { letters: 2 })
  await remind()
  t.equal(posted.size, 2, 'asked again on the same day they are the same letters')
  const [letter] = posted.values()
  t.match(letter, { to: 'amy@staff.example', subject: '2 messages wait for review at mail.example' })
  t.match(letter?.parts, [
    { text: /the oldest for 24 hours/ },
    { kind: 'link', url: 'https://mail.example/signin?next=%2Fstaff%2Freview' },
  ])
  clock.advance(DAY)
  await remind()
  t.equal(posted.size, 4)
  t.same(await reminder(0)(), { letters: 0 }, '0 reminds nobody')
})
