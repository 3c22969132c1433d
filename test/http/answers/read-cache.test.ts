/** Answers that are kept while their mailbox stays as it is. */
import { brotliDecompressSync } from 'node:zlib'
import t, { type Test } from 'tap'
import { createKeptAnswers } from '../../../src/http/answers/read-cache.js'
import { mailboxPartition } from '../../../src/mailbox/keys.js'
import { encode, key } from '../../../src/store/keys.js'
import { createStore } from '../../../src/store/store.js'
import { memoryEngine } from '../../support/store/memory-engine.js'
import { startApi, type Api } from '../../api/support/api-server.js'
import { MAILBOX, MESSAGE, THREAD } from '../../api/support/fakes.js'

const KEPT = [
  ['/v1/threads?limit=10', 'listThreads'],
  ['/v1/messages', 'listMessages'],
  [`/v1/threads/${THREAD}`, 'getThread'],
  [`/v1/messages/${MESSAGE}`, 'getMessage'],
] as const

/** An API whose one mailbox is in a store, to be changed there. */
async function keeping(t: Test): Promise<{ api: Api; change: () => Promise<void>; asked: (name: string) => number }> {
  const store = createStore(memoryEngine())
  t.teardown(() => store.close())
  const api = await startApi(t, { remember: createKeptAnswers(store) })
  let writes = 0
  const change = (): Promise<void> =>
    store.write(mailboxPartition(MAILBOX), (tx) => tx.put(key('row'), encode((writes += 1))))
  await change()
  return { api, change, asked: (name) => api.fakes.calls.filter((call) => call.name === name).length }
}

t.test('a second reading gives the same answer, made once, until the mailbox changes', async (t) => {
  const { api, change, asked } = await keeping(t)
  for (const [path, name] of KEPT) {
    const first = await api.call('GET', path)
    const second = await api.call('GET', path)
    t.equal(first.status, 200, path)
    t.equal(second.text, first.text)
    t.equal(second.headers.etag, first.headers.etag)
    t.equal(second.headers['content-type'], 'application/json')
    t.not(second.headers['x-request-id'], first.headers['x-request-id'])
    t.not(second.headers['x-ratelimit-remaining'], first.headers['x-ratelimit-remaining'])
    t.equal(asked(name), 1, `${name} was made once`)
    const head = await api.call('HEAD', path)
    t.match([head.status, head.body.length, head.headers['content-length']], [200, 0, String(first.body.length)])
    const known = await api.call('GET', path, { headers: { 'If-None-Match': first.headers.etag ?? '' } })
    t.match([known.status, known.body.length], [304, 0])
    t.equal(asked(name), 1)
    await change()
    await api.call('GET', path)
    t.equal(asked(name), 2, `${name} was made anew`)
  }
  t.same(api.errors, [])
})

t.test('another query is another answer', async (t) => {
  const { api, asked } = await keeping(t)
  await api.call('GET', '/v1/threads?limit=10')
  await api.call('GET', '/v1/threads?limit=11')
  await api.call('GET', '/v1/threads')
  t.equal(asked('listThreads'), 3)
  t.equal((await api.call('GET', '/v1/threads?limit=10&colour=blue')).status, 400)
})

t.test('what is kept is given to nobody who may not read it', async (t) => {
  const { api } = await keeping(t)
  const path = `/v1/messages/${MESSAGE}`
  t.equal((await api.call('GET', path)).status, 200)
  const refused = { pending: 403, suspended: 403, deleted: 403, 'only-mail.send': 403, none: 401 }
  for (const [key, status] of Object.entries(refused)) {
    const answer = await api.call('GET', path, { key })
    t.equal(answer.status, status, key)
    t.notMatch(answer.text, 'Good morning')
  }
  t.equal((await api.call('GET', path, { key: null })).status, 401)
})

t.test('what is not there is looked for each time', async (t) => {
  const { api, asked } = await keeping(t)
  const path = `/v1/messages/${MESSAGE.slice(0, -1)}9`
  t.equal((await api.call('GET', path)).status, 404)
  t.equal((await api.call('GET', path)).status, 404)
  t.equal(asked('getMessage'), 2)
})

t.test('a kept answer goes out compressed to who takes that, in the same words', async (t) => {
  const { api, asked } = await keeping(t)
  const path = `/v1/threads/${THREAD}`
  const plain = await api.call('GET', path)
  t.ok(plain.body.length > 1024, 'large enough to be compressed')
  for (let i = 0; i < 2; i++) {
    const answer = await api.call('GET', path, { headers: { 'Accept-Encoding': 'br' } })
    t.equal(answer.headers['content-encoding'], 'br')
    t.equal(answer.headers.etag, plain.headers.etag)
    t.ok(answer.headers['x-padding'])
    t.equal(brotliDecompressSync(answer.body).toString(), plain.text)
  }
  t.equal((await api.call('GET', path)).text, plain.text)
  t.equal(asked('getThread'), 1)
})
