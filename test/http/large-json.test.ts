/** Bodies that are large enough to be parsed in a thread of their own. */
import t from 'tap'
import { createLargeJson } from '../../src/http/large-json.js'
import { startApi } from './api-server.js'

const LETTER = { to: 'ada@example.com', subject: 'Minutes', text: 'word '.repeat(60_000) }

t.test('a large body is parsed in the thread, and says the same there as in place', async (t) => {
  const largeJson = createLargeJson()
  t.teardown(() => largeJson.close())
  let parsed = 0
  const counted = {
    parse: (body: Buffer): Promise<unknown> => {
      parsed++
      return largeJson.parse(body)
    },
  }
  const threaded = await startApi(t, { largeJson: counted })
  const inPlace = await startApi(t)

  const small = await threaded.call('POST', '/v1/send', { json: { ...LETTER, text: 'short' } })
  t.match([small.status, parsed], [202, 0])

  const sent = await Promise.all([1, 2, 3].map(() => threaded.call('POST', '/v1/send', { json: LETTER })))
  t.same(
    sent.map(({ status }) => status),
    [202, 202, 202],
  )
  t.equal(parsed, 3)
  const calls = threaded.fakes.calls.filter(({ name }) => name === 'send')
  t.equal(calls.length, 4)
  t.match(calls.at(-1)?.args, [String, { text: LETTER.text, subject: 'Minutes' }])

  const whole = JSON.stringify(LETTER)
  const broken = [
    `${whole.slice(0, -1)},}`,
    whole.slice(0, -1),
    Buffer.concat([Buffer.from(whole.slice(0, -2)), Buffer.from([0xff]), Buffer.from('"}')]),
    `${'['.repeat(200_000)}${']'.repeat(200_000)}`,
    `[${'1,'.repeat(200_000)}1]`,
  ]
  for (const body of broken) {
    const headers = { 'Content-Type': 'application/json' }
    const answers = [
      await threaded.call('POST', '/v1/send', { body, headers }),
      await inPlace.call('POST', '/v1/send', { body, headers }),
    ]
    for (const { status, json } of answers) t.match([status, json], [400, { error: { code: 'invalid_request' } }])
    const [there, here] = answers.map(({ json }) => (json as { error: { message: string } }).error.message)
    t.equal(there, here)
  }
  t.equal(parsed, 8)
  t.equal((await threaded.call('POST', '/v1/send', { json: LETTER })).status, 202, 'the thread goes on')
  t.same(threaded.errors, [])
})

t.test('a large body is not lost with its thread: the next one has a new thread', async (t) => {
  const largeJson = createLargeJson()
  t.teardown(() => largeJson.close())
  t.same(await largeJson.parse(Buffer.from('{"a":1}')), { a: 1 })
  await largeJson.close()
  t.same(await largeJson.parse(Buffer.from('{"a":2}')), { a: 2 })
})
