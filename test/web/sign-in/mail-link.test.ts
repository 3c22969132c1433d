/** Links by mail: who gets one, in which browser it works, and that an answer tells a stranger nothing. */
import t, { type Test } from 'tap'
import { MAIL_SIGN_IN_KIND, sweepMailSignIns, type MailSignInTask } from '../../../src/accounts/sign-in/mail-sign-in.js'
import type { Letter } from '../../../src/accounts/letters.js'
import { HOUR, MINUTE } from '../../../src/lib/clock.js'
import type { Engine } from '../../../src/store/engine.js'
import { allIn } from '../../../src/store/pages.js'
import { prefixRange } from '../../../src/store/keys.js'
import { memoryEngine } from '../../support/store/memory-engine.js'
import { ADA, markOn, startPages, titleOf, type Pages, type TestBrowser } from '../world.js'

const SESSION = '__Host-restante_session'
const COOKIE = '__Host-restante_mail_signin'
const EMAIL = 'ada@people.test'

async function start(t: Test, options: Parameters<typeof startPages>[1] = {}): Promise<Pages> {
  const pages = await startPages(t, { hasProviders: false, hasMail: true, ...options })
  await pages.accounts.ensure(EMAIL)
  return pages
}

/** Runs the tasks of all requests, as the worker does. */
async function runTasks({ queue, mailSignIn }: Pages): Promise<void> {
  for await (const task of queue.all<MailSignInTask>(MAIL_SIGN_IN_KIND)) {
    t.same(await mailSignIn.run(task), { done: true })
    await queue.remove(MAIL_SIGN_IN_KIND, task.id)
  }
}

const lettersOf = ({ posted }: Pick<Pages, 'posted'>): Letter[] => [...posted.values()]

/** The path of the link in the newest letter. */
function linkIn({ posted }: Pick<Pages, 'posted'>): string {
  const link = lettersOf({ posted })
    .at(-1)
    ?.parts.find((part) => part.kind === 'link')
  return link ? new URL(link.url).pathname : ''
}

const ask = (browser: TestBrowser, email: string, fields: Record<string, string> = {}) =>
  browser.post('/signin-mail', { email, ...fields })

t.test('an owner asks for a link, and signs in by it in the same browser', async (t) => {
  const pages = await start(t)
  const ada = pages.browser()
  const form = await ada.get('/signin?next=/inbox')
  t.match(form.text, /name="next" value="\/inbox"/)
  const asked = await ask(ada, ` ADA@people.TEST `, { next: '/inbox' })
  t.equal(`${asked.status} ${titleOf(asked)}`, '200 Look at your mail')
  t.equal(ada.cookies.has(SESSION), false)
  t.equal(pages.posted.size, 0, 'the letter is made outside the request')
  await runTasks(pages)
  t.equal(pages.posted.size, 1)
  t.match(lettersOf(pages)[0], { to: EMAIL, hasNullSender: true, notAfter: pages.clock.now() + 10 * MINUTE })

  const path = linkIn(pages)
  const shown = await ada.get(path)
  t.equal(`${shown.status} ${titleOf(shown)}`, '200 Sign in')
  t.match(shown.text, EMAIL)
  const signedIn = await ada.post(path, {})
  t.match([signedIn.status, signedIn.headers.location], [303, '/inbox'])
  t.match(await pages.sessions.find(ada.cookies.get(SESSION) ?? ''), {
    accountId: (await pages.accounts.findOwner(EMAIL))?.id,
    identity: { provider: 'email', email: EMAIL, emailVerified: true },
  })
  t.equal(ada.cookies.has(COOKIE), false)
  t.match((await ada.get('/account')).text, 'a link by email')
  t.equal((await ada.get('/staff/review')).status, 404, 'an owner is not staff')
  t.match(pages.outcomes, [{ provider: 'email', outcome: 'signed_in', isNewAccount: false }])
})

t.test('the staff get one too, with an account of their own', async (t) => {
  const pages = await start(t, { staff: ['amy@people.test'] })
  const amy = pages.browser()
  await ask(amy, 'amy@people.test', { next: '/staff/review' })
  await runTasks(pages)
  const signedIn = await amy.post(linkIn(pages), {})
  t.equal(signedIn.headers.location, '/staff/review')
  t.equal((await amy.get('/staff/review')).status, 200)
})

