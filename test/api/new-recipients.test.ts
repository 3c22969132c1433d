/** The limit of new recipients as an agent meets it: in sends, in dry runs, and in what it takes back. */
import t from 'tap'
import { accountWorld, type AccountWorld } from './support/account-world.js'

const mail = (...to: string[]) => ({ to: to.map((name) => `${name}@far.example`), subject: 'Hello', text: 'A word.' })

async function usage({ call }: AccountWorld) {
  const { json } = await call('GET', '/v1/account/usage')
  const { new_recipients: fresh, messages } = json as {
    new_recipients: { used: number; left: number }
    messages: { sent: number; sent_today: number }
  }
  return { used: fresh.used, left: fresh.left, sent: messages.sent, today: messages.sent_today }
}

t.test('a dry run past the limit is refused as the send would be, and changes nothing', async (t) => {
  const w = await accountWorld(t, { newRecipientsPerDay: 2 })
  t.match(await w.call('POST', '/v1/send?dry_run=1', mail('a', 'b')), { status: 200, json: { new_recipients_left: 2 } })
  t.equal((await w.call('POST', '/v1/send', mail('a', 'b'))).status, 202)
  const before = await usage(w)
  t.same(before, { used: 2, left: 0, sent: 1, today: 1 })

  const dry = await w.call('POST', '/v1/send?dry_run=1', mail('a', 'c'))
  const sent = await w.call('POST', '/v1/send', mail('a', 'c'))
  t.match(dry, { status: 429, json: { error: { code: 'new_recipient_limit' } } })
  t.same([dry.status, dry.json, dry.headers['retry-after']], [sent.status, sent.json, sent.headers['retry-after']])
  t.same(await usage(w), before)
  const known = await w.call('POST', '/v1/send?dry_run=1', mail('a', 'b'))
  t.match(known, { status: 200, json: { decision: 'send', new_recipients: [], new_recipients_left: 0 } })
  const later = { ...mail('c'), send_at: new Date(w.clock.now() + 7_200_000).toISOString() }
  t.match(await w.call('POST', '/v1/send?dry_run=1', later), { status: 200 }, 'what goes later counts then')
})

t.test('what is cancelled gives back the recipients that nobody else has written to since', async (t) => {
  const w = await accountWorld(t)
  const send = async (...to: string[]): Promise<string> => {
    const { json } = await w.call('POST', '/v1/send', mail(...to))
    return (json as { id: string }).id
  }
  const first = await send('a', 'b', 'c')
  const second = await send('b')
  t.same(await usage(w), { used: 3, left: 97, sent: 2, today: 2 })
  for (const _again of [1, 2]) {
    t.equal((await w.call('POST', `/v1/messages/${first}/cancel`)).status, 200)
    t.same(await usage(w), { used: 1, left: 99, sent: 1, today: 1 })
  }
  t.equal((await w.call('POST', `/v1/messages/${second}/cancel`)).status, 200)
  t.match(await usage(w), { sent: 0, today: 0 })
  await send('a')
  t.match(await usage(w), { used: 2, sent: 1 }, 'and who was given back is new again')
})
