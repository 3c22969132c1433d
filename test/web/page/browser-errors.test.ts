/** Errors of paths that no page has: a page for browsers, JSON for programs. */
import t from 'tap'
import { startPages, titleOf } from '../world.js'

const BROWSER = { Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }

t.test('a browser gets a page for what is not there, and a program JSON', async (t) => {
  const { browser } = await startPages(t)
  for (const path of ['/nothing', '/staff/nothing', '/account/nothing', '/docs/nothing', '/v1x']) {
    const shown = await browser().get(path, BROWSER)
    t.equal(`${shown.status} ${titleOf(shown)}`, '404 Nothing here', path)
    t.match(shown.headers['content-type'], 'text/html')
    t.match(shown.headers['content-security-policy'], "default-src 'none'")
    t.match(shown.text, 'href="/"')
    for (const headers of [{ Accept: '' }, { Accept: '*/*' }, { Accept: 'application/json, text/html;q=0.5' }]) {
      const told = await browser().get(path, headers)
      t.equal(told.status, 404)
      t.match(told.json, { error: { code: 'not_found' } }, `${path} for ${JSON.stringify(headers)}`)
    }
  }
})

t.test('under /v1 an error is JSON for everybody', async (t) => {
  const { browser } = await startPages(t)
  for (const path of ['/v1', '/v1/', '/v1/nothing', '/v1/messages']) {
    const told = await browser().get(path, BROWSER)
    t.ok(told.status >= 400, path)
    t.match(told.json, { error: { code: String } }, path)
  }
})

t.test('a wrong method and too many requests are shown to browsers too', async (t) => {
  const { browser } = await startPages(t, { rates: 3 })
  const one = browser()
  const wrong = await one.get('/signout', BROWSER)
  t.equal(`${wrong.status} ${titleOf(wrong)}`, '405 This did not work')
  t.match(wrong.headers.allow, 'POST')
  for (let i = 0; i < 2; i++) await one.get('/nothing', BROWSER)
  const many = await one.get('/nothing', BROWSER)
  t.equal(`${many.status} ${titleOf(many)}`, '429 One moment')
  t.ok(many.headers['retry-after'])
})

t.test('the pages of an owner lead the signed out to the sign-in and back', async (t) => {
  const { browser } = await startPages(t)
  const one = browser()
  for (const path of ['/account', '/account/sessions?done=ended', '/inbox', '/staff/review?status=blocked']) {
    const led = await one.get(path)
    t.match([led.status, led.headers.location], [303, `/signin?next=${encodeURIComponent(path)}`])
  }
  t.equal(await one.signIn('/account/sessions?done=ended'), '/account/sessions?done=ended')
})