t.test(
  'known or not, the answer and the commits of a request are the same, and only the known get a letter',
  async (t) => {
    const inMemory = memoryEngine()
    let made = 0
    const engine: Engine = {
      ...inMemory,
      commit(...given) {
        made++
        return inMemory.commit(...given)
      },
    }
    const pages = await start(t, { engine, isHere: (name) => name === 'agents.example' })
    const { account } = await pages.accounts.signIn({
      ...ADA,
      provider: 'test',
      email: 'unverified@people.test',
      emailVerified: false,
    })
    t.equal(account.owner, null)
    await pages.accounts.ensure('ada@agents.example')
    const told = new Set<string>()
    const commits = new Set<number>()
    for (const email of [EMAIL, 'nobody@people.test', 'unverified@people.test', 'ada@agents.example']) {
      made = 0
      const { status, text } = await ask(pages.browser(), email)
      told.add(`${status} ${text.replaceAll(email, 'EMAIL')}`)
      commits.add(made)
    }
    t.equal(told.size, 1)
    t.same([...commits], [1])
    await runTasks(pages)
    t.same(
      lettersOf(pages).map(({ to }) => to),
      [EMAIL],
    )
  },
)

t.test(
  'an address at which this server receives mail gets no letter, and signs nobody in if it has become one',
  async (t) => {
    let here = ['agents.example', 'alias.test']
    const pages = await start(t, { isHere: (name) => here.includes(name), staff: ['amy@alias.test'] })
    await pages.accounts.ensure('ada@agents.example')
    for (const email of ['ada@agents.example', 'Ada@AGENTS.example', 'amy@alias.test'])
      await ask(pages.browser(), email)
    await runTasks(pages)
    t.equal(pages.posted.size, 0)

    const ada = pages.browser()
    await ask(ada, EMAIL)
    await runTasks(pages)
    here = [...here, 'people.test']
    t.equal((await ada.post(linkIn(pages), {})).status, 404)
    t.equal(ada.cookies.has(SESSION), false)
    await ask(pages.browser(), EMAIL)
    await runTasks(pages)
    t.equal(pages.posted.size, 1)
  },
)

t.test('a link opens nothing in another browser, and is not spent there', async (t) => {
  const pages = await start(t)
  const ada = pages.browser()
  await ask(ada, EMAIL)
  await runTasks(pages)
  const path = linkIn(pages)
  const stranger = pages.browser()
  const asker = pages.browser()
  await ask(asker, 'eve@people.test')
  const forger = pages.browser()
  forger.cookies.set(COOKIE, `${(ada.cookies.get(COOKIE) ?? '').slice(0, -4)}AAAA`)
  for (const other of [stranger, asker, forger]) {
    const seen = await other.get(path)
    t.equal(`${seen.status} ${titleOf(seen)}`, '403 Open this link in the other browser')
    t.notMatch(seen.text, EMAIL)
    t.equal((await other.post(path, {})).status, 403)
    t.equal(other.cookies.has(SESSION), false)
  }
  for (let i = 0; i < 3; i++) t.equal((await ada.get(path)).status, 200, 'looking spends nothing')
  t.equal((await ada.post(path, {})).status, 303)
  t.match(pages.outcomes[0], { provider: 'email', outcome: 'refused', detail: /another browser/ })
})

t.test('a link works once, for ten minutes, and each of two of one browser works', async (t) => {
  const pages = await start(t)
  const ada = pages.browser()
  await ask(ada, EMAIL, { next: '/one' })
  await runTasks(pages)
  const first = linkIn(pages)
  await ask(ada, EMAIL, { next: '/two' })
  await runTasks(pages)
  const second = linkIn(pages)
  t.not(first, second)
  const cookie = ada.cookies.get(COOKIE) ?? ''
  t.equal((await ada.post(first, {})).headers.location, '/one')
  const mark = markOn(await ada.get('/signin'))
  ada.cookies.set(COOKIE, cookie)
  t.equal((await ada.post(first, { mark })).status, 404)
  t.equal((await ada.post(second, { mark })).headers.location, '/two')

  const slow = pages.browser()
  await ask(slow, EMAIL)
  pages.clock.advance(9 * MINUTE)
  await runTasks(pages)
  pages.clock.advance(MINUTE)
  t.equal((await slow.post(linkIn(pages), {})).status, 404, 'ten minutes from the request')

  const late = pages.browser()
  await ask(late, EMAIL)
  pages.clock.advance(10 * MINUTE)
  const { size } = pages.posted
  await runTasks(pages)
  t.equal(pages.posted.size, size, 'a letter that would come too late is not sent')
})

t.test('of many who press the button at once, one is signed in', async (t) => {
  const pages = await start(t)
  const ada = pages.browser()
  await ask(ada, EMAIL)
  await runTasks(pages)
  const path = linkIn(pages)
  const tabs = Array.from({ length: 6 }, () => {
    const tab = pages.browser()
    tab.cookies.set(COOKIE, ada.cookies.get(COOKIE) ?? '')
    return tab
  })
  const answers = await Promise.all(tabs.map((tab) => tab.post(path, {})))
  t.same(answers.map(({ status }) => status).sort(), [303, 404, 404, 404, 404, 404])
})

