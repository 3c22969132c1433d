/** Links of the operator's, by which humans sign in where no identity provider is set up. */
import t from 'tap'
import { MINUTE } from '../../../src/lib/clock.js'
import { sha256Hex } from '../../../src/lib/ids.js'
import { createExpiring } from '../../../src/store/expiring.js'
import { memoryEngine } from '../../support/store/memory-engine.js'
import { AMY, markOn, startPages, titleOf, type Pages } from '../world.js'

const SESSION = '__Host-restante_session'

async function linkFor(pages: Pages, owner: string | null = 'ada@example.org') {
  const account = await pages.accounts.ensure(owner)
  const { token } = await pages.links.make(account.id)
  return { account, token, path: `/signin-link/${token}` }
}

t.test('a link signs in once, after a click, whatever looked at it before', async (t) => {
  const pages = await startPages(t, { hasProviders: false })
  const { path, account } = await linkFor(pages)
  const human = pages.browser()
  for (const preview of [human, pages.browser(), pages.browser()]) {
    const seen = await preview.get(path)
    t.equal(`${seen.status} ${titleOf(seen)}`, '200 Sign in')
    t.match(seen.text, 'ada@example.org')
    t.equal(preview.cookies.size, 0)
  }
  const signedIn = await human.post(path, {})
  t.equal(titleOf(signedIn), 'You are signed in')
  t.match(await pages.sessions.find(human.cookies.get(SESSION) ?? ''), {
    accountId: account.id,
    identity: { provider: 'operator', email: 'ada@example.org', emailVerified: false },
  })
  const home = await human.get('/account')
  t.equal(titleOf(home), 'Your mailboxes')
  t.match(home.text, 'Signed in as ada@example.org with')
  t.match(home.text, 'a link of the operator')

  for (const other of [human, pages.browser()]) {
    const mark = markOn(await other.get('/signin'))
    t.equal((await other.get(path)).status, 404)
    const again = await other.post(path, { mark })
    t.equal(`${again.status} ${titleOf(again)}`, '404 This link does not work')
  }
  t.equal((await pages.sessions.list(account.id)).length, 1)
})

t.test('of many who press the button at once, one is signed in', async (t) => {
  const pages = await startPages(t)
  const { path, account } = await linkFor(pages)
  const answers = await Promise.all(Array.from({ length: 8 }, () => pages.browser().post(path, {})))
  t.same(answers.map(({ status }) => status).sort(), [200, 404, 404, 404, 404, 404, 404, 404])
  t.equal((await pages.sessions.list(account.id)).length, 1)
})

t.test('a link is over after ten minutes', async (t) => {
  const pages = await startPages(t)
  const [one, two] = [await linkFor(pages), await linkFor(pages)]
  pages.clock.advance(10 * MINUTE - 1)
  t.equal((await pages.browser().post(one.path, {})).status, 200)
  pages.clock.advance(1)
  t.equal((await pages.browser().get(two.path)).status, 404)
  t.equal((await pages.browser().post(two.path, {})).status, 404)
})

t.test('a wrong link signs nobody in, and neither does a form from elsewhere', async (t) => {
  const pages = await startPages(t)
  const { path, token } = await linkFor(pages)
  for (const wrong of ['x', token.slice(1), `${token.slice(0, -1)}_`, `${token}0`, '%00'])
    t.equal((await pages.browser().post(`/signin-link/${wrong}`, {})).status, 404, wrong)
  t.equal((await pages.browser().post(path, {}, { Origin: 'https://evil.example' })).status, 400)
  t.equal((await pages.browser().post(path, {}, { 'Sec-Fetch-Site': 'cross-site' })).status, 400)
  t.equal((await pages.browser().post(path, {})).status, 200, 'and none of it spent the link')
})

t.test('whoever was signed in before is signed out by it', async (t) => {
  const pages = await startPages(t)
  const human = pages.browser()
  await human.signIn()
  const before = human.cookies.get(SESSION) ?? ''
  const { path, account } = await linkFor(pages, 'bob@example.org')
  t.equal((await human.post(path, {})).status, 400, 'without the mark of that session')
  const mark = markOn(await human.get(path))
  t.equal((await human.post(path, { mark })).status, 200)
  t.equal(await pages.sessions.find(before), undefined)
  t.match(await pages.sessions.find(human.cookies.get(SESSION) ?? ''), { accountId: account.id })
})

