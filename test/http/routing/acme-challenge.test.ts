/** What an authority for certificates asks over HTTP (RFC 8555 §8.3). */
import t from 'tap'
import { startApi } from '../../api/support/api-server.js'
import { ownChallenges } from '../../support/challenges.js'

const TOKEN = 'evaGxfADs6pSRb2LAv9IZf17Dt3juxGJ-PCt92wr-oA'

t.test('an open challenge is answered to anybody, word for word, until it is taken back', async (t) => {
  const challenges = ownChallenges()
  const api = await startApi(t, { challenges })
  const ask = (token: string) =>
    api.call('GET', `/.well-known/acme-challenge/${token}`, { key: null, headers: { Host: 'mx.agents.test' } })
  t.match(await ask(TOKEN), { status: 404, json: { error: { code: 'not_found' } } })

  const close = await challenges.open(TOKEN, `${TOKEN}.thumbprint`)
  const answer = await ask(TOKEN)
  t.equal(answer.status, 200)
  t.equal(answer.text, `${TOKEN}.thumbprint`)
  t.equal(answer.headers['content-type'], 'text/plain; charset=utf-8')
  t.equal(answer.headers['cache-control'], 'no-store')
  t.equal((await ask(`${TOKEN}x`)).status, 404)

  await close()
  t.equal((await ask(TOKEN)).status, 404)
})

t.test('what is no token is not looked up', async (t) => {
  const asked: string[] = []
  const api = await startApi(t, { challenges: { answerOf: async (token) => (asked.push(token), 'said') } })
  for (const path of ['..%2fkey.pem', 'a%20b', 'x'.repeat(200), 'a/b', ''])
    t.equal((await api.call('GET', `/.well-known/acme-challenge/${path}`, { key: null })).status, 404, path)
  t.same(asked, [])
  t.equal((await api.call('GET', '/.well-known/acme-challenge/abc', { key: null })).status, 200)
})

t.test('an authority is not counted with strangers who ask too often', async (t) => {
  const api = await startApi(t, { challenges: ownChallenges(), limits: { requestsPerMinute: 2 } })
  for (let count = 0; count < 10; count += 1)
    t.equal((await api.call('GET', `/.well-known/acme-challenge/${TOKEN}`, { key: null })).status, 404)
})
