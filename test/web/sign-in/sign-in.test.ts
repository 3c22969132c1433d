import t from 'tap'
import { MINUTE } from '../../../src/lib/clock.js'
import { ProviderError } from '../../../src/identity/types.js'
import { ADA, markOn, startPages, titleOf } from '../world.js'

t.test('who signs in goes where they wanted to, with a new session and a device that is known again', async (t) => {
  const { browser, sessions, outcomes } = await startPages(t)
  const one = browser()
  t.equal(await one.signIn('/claim/abc?x=1'), '/claim/abc?x=1')
  const token = one.cookies.get('__Host-restante_session') ?? ''
  const session = await sessions.find(token)
  t.match(session, { identity: { ...ADA, provider: 'test' }, userAgent: 'Test' })
  t.equal(one.cookies.has('__Host-restante_signin'), false)

  await one.signIn()
  t.not(one.cookies.get('__Host-restante_session'), token, 'a new token')
  t.equal(await sessions.find(token), undefined, 'and the old one is over')
  t.match(outcomes, [
    { outcome: 'signed_in', isNewAccount: true, isNewDevice: true },
    { outcome: 'signed_in', isNewAccount: false, isNewDevice: false },
  ])
  t.notMatch(JSON.stringify(outcomes), 'ada@example.org')
})

t.test('a session that somebody planted beforehand is not the one that is signed in', async (t) => {
  const { browser, sessions } = await startPages(t)
  const attacker = browser()
  await attacker.signIn()
  const planted = attacker.cookies.get('__Host-restante_session') ?? ''
  const victim = browser()
  victim.cookies.set('__Host-restante_session', planted)
  await victim.signIn()
  t.not(victim.cookies.get('__Host-restante_session'), planted)
  t.equal(await sessions.find(planted), undefined)
})

t.test('an answer with a wrong, missing or second state is refused, and the sign-in under way goes on', async (t) => {
  const { browser, outcomes } = await startPages(t)
  const one = browser()
  const begun = await one.get('/signin/test?next=/signin')
  const state = new URL(begun.headers.location ?? '').searchParams.get('state') ?? ''
  for (const query of [
    '',
    'code=c',
    'code=c&state=x',
    `code=c&state=${state}x`,
    `code=c&state=${state}&state=${state}`,
  ]) {
    const answer = await one.get(`/signin/test/callback?${query}`)
    t.equal(answer.status, 400, query)
    t.equal(titleOf(answer), 'This sign-in is not yours')
  }
  t.equal((await one.get(`/signin/down/callback?code=c&state=${state}`)).status, 400, 'of another provider')
  t.ok(outcomes.every(({ outcome }) => outcome === 'forged'))
  t.equal((await one.get(`/signin/test/callback?code=c&state=${state}`)).status, 303)
})

t.test('an answer that comes again, too late or to a browser that did not ask is refused', async (t) => {
  const { browser, clock } = await startPages(t)
  const one = browser()
  const begun = await one.get('/signin/test?next=/signin')
  const cookie = one.cookies.get('__Host-restante_signin') ?? ''
  const back = `/signin/test/callback?code=c&state=${new URL(begun.headers.location ?? '').searchParams.get('state')}`
  t.equal(titleOf(await browser().get(back)), 'No sign-in in progress')
  const forger = browser()
  forger.cookies.set('__Host-restante_signin', `${cookie.slice(0, -4)}AAAA`)
  t.equal(titleOf(await forger.get(back)), 'No sign-in in progress')
  t.equal((await one.get(back)).status, 303)
  one.cookies.set('__Host-restante_signin', cookie)
  t.equal(titleOf(await one.get(back)), 'This sign-in is over', 'replayed with its cookie')

  const slow = browser()
  const later = await slow.get('/signin/test')
  clock.advance(10 * MINUTE)
  const state = new URL(later.headers.location ?? '').searchParams.get('state')
  t.equal(titleOf(await slow.get(`/signin/test/callback?code=c&state=${state}`)), 'This sign-in is over')
})

