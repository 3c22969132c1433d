/** The pages of passkeys: what ties a response to a browser, a session and a moment. */
import t from 'tap'
import type { Letter } from '../../../src/accounts/letters.js'
import { ManualClock, MINUTE } from '../../../src/lib/clock.js'
import { createStore } from '../../../src/store/store.js'
import { createPasskeyLetter } from '../../../src/web/owner/passkey-letter.js'
import { PASSKEY_SCRIPT_PATH } from '../../../src/web/sign-in/passkey-script.js'
import { present } from '../../mailbox/world.js'
import { accountRecord } from '../../support/account.js'
import { softAuthenticator } from '../../support/authenticator.js'
import { memoryEngine } from '../../support/store/memory-engine.js'
import { AMY, markOn, startPages, titleOf, type Pages, type TestBrowser } from '../world.js'

const USUAL = { origin: 'https://mail.example', rpId: 'mail.example', isVerified: true, counter: 0 }
const SESSION = '__Host-restante_session'
const PASSKEYS = '/account/sessions/passkeys'

type Device = ReturnType<typeof softAuthenticator>

const start: typeof startPages = (t, options) => startPages(t, { hasPasskeys: true, ...options })

async function challengeFor(browser: TestBrowser, path: string, mark = ''): Promise<string> {
  const { json } = await browser.post(`${path}/options`, { mark })
  return (json as { challenge?: string }).challenge ?? ''
}

async function add(browser: TestBrowser, device: Device, name = 'Phone') {
  const mark = markOn(await browser.get('/account/sessions'))
  const credential = JSON.stringify(device.create(await challengeFor(browser, PASSKEYS, mark)))
  return browser.post(PASSKEYS, { mark, name, credential })
}

async function signIn(browser: TestBrowser, device: Device, accountId: string, next = '/inbox') {
  const credential = JSON.stringify(device.get(await challengeFor(browser, '/signin-passkey'), accountId))
  return browser.post('/signin-passkey', { next, credential })
}

const refused = (times: number): string[] => Array.from({ length: times }, () => 'passkey refused')

const sessionOf = (pages: Pages, browser: TestBrowser) => pages.sessions.find(browser.cookies.get(SESSION) ?? '')

t.test('a passkey is added, signs another browser in with the same identity, and is removed', async (t) => {
  const pages = await start(t, { isAudited: true })
  const ada = pages.browser()
  await ada.signIn()
  const first = await sessionOf(pages, ada)
  const device = softAuthenticator(USUAL)
  const added = await add(ada, device, '<b>Phone</b>')
  t.match([added.status, added.headers.location], [303, '/account/sessions?done=passkey-added'])
  const listed = await ada.get('/account/sessions')
  t.match(listed.text, '&lt;b&gt;Phone&lt;/b&gt;')
  t.match(listed.text, 'not used yet')
  t.match(listed.text, `src="${PASSKEY_SCRIPT_PATH}"`)
  t.match(listed.headers['content-security-policy'], "script-src 'self'")

  const other = pages.browser()
  t.match((await other.get('/signin')).text, /data-passkey="get"[^>]* hidden/)
  const answer = await signIn(other, device, first?.accountId ?? '')
  t.match([answer.status, answer.headers.location], [303, '/inbox'])
  t.match(await sessionOf(pages, other), { accountId: first?.accountId, identity: first?.identity })
  t.equal(other.cookies.has('__Host-restante_passkey'), false)

  const mark = markOn(await ada.get('/account/sessions'))
  t.equal((await ada.post(`${PASSKEYS}/remove`, { mark, id: device.id })).status, 303)
  t.equal((await signIn(pages.browser(), device, first?.accountId ?? '')).status, 403)
  t.match(
    (await pages.audited()).map(({ action, actor, subject }) => [action, actor.type, subject.name]),
    [
      ['sign_in.done', 'anonymous', 'test'],
      ['passkey.added', 'session', '<b>Phone</b>'],
      ['sign_in.done', 'anonymous', 'passkey'],
      ['passkey.removed', 'session', '<b>Phone</b>'],
      ['sign_in.failed', 'anonymous', 'passkey'],
    ],
  )
})

