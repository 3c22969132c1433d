import t from 'tap'
import { DAY } from '../../../src/lib/clock.js'
import { addressOwner } from '../../../src/mailbox/addresses.js'
import { claim } from '../../lifecycle/claims/world.js'
import { markOn, startPages, titleOf, type Pages, type TestBrowser } from '../world.js'

const pathIn = (url: string): string => new URL(url).pathname

async function pending(
  pages: Pages,
  name = 'robot',
): Promise<{ path: string; mailboxId: string; state: () => Promise<string> }> {
  const { address, claim_url } = await claim(pages, name)
  const mailboxId = (await addressOwner(pages.store, address)) ?? ''
  return { path: pathIn(claim_url), mailboxId, state: async () => (await pages.claims.status(mailboxId)).status }
}

async function approve(human: TestBrowser, path: string, fields: Record<string, string> = { rules: 'accepted' }) {
  return human.post(`${path}/approve`, { mark: markOn(await human.get(path)), ...fields })
}

t.test('a claim is approved in the last moment of its day, and not after', async (t) => {
  const pages = await startPages(t)
  const [one, two] = [await pending(pages, 'robot'), await pending(pages, 'other')]
  const human = pages.browser()
  await human.signIn()
  pages.clock.advance(DAY - 1)
  t.equal(titleOf(await approve(human, one.path)), 'Approved')
  const mark = markOn(await human.get(two.path))
  pages.clock.advance(1)
  const late = await human.post(`${two.path}/approve`, { mark, rules: 'accepted' })
  t.ok([404, 410].includes(late.status), `${late.status}`)
  t.equal(await one.state(), 'claimed')
  t.equal(await two.state(), 'expired')
})

t.test('nothing is approved without a session, the mark, the rules, or from another site', async (t) => {
  const pages = await startPages(t)
  const { path, state } = await pending(pages)
  const stranger = await pages.browser().post(`${path}/approve`, { rules: 'accepted' })
  t.equal(stranger.status, 401)
  t.match(stranger.text, 'You are signed out')
  t.match(stranger.text, 'Continue with')
  const human = pages.browser()
  await human.signIn()
  t.equal((await approve(human, path, {})).status, 400, 'without the rules')
  t.equal((await human.post(`${path}/approve`, { rules: 'accepted' })).status, 400, 'without the mark')
  const other = pages.browser()
  await other.signIn()
  const mark = markOn(await other.get(path))
  t.equal((await human.post(`${path}/approve`, { rules: 'accepted', mark })).status, 400, 'with the mark of another')
  const own = { rules: 'accepted', mark: markOn(await human.get(path)) }
  t.equal((await human.post(`${path}/approve`, own, { Origin: 'https://evil.example' })).status, 400)
  t.equal((await human.post(`${path}/approve`, own, { 'Sec-Fetch-Site': 'cross-site' })).status, 400)
  t.equal((await human.get(`${path}/approve`)).status, 405)
  for (const answer of ['/approve', '/decline'])
    t.equal((await pages.browser().post(`${path}${answer}`, {})).status, 401)
  t.equal(await state(), 'pending')
  t.equal((await human.post(`${path}/approve`, own)).status, 200)
  t.equal(await state(), 'claimed')
})

t.test('approving again, by another, after a decline: each is told what is', async (t) => {
  const pages = await startPages(t)
  const [one, two] = [await pending(pages, 'robot'), await pending(pages, 'other')]
  const [ada, bob] = [pages.browser(), pages.browser()]
  await ada.signIn()
  pages.says.identity = { subject: 'bob', username: 'bob', email: null, emailVerified: false }
  await bob.signIn()
  const [adas, bobs] = [markOn(await ada.get(one.path)), markOn(await bob.get(one.path))]
  t.equal(titleOf(await ada.post(`${one.path}/approve`, { rules: 'accepted', mark: adas })), 'Approved')
  t.equal(titleOf(await ada.post(`${one.path}/approve`, { rules: 'accepted', mark: adas })), 'Approved already')
  const taken = await bob.post(`${one.path}/approve`, { rules: 'accepted', mark: bobs })
  t.equal(`${taken.status} ${titleOf(taken)}`, '409 Someone else was first')
  t.equal((await bob.post(`${one.path}/decline`, { mark: bobs })).status, 409)
  t.equal(titleOf(await bob.post(`${two.path}/decline`, { mark: bobs })), 'Declined')
  t.equal(titleOf(await bob.post(`${two.path}/decline`, { mark: bobs })), 'Declined')
  const declined = await ada.post(`${two.path}/approve`, { rules: 'accepted', mark: adas })
  t.equal(`${declined.status} ${titleOf(declined)}`, '409 Declined')
  t.equal(await two.state(), 'declined')
})

t.test('a suspended human may sign in, reads why as text, and can decline only', async (t) => {
  const pages = await startPages(t)
  const { path, state } = await pending(pages)
  const human = pages.browser()
  await human.signIn()
  const account = await pages.accounts.findOwner('ada@example.org')
  const mark = markOn(await human.get(path))
  await pages.accounts.suspend(account?.id ?? '', 'bulk <b>mail</b>')
  const seen = await human.get(path)
  t.match(seen.text, 'bulk &lt;b&gt;mail&lt;/b&gt;')
  t.notMatch(seen.text, 'name="rules"')
  t.match((await human.get('/signin')).text, 'suspended')
  t.equal((await human.post(`${path}/approve`, { rules: 'accepted', mark })).status, 403)
  t.equal(await state(), 'pending')
  t.equal(titleOf(await human.post(`${path}/decline`, { mark })), 'Declined')
})

t.test(
  'the note of an invite is quoted as text, and its page offers a way to say that it is for somebody else',
  async (t) => {
    const pages = await startPages(t)
    const { path, mailboxId } = await pending(pages)
    const note = 'Hello,\n<script>alert(1)</script> <a href="javascript:x">please</a> & "thanks"'
    const { id } = await pages.claims.notify(mailboxId, { to: 'ana@people.test', note }, '192.0.2.1')
    const [link] = (pages.posted.get(id)?.parts ?? []).flatMap((part) => (part.kind === 'link' ? [part.url] : []))
    const { text } = await pages.browser().get(pathIn(link ?? ''))
    t.match(text, 'Hello,\n&lt;script&gt;alert(1)&lt;/script&gt;')
    t.notMatch(text, '<script')
    t.notMatch(text, 'href="javascript')
    t.match(text, `href="${pathIn(link ?? '')}/not-me"`)
    const plain = await pages.browser().get(path)
    t.notMatch(plain.text, 'not-me', 'the link that the agent gave itself has nobody else to say so')
    t.notMatch(plain.text, 'alert')
  },
)

t.test('looking at a claim, however often and in whatever way, changes nothing', async (t) => {
  const pages = await startPages(t)
  const { path, state } = await pending(pages)
  const human = pages.browser()
  await human.signIn()
  for (const each of [human, pages.browser()])
    for (const what of [path, `${path}?approve=1&rules=accepted`, `${path}/approve`, `${path}/decline`])
      await each.get(what)
  t.equal(await state(), 'pending')
  t.equal((await pages.browser().get('/claim/wrong')).status, 404)
  t.same(pages.errors, [])
})

t.test('the style is there under its own name, to be kept for good', async (t) => {
  const one = (await startPages(t)).browser()
  const href = /<link rel="stylesheet" href="([^"]+)"/.exec((await one.get('/signin')).text)?.[1] ?? ''
  const style = await one.get(href)
  t.equal(style.headers['content-type'], 'text/css; charset=utf-8')
  t.match(style.headers['cache-control'], 'immutable')
})
