/** A page for each operation: short enough to be read, whole enough to do without the description, and what every hint leads to. */
import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import t from 'tap'
import { errorCodes } from '../../src/http/routing/error-answers.js'
import { pageMarkdown } from '../../src/web/guide/markdown.js'
import { operationPage, operationsIndex, shortEntry } from '../../src/web/guide/operations.js'
import { SCRIPT_PATH } from '../../src/web/guide/script.js'
import { createNearestPath } from '../../src/http/routing/nearest-path.js'
import { routes } from '../../src/api/v1-routes.js'
import { startApi } from '../api/support/api-server.js'
import { MESSAGE } from '../api/support/fakes.js'

const PLACE = { baseUrl: 'https://mail.agents.example', domain: 'agents.example' }
const MAX_TOKENS = 1500

const markdownOf = (operationId: string): string => {
  const route = routes.find((each) => each.operationId === operationId)
  if (!route) throw new Error(`no operation ${operationId}`)
  return pageMarkdown(operationPage(route, PLACE))
}

t.test(`the page of each operation has at most ${MAX_TOKENS} tokens, and the list of all 2,000`, async (t) => {
  const sizes = routes.map(({ operationId }) => ({ operationId, tokens: encode(markdownOf(operationId)).length }))
  for (const { operationId, tokens } of sizes) t.ok(tokens <= MAX_TOKENS, `${operationId}: ${tokens} tokens`)
  t.ok(
    sizes.every(({ tokens }) => tokens > 100),
    'each says something',
  )
  const index = encode(pageMarkdown(operationsIndex(routes, shortEntry))).length
  t.comment(`largest: ${Math.max(...sizes.map(({ tokens }) => tokens))} tokens; the list: ${index}`)
  t.ok(index <= 2000, `${index} tokens`)
})