const textOf = ({ parts }: Letter): string => JSON.stringify(parts)
const passkeyLetters = ({ posted }: Pages) =>
  [...posted].flatMap(([id, letter]) => (id.startsWith('passkey:') ? [letter] : []))

t.test('the owner gets a letter about each passkey that was added or removed, and what to do', async (t) => {
  const pages = await start(t)
  const ada = pages.browser()
  await ada.signIn()
  const device = softAuthenticator(USUAL)
  await add(ada, device, '<b>Phone</b>')
  t.match(passkeyLetters(pages), [
    { to: 'ada@example.org', subject: `A passkey was added at ${new URL(pages.origin).host}` },
  ])
  t.match(textOf(present(passkeyLetters(pages)[0])), /<b>Phone<\/b>.*end all sessions.*\/account\/sessions"/)
  t.notMatch(textOf(present(passkeyLetters(pages)[0])), device.id)
  const again = await add(ada, device, 'Once more')
  t.equal(again.status, 409)
  t.equal(passkeyLetters(pages).length, 1, 'one that was refused has no letter')
  const mark = markOn(await ada.get('/account/sessions'))
  for (let i = 0; i < 2; i++) await ada.post(`${PASSKEYS}/remove`, { mark, id: device.id })
  t.match(passkeyLetters(pages).slice(1), [
    { to: 'ada@example.org', subject: `A passkey was removed at ${new URL(pages.origin).host}` },
  ])
  t.match(textOf(present(passkeyLetters(pages)[1])), 'end all sessions and remove all passkeys')
})

t.test('letters about passkeys are limited, by account and hour; the last one says so', async (t) => {
  const posted: Letter[] = []
  const letter = createPasskeyLetter({
    accounts: { get: async (id) => accountRecord({ id, owner: id === 'acc_none' ? null : `${id}@example.org` }) },
    letters: {
      canReach: (address) => address !== 'acc_far@example.org',
      compose: async (_id, given) => () => void posted.push(given),
    },
    clock: new ManualClock(),
    origin: 'https://mail.example',
  })
  const tx = createStore(memoryEngine())
  const change = async (accountId: string) => {
    const post = await letter({ what: 'added', accountId, name: 'Phone', network: '192.0.2.0/24' })
    await tx.write('test', (each) => post(each))
  }
  for (let i = 0; i < 25; i++) await change('acc_1')
  t.equal(posted.length, 20)
  t.same(
    posted.map((each) => textOf(each).includes('not mailed')),
    [...Array<boolean>(19).fill(false), true],
  )
  await change('acc_2')
  for (const unreached of ['acc_none', 'acc_far']) await change(unreached)
  t.equal(posted.length, 21)
})

t.test('a response works once, within five minutes, in the browser that asked', async (t) => {
  const pages = await start(t)
  const ada = pages.browser()
  await ada.signIn()
  const id = (await sessionOf(pages, ada))?.accountId ?? ''
  const device = softAuthenticator(USUAL)
  await add(ada, device)
  const human = pages.browser()
  const credential = JSON.stringify(device.get(await challengeFor(human, '/signin-passkey'), id))
  const stranger = pages.browser()
  await challengeFor(stranger, '/signin-passkey')
  for (const other of [pages.browser(), stranger])
    t.equal((await other.post('/signin-passkey', { credential })).status, 403)
  const cookies = new Map(human.cookies)
  t.equal((await human.post('/signin-passkey', { credential })).status, 303)
  const replayed = pages.browser()
  for (const [name, value] of cookies) replayed.cookies.set(name, value)
  const again = await replayed.post('/signin-passkey', { credential })
  t.equal(`${again.status} ${titleOf(again)}`, '403 Not signed in')

  const slow = pages.browser()
  const late = JSON.stringify(device.get(await challengeFor(slow, '/signin-passkey'), id))
  pages.clock.advance(5 * MINUTE)
  t.equal((await slow.post('/signin-passkey', { credential: late })).status, 403)
  for (const bad of ['', '{', '{}', '[]', JSON.stringify({ ...device.get('x', id), id: 'x'.repeat(10_000) })]) {
    const one = pages.browser()
    await challengeFor(one, '/signin-passkey')
    t.equal((await one.post('/signin-passkey', { credential: bad })).status, 403)
  }
  t.same(
    pages.outcomes.map(({ provider, outcome }) => `${provider} ${outcome}`),
    ['test signed_in', ...refused(2), 'passkey signed_in', ...refused(7)],
  )
  t.equal((await pages.browser().post('/signin-passkey/options', {}, { Origin: 'https://evil.example' })).status, 400)
  const evil = await signIn(pages.browser(), device, id, '//evil.example')
  t.equal(evil.headers.location, '/account')
})

t.test('only a session of the last ten minutes adds one, with its mark and its own challenge', async (t) => {
  const pages = await start(t)
  const [ada, other] = [pages.browser(), pages.browser()]
  await ada.signIn()
  await other.signIn()
  const device = softAuthenticator(USUAL)
  const mark = markOn(await ada.get('/account/sessions'))
  t.equal((await ada.post(`${PASSKEYS}/options`, {})).status, 400, 'without the mark')
  t.equal((await pages.browser().post(`${PASSKEYS}/options`, {})).status, 401)
  const credential = JSON.stringify(device.create(await challengeFor(ada, PASSKEYS, mark)))
  t.equal((await ada.post(PASSKEYS, { credential, name: 'x' })).status, 400)
  other.cookies.set('__Host-restante_passkey', ada.cookies.get('__Host-restante_passkey') ?? '')
  const otherMark = markOn(await other.get('/account/sessions'))
  t.equal((await other.post(PASSKEYS, { mark: otherMark, credential, name: 'x' })).status, 400, 'of another session')
  const forSignIn = JSON.stringify(device.create(await challengeFor(ada, '/signin-passkey', mark)))
  t.equal((await ada.post(PASSKEYS, { mark, credential: forSignIn, name: 'x' })).status, 400, 'one to sign in with')
  pages.clock.advance(10 * MINUTE)
  t.match((await ada.get('/account/sessions')).text, 'sign in again')
  t.equal((await ada.post(`${PASSKEYS}/options`, { mark })).status, 400)
  t.equal((await ada.post(PASSKEYS, { mark, credential, name: 'x' })).status, 400)
  t.notMatch((await ada.get('/account/sessions')).text, 'Remove this passkey')
})

t.test('one of a link to an account is never staff, and one of the staff is', async (t) => {
  const pages = await start(t, { hasProviders: false })
  const account = await pages.accounts.ensure(AMY)
  for (const [make, status] of [
    [() => pages.links.make(account.id), 404],
    [() => pages.links.makeForStaff(AMY), 200],
  ] as const) {
    const amy = pages.browser()
    await amy.post(`/signin-link/${(await make()).token}`, {})
    const device = softAuthenticator(USUAL)
    t.equal((await add(amy, device)).status, 303)
    const later = pages.browser()
    t.equal((await signIn(later, device, account.id)).status, 303)
    t.equal((await later.get('/staff/review')).status, status)
  }
})

t.test('nobody removes the passkey of another, and where there are none nothing is offered', async (t) => {
  const pages = await start(t)
  const ada = pages.browser()
  await ada.signIn()
  const device = softAuthenticator(USUAL)
  await add(ada, device)
  pages.says.identity = { subject: 'eve', username: 'eve', email: 'eve@example.org', emailVerified: true }
  const eve = pages.browser()
  await eve.signIn()
  const mark = markOn(await eve.get('/account/sessions'))
  await eve.post(`${PASSKEYS}/remove`, { mark, id: device.id })
  t.match((await ada.get('/account/sessions')).text, 'Remove this passkey')

  const without = await startPages(t)
  const human = without.browser()
  t.notMatch((await human.get('/signin')).text, 'passkey')
  t.equal((await human.post('/signin-passkey/options', {})).status, 403)
  await human.signIn()
  t.notMatch((await human.get('/account/sessions')).text, 'asskey')
})
