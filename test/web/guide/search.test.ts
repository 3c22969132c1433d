/** The search of the docs: what it finds, and that each result leads to its place. */
import t from 'tap'
import { routes } from '../../../src/api/v1-routes.js'
import { ERROR_STATUS } from '../../../src/lib/errors.js'
import { guidePages } from '../../../src/web/guide/pages.js'
import { matching, searchEntries } from '../../../src/web/guide/search.js'
import { startApi } from '../../api/support/api-server.js'

const PLACE = { baseUrl: 'https://mail.agents.example', domain: 'agents.example' }
const entries = searchEntries(guidePages(PLACE), routes)
const found = (query: string): string[] => matching(entries, query).map(({ href }) => href)

t.test('operations, errors and headings are found by their words, the closest first', async (t) => {
  t.equal(found('send a message')[0], '/docs/api/sendMessage')
  t.equal(found('reply-all')[0], '/docs/api/replyToAll')
  t.equal(found('wait_for')[0], undefined)
  t.equal(found('update_thread')[0], '/docs/api/updateThread', 'by the name in Python')
  t.equal(found('NAME_TAKEN')[0], '/docs/errors#name_taken')
  t.equal(found('name_taken')[0], '/docs/errors#name_taken')
  t.ok(found('429').includes('/docs/errors#rate_limited'))
  t.equal(found('trash')[0], '/docs/reading#trash')
  t.equal(found('webhooks')[0], '/docs/webhooks')
  t.ok(found('create account:manage').includes('/docs/api/createKey'), 'by its scope')
  t.ok(found('draft delete').includes('/docs/api/deleteDraft'), 'words in any order')
  t.same(found('qwertz'), [])
  t.same(found('  '), [])
  t.equal(found('e').length, 20, 'no more than fits on a page')
})

t.test('every result leads to its place', async (t) => {
  const api = await startApi(t)
  const pages = new Map<string, string>()
  for (const { href } of entries) {
    const [path = '', anchor] = href.split('#')
    const text = pages.get(path) ?? (await api.call('GET', path, { key: null })).text
    pages.set(path, text)
    t.match(text, '<!doctype html>', path)
    if (anchor !== undefined) t.equal(text.split(` id="${anchor}"`).length, 2, href)
  }
  for (const code of Object.keys(ERROR_STATUS))
    t.ok(
      entries.some(({ title }) => title === code),
      code,
    )
  for (const { operationId } of routes)
    t.ok(
      entries.some(({ href }) => href === `/docs/api/${operationId}`),
      operationId,
    )
})

t.test('it works without scripts, and what was typed is text', async (t) => {
  const api = await startApi(t)
  const get = (path: string) => api.call('GET', path, { key: null })
  t.match((await get('/docs?q=send+a+message')).text, /<ul class="found">\s*<li>\s*<a href="\/docs\/api\/sendMessage">/)
  t.match((await get('/docs?q=qwertz')).text, 'Nothing found.')
  const hostile = await get(`/docs?q=${encodeURIComponent('"><script>alert(1)</script>')}`)
  t.match(hostile.text, 'value="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"')
  t.notMatch(hostile.text, '<script>')
  t.ok((await get(`/docs?q=${'x'.repeat(5000)}`)).text.length < 20_000)
  const plain = await get('/docs')
  t.notMatch(plain.text, 'class="found"')
  t.equal((await get('/docs?q=')).text, plain.text)
})

t.test('browsers get the index once', async (t) => {
  const api = await startApi(t)
  const first = await api.call('GET', '/docs/search.json', { key: null })
  t.equal(first.status, 200)
  t.same(JSON.parse(first.text).length, entries.length)
  t.ok(first.text.length < 60_000, `${first.text.length} characters`)
  const headers = { 'If-None-Match': String(first.headers['etag']) }
  t.equal((await api.call('GET', '/docs/search.json', { key: null, headers })).status, 304)
})
