/** Who comes without TLS: sent to the https address of a host that is ours, and nowhere else. */
import t from 'tap'
import { createRedirect } from '../../../src/http/routing/redirect.js'
import { listen } from '../../../src/http/server/server.js'
import { ask } from '../client.js'
import { testDriver } from '../test-driver.js'
import { ownChallenges } from '../../support/challenges.js'

t.test('the listener without TLS', async (t) => {
  const challenges = ownChallenges()
  await challenges.open('tok-en_1', 'tok-en_1.thumb')
  const server = await listen({
    driver: testDriver(),
    host: '127.0.0.1',
    port: 0,
    handler: createRedirect({
      origins: new Map([
        ['mx.agents.test', 'https://mx.agents.test:8443'],
        ['mta-sts.agents.test', 'https://mta-sts.agents.test'],
      ]),
      challenges,
    }),
    maxHeldBodyBytes: 1000,
    onError: (error) => t.fail('no error is ours', { error }),
    warn: (message) => t.fail(message),
  })
  t.teardown(() => server.close(0))
  const visit = (path: string, Host: string, more: { method?: string; headers?: Record<string, string> } = {}) =>
    ask(server.port, path, { ...more, headers: { Host, ...more.headers } })

  await t.test('leads to the same path of the same host', async (t) => {
    const answer = await visit('/claim/abc?x=1&y=%20', 'MX.agents.test:80')
    t.equal(answer.status, 308)
    t.equal(answer.headers.location, 'https://mx.agents.test:8443/claim/abc?x=1&y=%20')
    t.equal(answer.headers['strict-transport-security'], undefined, 'RFC 6797 §7.2')
    const head = await visit('/', 'mta-sts.agents.test.', { method: 'HEAD' })
    t.match([head.status, head.headers.location], [308, 'https://mta-sts.agents.test/'])
    t.equal((await visit('//evil.test/', 'mx.agents.test')).headers.location, 'https://mx.agents.test:8443//evil.test/')
  })

  await t.test('leads nowhere under another name', async (t) => {
    for (const host of ['evil.test', 'mx.agents.test.evil.test', 'evil.test:443', '127.0.0.1']) {
      const answer = await visit('/', host)
      t.equal(answer.status, 404, host)
      t.equal(answer.headers.location, undefined)
    }
    const notAName = await visit('/', 'mx.agents.test@evil.test')
    t.match([notAName.status, notAName.headers.location], [400, undefined])
  })

  await t.test('does not send on what should not have come in the clear', async (t) => {
    const withKey = await visit('/v1/mailbox', 'mx.agents.test', { headers: { Authorization: 'Bearer rst_live_x' } })
    t.match([withKey.status, withKey.text], [400, /Replace any key/])
    t.notMatch(withKey.text, 'rst_live_x')
    t.equal((await visit('/v1/send', 'mx.agents.test', { method: 'POST' })).status, 400)
  })

  await t.test('answers authorities under every name', async (t) => {
    const answer = await visit('/.well-known/acme-challenge/tok-en_1', 'anything.test')
    t.match([answer.status, answer.text], [200, 'tok-en_1.thumb'])
    t.equal((await visit('/.well-known/acme-challenge/other', 'mx.agents.test')).status, 404)
    t.equal((await visit('/.well-known/acme-challenge/tok-en_1', 'x', { method: 'POST' })).status, 404)
  })
})