t.test('a suspended human signs in and reads why; the operator’s own account needs no email', async (t) => {
  const pages = await startPages(t)
  const { path, account } = await linkFor(pages)
  await pages.accounts.suspend(account.id, 'bulk mail')
  const human = pages.browser()
  await human.post(path, {})
  t.match((await human.get('/account')).text, 'bulk mail')
  const own = await linkFor(pages, null)
  const operator = pages.browser()
  t.equal((await operator.post(own.path, {})).status, 200)
  t.equal(titleOf(await operator.get('/account')), 'Your mailboxes')
})

t.test('what is told and stored of a link is not the link', async (t) => {
  const pages = await startPages(t)
  const { path, token } = await linkFor(pages)
  await pages.browser().post(path, {})
  await pages.browser().post(path, {})
  t.match(pages.outcomes, [
    { provider: 'operator', outcome: 'signed_in' },
    { provider: 'operator', outcome: 'refused' },
  ])
  t.notMatch(JSON.stringify(pages.outcomes), token)
  const { token: unused } = await pages.links.make('acc_1')
  t.equal(await pages.links.find(unused.toLowerCase()), undefined)
  t.notMatch(JSON.stringify(pages.errors), token)
})

t.test('where no provider is set up, the pages name the command', async (t) => {
  const pages = await startPages(t, { hasProviders: false })
  t.match((await pages.browser().get('/signin')).text, 'restante account sign-in EMAIL')
  t.notMatch((await (await startPages(t)).browser().get('/signin')).text, 'restante account sign-in')
})

t.test('a link for the staff opens a session of theirs, once, and one of an account never does', async (t) => {
  const pages = await startPages(t, { hasProviders: false })
  const { token } = await pages.links.makeForStaff(AMY)
  const path = `/signin-link/${token}`
  const amy = pages.browser()
  t.match((await amy.get(path)).text, 'amy@example.org, as a member of the staff')
  t.equal(await pages.accounts.findOwner(AMY), undefined, 'looking makes no account')
  t.equal(titleOf(await amy.post(path, {})), 'You are signed in')
  const account = await pages.accounts.findOwner(AMY)
  t.match(await pages.sessions.find(amy.cookies.get(SESSION) ?? ''), {
    accountId: account?.id,
    identity: { provider: 'operator', email: AMY, emailVerified: true },
  })
  t.match((await amy.get('/staff/review')).text, 'amy@example.org (staff)')
  t.match((await amy.get('/account')).text, 'Review (0)')
  const again = pages.browser()
  t.equal((await again.post(path, {})).status, 404)

  const { path: ownersPath } = await linkFor(pages, AMY)
  const owner = pages.browser()
  await owner.post(ownersPath, {})
  t.equal(titleOf(await owner.get('/account')), 'Your mailboxes')
  t.equal((await owner.get('/staff/review')).status, 404, 'the same address by a link to its account')
  t.notMatch((await owner.get('/account')).text, 'Review (')
})

t.test('who leaves the staff is not of it any more, by an open session or by an unused link', async (t) => {
  const engine = memoryEngine()
  const before = await startPages(t, { engine })
  const amy = before.browser()
  await amy.post(`/signin-link/${(await before.links.makeForStaff(AMY)).token}`, {})
  t.equal((await amy.get('/staff/review')).status, 200)
  const { token: unused } = await before.links.makeForStaff(AMY)

  const after = await startPages(t, { engine, staff: [] })
  const later = after.browser()
  for (const [name, value] of amy.cookies) later.cookies.set(name, value)
  t.equal((await later.get('/account')).status, 200, 'the session itself goes on')
  t.equal((await later.get('/staff/review')).status, 404)
  const other = after.browser()
  t.equal((await other.get(`/signin-link/${unused}`)).status, 404)
  t.equal((await other.post(`/signin-link/${unused}`, {})).status, 404)
  t.equal(other.cookies.has(SESSION), false)
})

t.test('a link from a version that made them for accounts alone works', async (t) => {
  const pages = await startPages(t)
  const { id } = await pages.accounts.ensure('ada@example.org')
  const token = 'a'.repeat(43)
  const expiresAt = pages.clock.now() + MINUTE
  await createExpiring(pages.store, 'sign-in-link').put(sha256Hex(token), { accountId: id, expiresAt }, expiresAt)
  t.equal((await pages.browser().post(`/signin-link/${token}`, {})).status, 200)
})