t.test('an account that is gone, or an address that left the staff, is not signed in', async (t) => {
  const engine = memoryEngine()
  const before = await start(t, { engine, staff: ['amy@people.test'] })
  const amy = before.browser()
  await ask(amy, 'amy@people.test')
  await runTasks(before)
  const after = await start(t, { engine, staff: [] })
  const later = after.browser()
  for (const [name, value] of amy.cookies) later.cookies.set(name, value)
  t.equal((await later.post(linkIn(before), {})).status, 404)
  t.equal(await after.accounts.findOwner('amy@people.test'), undefined, 'and no account is made')
})

t.test('each address, each network and the whole server has a limit, known or not', async (t) => {
  const pages = await start(t)
  const five = await Promise.all(Array.from({ length: 5 }, () => ask(pages.browser(), 'nobody@people.test')))
  t.ok(five.every(({ status }) => status === 200))
  const sixth = await ask(pages.browser(), 'Nobody@people.test')
  t.equal(sixth.status, 429)
  t.match(sixth.text, 'for this address')
  t.match(sixth.text, 'value="Nobody@people.test"')
  t.ok(sixth.headers['retry-after'])
  for (let i = 0; i < 15; i++) t.equal((await ask(pages.browser(), `a${i}@people.test`)).status, 200)
  const network = await ask(pages.browser(), EMAIL)
  t.equal(network.status, 429)
  t.match(network.text, 'by your network')
  const kept = 'x'
  const from = (i: number) => `198.51.${Math.floor(i / 250)}.${i % 250}/32`
  for (let i = 0; i < 480; i++)
    await pages.mailSignIn.ask({ address: `b${i}@people.test`, browser: 'b', network: from(i), kept })
  await t.rejects(pages.mailSignIn.ask({ address: EMAIL, browser: 'b', network: 'n', kept }), {
    code: 'rate_limited',
    message: /on this server/,
  })
  pages.clock.advance(HOUR + 1)
  t.equal((await ask(pages.browser(), EMAIL)).status, 200, 'an hour later')
  while ((await sweepMailSignIns(pages.store, pages.clock.now())).more);
  const rows = await pages.store.read('mail-sign-ins', (view) => allIn(view, prefixRange('on')))
  t.equal(rows.length, 1)
  t.notMatch(Buffer.concat(rows.flat()).toString('latin1'), 'people', 'hashes alone')
})

t.test('what is no address is refused with what was typed, escaped', async (t) => {
  const pages = await start(t)
  for (const email of ['', 'ada', 'Ada <ada@people.test>', '"><script>alert(1)</script>', 'a@b.test, c@d.test']) {
    const refused = await ask(pages.browser(), email)
    t.equal(refused.status, 400, email)
    t.match(refused.text, 'role="alert"')
    t.notMatch(refused.text, '<script')
    t.equal(refused.headers['set-cookie'], undefined)
  }
  const foreign = await pages.browser().post('/signin-mail', { email: EMAIL }, { Origin: 'https://evil.example' })
  t.equal(foreign.status, 400)
  t.match((await pages.browser().get('/signin?next=//evil.test')).text, 'name="next" value="/account"')
  const evil = pages.browser()
  await ask(evil, EMAIL, { next: '//evil.test' })
  await runTasks(pages)
  t.equal((await evil.post(linkIn(pages), {})).headers.location, '/account')
})

t.test('who is signed in needs the mark to ask, and is signed out by the link', async (t) => {
  const pages = await start(t, { hasProviders: true })
  const human = pages.browser()
  await human.signIn()
  t.equal((await ask(human, EMAIL)).status, 400)
  const mark = markOn(await human.get('/signin'))
  t.equal((await ask(human, EMAIL, { mark })).status, 200)
  await runTasks(pages)
  const before = human.cookies.get(SESSION) ?? ''
  t.equal((await human.post(linkIn(pages), { mark })).status, 303)
  t.equal(await pages.sessions.find(before), undefined)
})

t.test('without it there is no form, and its paths say so', async (t) => {
  const pages = await start(t, { hasMail: false })
  t.notMatch((await pages.browser().get('/signin')).text, 'signin-mail')
  t.equal((await ask(pages.browser(), EMAIL)).status, 404)
  t.equal((await pages.browser().get(`/signin-mail/${'a'.repeat(43)}`)).status, 404)
})
