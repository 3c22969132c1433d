/** Bodies that are large enough to be parsed in a thread of their own. */
import { randomBytes } from 'node:crypto'
import t from 'tap'
import { withFilesDecoded } from '../../../src/http/json/base64.js'
import { createLargeJson } from '../../../src/http/json/large-json.js'
import { startApi } from '../../api/support/api-server.js'

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

t.test(
  'long files of a large body are decoded in the thread, and one that is no base64 is told as in place',
  async (t) => {
    const largeJson = createLargeJson()
    t.teardown(() => largeJson.close())
    const threaded = await startApi(t, { largeJson })
    const inPlace = await startApi(t)
    const bytes = randomBytes(300_000)
    const content = bytes.toString('base64')
    const letter = (...files: unknown[]): object => ({
      ...LETTER,
      attachments: files.map((file) => ({ filename: 'a.bin', content: file })),
    })

    for (const api of [threaded, inPlace]) {
      t.equal((await api.call('POST', '/v1/send', { json: letter(content, 'AAEC') })).status, 202)
      const [, sent] = api.fakes.calls.filter(({ name }) => name === 'send').at(-1)?.args as [
        string,
        { attachments: { content: Buffer }[] },
      ]
      t.same(
        sent.attachments.map((each) => Buffer.from(each.content)),
        [bytes, Buffer.from([0, 1, 2])],
      )
    }

    const wrong = [
      content.slice(1),
      content.replace('a', '-'),
      content.replace('a', '\n'),
      content.replace('a', '!'),
      7,
      null,
      [content],
      { content },
    ]
    for (const file of wrong) {
      const json = letter(content, file)
      const [there, here] = [
        await threaded.call('POST', '/v1/send', { json }),
        await inPlace.call('POST', '/v1/send', { json }),
      ]
      t.equal(there.status, 400)
      t.match(there.json, { error: { fields: [{ field: 'attachments.1.content' }] } })
      t.same(there.json, here.json)
    }
  },
)

t.test('only files are decoded, wherever they are, and each once', (t) => {
  const long = Buffer.alloc(90_000, 7).toString('base64')
  const given = {
    content: long,
    params: { arguments: { attachments: [{ base64: long, text: long }, { content: 'AAEC' }, long, null] } },
    attachments: long,
  }
  const files = { base64: Buffer.alloc(90_000, 7), text: long }
  t.same(withFilesDecoded(structuredClone(given)), {
    ...given,
    params: { arguments: { attachments: [files, { content: 'AAEC' }, long, null] } },
  })
  t.same(withFilesDecoded({ attachments: [{ content: `${long}!` }] }), { attachments: [{ content: '=' }] })
  t.end()
})