t.test('each thing that can go wrong at the provider has a page that says what to do', async (t) => {
  const { browser, says, outcomes } = await startPages(t)
  const cases = [
    ['denied', '403: Not signed in'],
    ['unavailable', '503: Test &amp; Co cannot be reached'],
    ['refused', '502: The response could not be used'],
  ] as const
  for (const [problem, title] of cases) {
    says.identity = new ProviderError(problem, 'for the log')
    const one = browser()
    t.equal(await one.signIn(), title)
    t.equal(one.cookies.size, 0)
  }
  t.same(
    outcomes.map(({ outcome }) => outcome),
    ['denied', 'unavailable', 'refused'],
  )
  const down = await browser().get('/signin/down')
  t.equal(down.status, 503)
  t.equal(down.headers['retry-after'], '60')
  t.notMatch(down.text, 'not there', 'what is for the log is not for strangers')
  t.equal(titleOf(await browser().get('/signin/other')), 'Nothing here')
})

t.test('whatever a link says, what comes of it is a path of ours and text', async (t) => {
  const { browser } = await startPages(t)
  for (const next of [
    '//evil.example',
    'https://evil.example',
    '/\\evil.example',
    '/a\r\nSet-Cookie: x=y',
    '/.//evil.example',
  ])
    t.equal(await browser().signIn(next), '/account', next)
  const { text } = await browser().get(`/signin?next=${encodeURIComponent('/"><script>alert(1)</script>')}`)
  t.notMatch(text, '<script')
  t.match(text, 'Continue with Test &amp; Co')
})

t.test('signing out takes the form of one’s own session, and ends it', async (t) => {
  const { browser, sessions } = await startPages(t)
  const one = browser()
  await one.signIn()
  const token = one.cookies.get('__Host-restante_session') ?? ''
  const mark = markOn(await one.get('/signin'))
  t.equal((await one.post('/signout', {})).status, 400, 'without the mark')
  t.equal((await one.post('/signout', { mark }, { Origin: 'https://evil.example' })).status, 400, 'from elsewhere')
  t.equal((await one.get('/signout')).status, 405)
  t.ok(await sessions.find(token))
  t.equal(titleOf(await one.post('/signout', { mark })), 'You are signed out')
  t.equal(await sessions.find(token), undefined)
  t.equal(one.cookies.has('__Host-restante_session'), false)
  t.equal((await one.post('/signout', {})).status, 200, 'again it is nothing')
})

t.test('pages count against the limit of their network, and say so', async (t) => {
  const { browser } = await startPages(t, { rates: 3 })
  const one = browser()
  for (let i = 0; i < 3; i++) t.equal((await one.get('/signin')).status, 200)
  const refused = await one.get('/signin')
  t.equal(refused.status, 429)
  t.equal(titleOf(refused), 'One moment')
  t.ok(refused.headers['retry-after'])
})

t.test('signing in, failing to and signing out are in the audit log', async (t) => {
  const pages = await startPages(t, { isAudited: true })
  const { browser, says, clock, links, accounts } = pages
  const one = browser()
  await one.signIn()
  const first = (await pages.sessions.find(one.cookies.get('__Host-restante_session') ?? ''))?.id ?? ''
  clock.advance(1000)
  await one.signIn()
  const second = (await pages.sessions.find(one.cookies.get('__Host-restante_session') ?? ''))?.id ?? ''
  clock.advance(1000)
  await one.post('/signout', { mark: markOn(await one.get('/signin')) })
  clock.advance(1000)
  await browser().post('/signout', {})

  says.identity = new ProviderError('denied', 'access_denied')
  for (let i = 0; i < 3; i++) await browser().signIn()
  await browser().get('/signin/down')
  const { token } = await links.make((await accounts.ensure('ada@example.org')).id)
  await browser().post(`/signin-link/${token}x`, {})

  const all = await pages.audited()
  t.match(all, [
    { action: 'sign_in.done', actor: { type: 'anonymous' } },
    { action: 'session.ended', reason: 'signed in again', subject: { session_id: first }, actor: { id: first } },
    { action: 'sign_in.done' },
    {
      action: 'session.ended',
      result: 'done',
      reason: 'signed out',
      subject: { session_id: second, account_id: /^acc_/ },
      actor: { type: 'session', id: second, name: 'ada@example.org' },
      from: { address: '127.0.0.1' },
    },
    { action: 'sign_in.failed', reason: 'denied', subject: { name: 'test' }, from: { address: '127.0.0.1' } },
    { action: 'sign_in.failed', reason: '4 within a minute: denied, unavailable, refused' },
  ])
  t.equal(all.length, 6)
  t.notMatch(JSON.stringify(all), token)
})