t.test(
  'it has all that a call takes: path, scope, every field, an example, and every error with what to do',
  async (t) => {
    for (const route of routes) {
      const text = markdownOf(route.operationId)
      t.ok(text.includes(`\`${route.method} ${route.path}\``), route.operationId)
      for (const scope of route.auth === 'none' ? [] : route.scopes)
        t.ok(text.includes(`\`${scope}\``), route.operationId)
      const names = [
        ...Object.keys(route.params?.shape ?? {}).map((name) => `{${name}}`),
        ...Object.keys(route.query?.shape ?? {}).map((name) => `?${name}`),
        ...Object.keys(route.body?.shape ?? {}),
        ...Object.keys(route.headers),
      ]
      for (const name of names) t.ok(text.includes(`\`${name}\``), `${route.operationId}: ${name}`)
      for (const code of errorCodes(route)) t.match(text, new RegExp(`^- \\d{3} \`${code}\`: \\w.{10,}$`, 'm'))
      t.match(text, /```sh\ncurl /)
      t.notMatch(text, /undefined|\[object|NaN|\(\)/, route.operationId)
    }
  },
)

t.test('types and limits are those that are checked', async (t) => {
  const send = markdownOf('sendMessage')
  t.match(send, '- `subject` (text, at most 998 characters; required)')
  t.match(send, '- `to` (address or list of: address, at most 1,000 entries; required): One address')
  t.match(send, '- `cc`, `bcc`, `reply_to` (address or list of: address, at most 1,000 entries): as `to`')
  t.match(send, '- `attachments[].filename` (text, 1 to 255 characters; required)')
  t.match(send, '- `tls` (`required`, `optional`)')
  t.match(markdownOf('listThreads'), '- `?limit` (whole number, 1 to 100, default `25`): Entries in one answer')
  t.match(markdownOf('updateMailbox'), '- `signature.text` (')
  t.match(markdownOf('getHealth'), 'Needs no key.')
  t.match(markdownOf('forwardMessage'), 'Needs a key with `mail:send` and `mail:read`.')
})

t.test('the commands of the pages are whole, and their JSON is', async (t) => {
  for (const { operationId, body } of routes) {
    const text = markdownOf(operationId)
    const [, sent] = / -d '(.*)'\n```/s.exec(text) ?? []
    if (body) t.ok(body.safeParse(JSON.parse((sent ?? '').replaceAll(`'\\''`, "'"))).success, operationId)
    else t.equal(sent, undefined, operationId)
    for (const [, json = ''] of text.matchAll(/```json\n(.*?)\n```/gs))
      t.doesNotThrow(() => JSON.parse(json), operationId)
  }
})

t.test('people and agents are served them, with one script of ours and none within', async (t) => {
  const api = await startApi(t)
  const get = (path: string) => api.call('GET', path, { key: null })
  for (const { operationId, summary } of routes) {
    const html = await get(`/docs/api/${operationId}`)
    t.match(html.headers['content-security-policy'], /^default-src 'none'; style-src 'self';/, operationId)
    t.same(html.text.match(/<script.*?<\/script>/gs), [`<script type="module" src="${SCRIPT_PATH}"></script>`])
    t.notMatch(html.text, /style="|onclick/)
    t.ok((await get(`/docs/api/${operationId}.md`)).text.startsWith(`# ${summary}\n`), operationId)
  }
  const list = await get('/docs/api')
  for (const { operationId } of routes) t.ok(list.text.includes(`href="/docs/api/${operationId}"`), operationId)
  t.match((await get('/llms.txt')).text, /\(http:\S+\/docs\/api\.md\)/)
  t.match((await get('/docs/api/nothing.md')).status, 404)
})

t.test('people also see the fields of answers and limits, which the Markdown leaves out', async (t) => {
  const api = await startApi(t)
  const html = async (operationId: string) => (await api.call('GET', `/docs/api/${operationId}`, { key: null })).text
  const send = await html('sendMessage')
  for (const summary of [
    'Fields of the answer 200',
    'Fields of the answer 202: Accepted',
    'Fields of the answer 202: WaitingDraft',
  ])
    t.match(send, `<summary>${summary}</summary>`)
  t.match(send, '<code>new_recipients_left</code> (whole number): New recipients left today')
  t.match(send, 'The body may be as large as a message')
  t.match(await html('updateMailbox'), 'The body has at most 128 KiB.')
  t.match(await html('claimMailbox'), 'Requests are counted by address')
  t.match(await html('getHealth'), 'Requests are not counted.')
  for (const { operationId } of routes)
    t.notMatch(markdownOf(operationId), /Fields of the answer|Requests are/, operationId)
})

t.test('what is wrong with a request leads to the page of the call that it was', async (t) => {
  const api = await startApi(t)
  const wrong: [method: 'GET' | 'POST' | 'PATCH', path: string, operationId: string, json?: unknown][] = [
    ['POST', '/v1/send', 'sendMessage', { to: 1 }],
    ['PATCH', `/v1/messages/${MESSAGE}`, 'updateMessage', { labels: [] }],
    ['GET', '/v1/threads?limit=9999', 'listThreads'],
    ['GET', '/v1/threads?limit=1&limit=2', 'listThreads'],
    ['GET', '/v1/events?wait=100000', 'listEvents'],
  ]
  for (const [method, path, operationId, json] of wrong) {
    const answer = await api.call(method, path, json === undefined ? {} : { json })
    t.equal(answer.status, 400, path)
    const { hint, fields } = JSON.parse(answer.text).error
    t.match(hint, new RegExp(`GET /docs/api/${operationId}\\.md`), path)
    t.ok(fields.length > 0, path)
  }
  const broken = await api.call('POST', '/v1/send', { headers: { 'Content-Type': 'application/json' }, body: '{"to":' })
  t.match(JSON.parse(broken.text).error, { code: 'invalid_request', hint: /GET \/docs\/api\/sendMessage\.md/ })
  t.same(api.errors, [])
})

t.test('an unknown path leads to what it was most likely meant for, and to the list', async (t) => {
  const api = await startApi(t)
  const hintOf = async (method: 'GET' | 'POST' | 'PUT', path: string) => {
    const { text } = await api.call(method, path)
    return String(JSON.parse(text).error.hint)
  }
  t.match(
    await hintOf('GET', `/v1/message/${MESSAGE}`),
    'Did you mean GET /v1/messages/{id}? The call is described at GET /docs/api/getMessage.md.',
  )
  t.match(await hintOf('POST', '/send'), 'Did you mean POST /v1/send?')
  t.match(await hintOf('POST', `/v1/messages/${MESSAGE}/replly`), 'POST /v1/messages/{id}/reply')
  t.match(await hintOf('GET', '/api/v1/threads'), 'GET /v1/threads')
  t.equal(await hintOf('GET', '/wp-admin/setup.php'), 'GET /docs/api.md lists every operation.')
  t.match(await hintOf('PUT', '/v1/send'), 'Use OPTIONS, POST. The call is described at GET /docs/api/sendMessage.md.')
})

t.test('no hint of ours sends anybody to the whole description', async (t) => {
  const api = await startApi(t)
  for (const path of ['/v1/nothing', '/v1/threads?nothing=1', '/nothing']) {
    t.notMatch((await api.call('GET', path)).text, /openapi/, path)
  }
})

t.test('a path that a stranger made long is compared in no time, and with nothing', async (t) => {
  const nearest = createNearestPath(routes.map(({ path }) => path))
  t.same(nearest('/a'.repeat(5000)), [])
  t.same(nearest(`/${'x'.repeat(100_000)}`), [])
  t.same(nearest('/'), [])
  t.same(nearest('/v1/thread'), ['/v1/threads'])
})
