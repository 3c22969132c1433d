/** Our MTA-STS policy as a sender asks for it (RFC 8461 §3.3). */
import t from 'tap'
import { mtaStsPage } from '../../src/web/files/mta-sts.js'
import type { HttpRequest } from '../../src/http/message.js'
import { startApi } from '../api/support/api-server.js'

const POLICY = 'version: STSv1\r\nmode: testing\r\nmx: mx.agents.test\r\nmax_age: 604800\r\n'
const mtaSts = { policy: POLICY, domains: ['agents.test', 'other.test'] }

t.test('the policy is served under mta-sts of each of our domains, without a key', async (t) => {
  const api = await startApi(t, { mtaSts })
  for (const host of ['mta-sts.agents.test', 'MTA-STS.other.test:443', 'mta-sts.agents.test.']) {
    const answer = await api.call('GET', '/.well-known/mta-sts.txt', { key: null, headers: { Host: host } })
    t.equal(answer.status, 200, host)
    t.equal(answer.headers['content-type'], 'text/plain; charset=utf-8')
    t.equal(answer.text, POLICY)
  }
})

t.test('under any other name there is none, and none where no policy is published', async (t) => {
  const api = await startApi(t, { mtaSts })
  for (const host of [
    'agents.test',
    'mta-sts.evil.test',
    'mta-sts.agents.test.evil.test',
    'xmta-sts.agents.test',
    '127.0.0.1',
  ]) {
    const answer = await api.call('GET', '/.well-known/mta-sts.txt', { key: null, headers: { Host: host } })
    t.equal(answer.status, 404, host)
    t.match(answer.json, { error: { code: 'not_found', hint: /pass on the Host header/ } })
  }
  const request = { headers: { host: 'mta-sts.agents.test' } } as unknown as HttpRequest
  t.throws(() => mtaStsPage({ ...mtaSts, policy: undefined }, request), { code: 'not_found' })
})
