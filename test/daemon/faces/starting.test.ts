/** Requests that come while the public HTTP server listens and has nothing to serve yet. */
import t from 'tap'
import { startHttp } from '../../../src/daemon/faces/public-http.js'
import { startingPage } from '../../../src/web/pages.js'
import { createRateLimits } from '../../../src/http/limits/limits.js'
import { createHolds } from '../../../src/http/limits/long-polls.js'
import type { Driver } from '../../../src/http/listener/types.js'
import { systemClock } from '../../../src/lib/clock.js'
import { fakes } from '../../api/support/fakes.js'
import { ask, type Answer } from '../../http/client.js'
import { testDriver } from '../../http/test-driver.js'

const BROWSER = { Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }
const ASKED: readonly [method: string, path: string, headers: Record<string, string>][] = [
  ['GET', '/inbox', BROWSER],
  ['POST', '/inbox/act', BROWSER],
  ['GET', '/v1/threads', BROWSER],
  ['GET', '/inbox', { Accept: 'application/json' }],
  ['GET', '/inbox', {}],
]

t.test('a browser gets a page that loads again by itself, a program the error', async (t) => {
  const answers: Answer[] = []
  const driver = testDriver()
  const asking: Driver = {
    ...driver,
    // It listens, and its server does not know of it yet.
    async listen(at, onArrival) {
      const listening = await driver.listen(at, onArrival)
      for (const [method, path, headers] of ASKED) answers.push(await ask(listening.port, path, { method, headers }))
      return listening
    },
  }
  const { accounts } = fakes()
  const limits = {
    ...{ requestsPerMinute: 100, accountRequestsPerMinute: 100, requestsAtOncePerKey: 10, bodyBytes: 1000 },
    ...{ recipientsPerMessage: 1, attachmentsPerMessage: 1 },
    ...{ longPollSeconds: 1, longPollsPerKey: 1, eventStreamSeconds: 1 },
  }
  const server = await startHttp({
    listen: {
      ...{ host: '127.0.0.1', port: 0, driver: asking, clock: systemClock },
      onError: (error) => t.fail(String(error)),
      warn: (message) => t.fail(message),
    },
    baseUrl: '',
    content: () => ({ routes: [], pages: [], mounts: [] }),
    starting: (request) => startingPage(request, { name: 'Agents Mail' }),
    accounts,
    holds: createHolds(1, accounts, { clock: systemClock }),
    rates: createRateLimits({ perKey: limits.requestsPerMinute, perAccount: limits.accountRequestsPerMinute }),
    limits,
  })
  t.teardown(() => server.close(0))
  const [page, form, api, program, anything] = answers
  for (const answer of answers) t.match(answer, { status: 503, headers: { 'retry-after': '2' } })
  t.match(page?.headers, { refresh: '2', 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' })
  t.match(page?.text, 'The service is starting.')
  t.notMatch(page?.text, '<script')
  t.match(form?.text, 'nothing of this form was done')
  t.notHas(form?.headers, { refresh: '2' }, 'a form is not sent again by itself')
  for (const answer of [api, program, anything]) t.match(answer?.json, { error: { code: 'unavailable' } })
  t.equal((await ask(server.port, '/inbox', { headers: BROWSER })).status, 404, 'then it serves what there is')
})
