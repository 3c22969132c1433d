/** The page where a human decides on a program that wants to use a mailbox. */
import t from 'tap'
import { changeAccount } from '../../../src/accounts/record.js'
import { ServiceError } from '../../../src/lib/errors.js'
import { MAIL_SCOPE } from '../../../src/oauth/scopes.js'
import { consentTarget } from '../../../src/web/consent/consent-target.js'
import { claim } from '../../lifecycle/claims/world.js'
import type { Answer } from '../../http/client.js'
import { ADA, markOn, ownMailboxes, startPages, titleOf, type Pages, type TestBrowser } from '../world.js'

const EVIL = `<script>alert(1)</script>"'&`
const QUERY = 'client_id=cli_1&state=s%26%3D1'
const PATH = `/oauth/authorize?${QUERY}`

/** A human who is signed in, with approved mailboxes of these names. */
async function owner(pages: Pages, ...names: string[]) {
  const human = pages.browser()
  await human.signIn()
  const account = await pages.accounts.findOwner('ada@example.org')
  if (!account) throw new Error('nobody is signed in')
  return { human, account, mailboxes: await ownMailboxes(pages, 'ada@example.org', ...names) }
}

/** The form as a browser would send it: what is hidden, ticked or chosen on the page, and the button that was pressed. */
async function answer(
  human: TestBrowser,
  page: Answer,
  decision: string,
  change: Record<string, string | string[]> = {},
) {
  const fields = new URLSearchParams({ decision, mark: markOn(page) })
  const hidden = /name="(request|mailbox|scope)"\s+value="([^"]*)"([^/]*)/g
  for (const [, name = '', value = '', rest = ''] of page.text.matchAll(hidden))
    if (page.text.includes(`type="hidden" name="${name}"`) || name === 'request' || rest.includes('checked'))
      fields.append(name, value.replaceAll('&amp;', '&'))
  for (const [name, values] of Object.entries(change)) {
    fields.delete(name)
    for (const value of [values].flat()) fields.append(name, value)
  }
  return human.postForm('/oauth/authorize', fields)
}

t.test(
  'a request that cannot be trusted is told to the human alone, and others go back with their error',
  async (t) => {
    const pages = await startPages(t)
    const told = await pages.browser().get('/oauth/authorize?client_id=wrong')
    t.equal(`${told.status} ${titleOf(told)}`, '400 This program cannot be connected')
    t.match(told.text, 'It is &lt;b&gt;nobody&lt;/b&gt;.')
    t.equal(told.headers.location, undefined)
    const back = await pages.browser().get('/oauth/authorize?client_id=back')
    t.equal(`${back.status} ${titleOf(back)}`, '400 This program made an invalid request')
    t.match(back.text, 'It is &lt;i&gt;wrong&lt;/i&gt;')
    t.match(back.text, 'href="https://client.example/back?error=invalid_request">Go back to client.example<')
    t.equal(back.headers.location, undefined, 'a link to us leads no browser to the site of a stranger')
    for (const uri of ['http://127.0.0.1:4711/cb', 'com.example.app:/cb']) {
      pages.oauth.redirectUri = uri
      const atOnce = await pages.browser().get('/oauth/authorize?client_id=back')
      t.match(
        atOnce,
        { status: 303, headers: { location: `${uri}?error=invalid_request` } },
        'their own device is told',
      )
    }
    const human = (await owner(pages, 'robot')).human
    const page = await human.get(PATH)
    for (const [request, status] of [
      ['client_id=wrong', 400],
      ['client_id=back', 303],
    ] as const)
      t.equal((await answer(human, page, 'allow', { request })).status, status, 'what the form says is checked anew')
    t.same(pages.oauth.calls, [])
  },
)

t.test('who is not signed in sees who asks, signs in, and is back at exactly this request', async (t) => {
  const pages = await startPages(t)
  const human = pages.browser()
  const { text, headers } = await human.get(PATH)
  t.match(text, 'Sign in to answer')
  t.match(text, 'This name is not verified')
  t.notMatch(text, 'value="allow"')
  t.match(text, `next=${encodeURIComponent(PATH).replaceAll('&', '&amp;')}`)
  t.equal(headers['referrer-policy'], 'strict-origin')
  t.equal(headers['cache-control'], 'no-store')
  t.match(headers['content-security-policy'], "form-action 'self' https://client.example;")
  t.match(headers['content-security-policy'], "frame-ancestors 'none'")
  t.equal(await human.signIn(PATH), PATH)
  t.match((await human.get(PATH)).text, 'You are signed in as <strong>ada@example.org</strong>')
})

t.test(
  'a request of 1,500 characters comes back from the sign-in; a longer one asks for the sign-in first',
  async (t) => {
    const pages = await startPages(t)
    const longest = `${PATH}&x=${'y'.repeat(1536 - PATH.length - 3)}`
    const human = pages.browser()
    t.match((await human.get(longest)).text, 'Continue with')
    t.equal(await human.signIn(longest), longest)
    const longer = await pages.browser().get(`${longest}y`)
    t.match(longer.text, 'Sign in first, then start again')
    t.match(longer.text, 'next=%2Faccount"')
    t.equal((await human.get(`${longest}y`)).status, 200)
  },
)

t.test('the human allows what was asked for, for the one mailbox there is', async (t) => {
  const pages = await startPages(t)
  const { human, account, mailboxes } = await owner(pages, 'robot')
  const page = await human.get(PATH)
  t.match(page.text, 'robot@')
  for (const words of ['Read mail', 'Send mail', 'Sort and delete mail']) t.match(page.text, words)
  const gone = await answer(human, page, 'allow')
  t.equal(gone.status, 303)
  t.equal(gone.headers.location, 'https://client.example/back?code=thecode&state=s%26%3D1')
  t.equal(gone.headers['referrer-policy'], 'no-referrer')
  t.equal(gone.text, '')
  t.same(pages.oauth.calls, [
    {
      accountId: account.id,
      mailboxId: mailboxes[0],
      scopes: ['mail:read', 'mail:send', 'mail:write'],
      state: 's&=1',
    },
  ])
})

t.test('what a mail program may do is said in plain words, and each part can be refused', async (t) => {
  const pages = await startPages(t)
  pages.oauth.scopes = ['imap', 'smtp']
  const { human } = await owner(pages, 'robot')
  const page = await human.get(PATH)
  for (const words of [
    'Read and file mail in a mail program',
    'It may also mark, move, store and delete mail, for good too.',
    'Send mail from a mail program',
    'without asking you each time',
  ])
    t.match(page.text, words)
  t.notMatch(page.text, 'Sort and delete mail')
  t.equal((await answer(human, page, 'allow', { scope: ['imap', 'mail:read'] })).status, 303)
  t.match(pages.oauth.calls, [{ scopes: ['imap'] }])
  pages.oauth.scopes = [MAIL_SCOPE]
  const whole = await human.get(PATH)
  t.match(whole.text, 'Read, file and send mail in a mail program')
  t.equal((await answer(human, whole, 'allow')).status, 303)
  t.match(pages.oauth.calls.at(-1), { scopes: [MAIL_SCOPE] })
})

t.test('the human allows less, chooses the mailbox, or refuses', async (t) => {
  const pages = await startPages(t)
  const { human, mailboxes } = await owner(pages, 'robot', 'other')
  const page = await human.get(PATH)
  t.match(page.text, /type="radio" name="mailbox"[\s\S]*robot@[\s\S]*type="radio"[\s\S]*other@/)
  t.notMatch(page.text, /type="radio"[^>]*checked/, 'none is chosen before')
  const unchosen = await answer(human, page, 'allow')
  t.equal(unchosen.status, 400)
  t.match(unchosen.text, 'choose the mailbox')
  const nothing = await answer(human, page, 'allow', { mailbox: mailboxes[1] ?? '', scope: [] })
  t.equal(nothing.status, 400)
  t.match(nothing.text, 'tick what the program may do')
  t.match(nothing.text, 'value="allow"', 'and can be answered there')
  t.same(pages.oauth.calls, [])
  await answer(human, page, 'allow', { mailbox: mailboxes[1] ?? '', scope: ['mail:send', 'root', 'account:manage'] })
  t.match(pages.oauth.calls, [{ mailboxId: mailboxes[1], scopes: ['mail:send'] }])
  const refused = await answer(human, page, 'refuse')
  t.equal(refused.headers.location, 'https://client.example/back?error=access_denied&state=s%26%3D1')
  t.equal(pages.oauth.calls.length, 2)
})

t.test('never more than was asked for, and never for a mailbox of another', async (t) => {
  const pages = await startPages(t)
  const { human, mailboxes } = await owner(pages, 'robot')
  pages.oauth.scopes = ['mail:read']
  const page = await human.get(PATH)
  t.notMatch(page.text, 'type="checkbox"', 'there is nothing to take away')
  await answer(human, page, 'allow', { scope: ['mail:read', 'mail:send'] })
  t.match(pages.oauth.calls, [{ scopes: ['mail:read'] }])
  pages.says.identity = { ...ADA, subject: 'bob', email: 'bob@example.org' }
  const bob = pages.browser()
  await bob.signIn()
  const seen = await bob.get(PATH)
  t.match(seen.text, 'Your account has no mailbox yet')
  t.notMatch(seen.text, 'value="allow"')
  const stolen = await answer(bob, seen, 'allow', { mailbox: mailboxes[0] ?? '', scope: 'mail:read' })
  t.equal(stolen.status, 400)
  t.equal(pages.oauth.calls.length, 1)
  t.equal((await answer(bob, seen, 'refuse')).status, 303, 'but refusing is possible')
})

t.test('a claim that waits is no mailbox yet, and an account that is suspended connects nothing', async (t) => {
  const pages = await startPages(t)
  const { human, account, mailboxes } = await owner(pages, 'robot')
  await claim(pages, 'waiting')
  const page = await human.get(PATH)
  t.notMatch(page.text, 'waiting@')
  await pages.accounts.suspend(account.id, EVIL)
  const suspended = await human.get(PATH)
  t.match(suspended.text, 'Your account is suspended')
  t.match(suspended.text, '&lt;script&gt;')
  t.notMatch(suspended.text, 'value="allow"')
  pages.oauth.refusal = new ServiceError('account_suspended', 'It is suspended.', 'Ask the operator.')
  const late = await answer(human, page, 'allow', { mailbox: mailboxes[0] ?? '' })
  t.equal(late.status, 403)
  t.match(late.text, 'Nothing was allowed: It is suspended.')
})

t.test('an account that is about to be deleted connects nothing, and can be kept', async (t) => {
  const pages = await startPages(t)
  const { human, account } = await owner(pages, 'robot')
  await changeAccount(pages.store, account.id, (before) => ({ ...before, status: 'deletion_pending' }))
  const { text } = await human.get(PATH)
  t.match(text, 'Your account is about to be deleted')
  t.match(text, 'href="/account/delete"')
  t.notMatch(text, 'value="allow"')
  t.match(text, 'value="refuse"')
})

t.test('nothing is allowed without the session, its mark, or from another site', async (t) => {
  const pages = await startPages(t)
  const { human } = await owner(pages, 'robot')
  const page = await human.get(PATH)
  const stranger = await answer(pages.browser(), page, 'allow')
  t.equal(stranger.status, 401)
  t.match(stranger.text, 'You are signed out, and nothing was allowed')
  t.match(stranger.text, 'Continue with')
  t.equal((await answer(pages.browser(), page, 'refuse')).status, 401)
  t.equal((await answer(human, page, 'allow', { mark: 'x' })).status, 400)
  const fields = { request: QUERY, decision: 'allow', scope: 'mail:read', mark: markOn(page) }
  t.equal((await human.post('/oauth/authorize', fields, { Origin: 'https://evil.example' })).status, 400)
  t.equal((await human.post('/oauth/authorize', fields, { 'Sec-Fetch-Site': 'cross-site' })).status, 400)
  t.equal((await human.get(`${PATH}&decision=allow&scope=mail:read`)).status, 200)
  t.same(pages.oauth.calls, [])
})

t.test('what a client says of itself is text, and whose word it is is said', async (t) => {
  const pages = await startPages(t)
  const { human } = await owner(pages, 'robot')
  pages.oauth.client = { ...pages.oauth.client, name: EVIL }
  const registered = await human.get(PATH)
  t.match(registered.text, '&lt;script&gt;')
  t.notMatch(registered.text, '<script')
  t.match(registered.text, 'This name is not verified')
  t.match(registered.text, '<strong>client.example</strong>')
  pages.oauth.client = { ...pages.oauth.client, kind: 'document', host: 'claude.example', name: 'Claude\u202e' }
  const documented = await human.get(PATH)
  t.match(documented.text, /class="address">claude\.example<\/p>\s*<p>calls itself/)
  t.match(documented.text, 'Claude\ufffd')
  t.match(documented.text, 'not the site that the program is verified for')
  t.notMatch(documented.text, 'This name is not verified')
})

t.test('the page may lead to its client and nowhere else, in words that a policy cannot be broken with', async (t) => {
  const pages = await startPages(t)
  const { human } = await owner(pages, 'robot')
  const cases = [
    ['https://client.example:8443/back?x=1', 'https://client.example:8443', 'client.example:8443'],
    ['http://127.0.0.1:3334/cb', 'http://127.0.0.1:3334', 'a program on this computer'],
    ['http://localhost:3334/cb', 'http://localhost:3334', 'a program on this computer'],
    ['com.example.app:/cb', 'com.example.app:', 'an app on this device'],
    ['https://a;script-src.example/cb', '', 'a;script-src.example'],
    ['http://[::1]:3334/cb', '', 'a program on this computer'],
  ] as const
  for (const [uri, source, words] of cases) {
    pages.oauth.redirectUri = uri
    const page = await human.get(PATH)
    const [, forms] = /form-action ([^;]*);/.exec(String(page.headers['content-security-policy'])) ?? []
    t.equal(forms, `'self' ${source}`.trim(), uri)
    t.match(page.text, words)
    const gone = await answer(human, page, 'allow')
    if (source !== '') {
      t.equal(gone.headers.location, `${uri}${uri.includes('?') ? '&' : '?'}code=thecode&state=s%26%3D1`)
      continue
    }
    t.equal(gone.status, 200)
    t.equal(gone.headers['refresh'], `0; url=${uri}?code=thecode&state=s%26%3D1`)
    t.notMatch(gone.text, 'thecode', 'no code in a page')
    t.match(gone.headers['content-security-policy'], "form-action 'self';")
  }
  t.equal(consentTarget('https://*.example/cb').source, undefined, 'a wildcard')
  t.equal(consentTarget('https://xn--bcher-kva.example/cb').source, 'https://xn--bcher-kva.example')
})

t.test('sending the form twice makes two codes, of which the browser shows one', async (t) => {
  const pages = await startPages(t)
  const { human } = await owner(pages, 'robot')
  const page = await human.get(PATH)
  const both = await Promise.all([answer(human, page, 'allow'), answer(human, page, 'allow')])
  t.same(
    both.map(({ status }) => status),
    [303, 303],
  )
})

t.test('many mailboxes are chosen from a list', async (t) => {
  const pages = await startPages(t)
  const names = Array.from({ length: 9 }, (_, i) => `robot.${i}`)
  const { human } = await owner(pages, ...names)
  const { text } = await human.get(PATH)
  t.match(text, '<select id="mailbox"')
  for (const name of names) t.match(text, `${name}@`)
})

t.test('the owner is written who may now use which mailbox, and how to end it', async (t) => {
  const pages = await startPages(t)
  const { human, account } = await owner(pages, 'robot')
  pages.oauth.client = { ...pages.oauth.client, name: 'Free money' }
  const page = await human.get(PATH)
  pages.posted.clear()
  await answer(human, page, 'refuse')
  await answer(human, page, 'allow', { scope: [] })
  t.equal(pages.posted.size, 0)
  await answer(human, page, 'allow', { scope: ['mail:read'] })
  const [letter] = pages.posted.values()
  t.match(letter, { to: 'ada@example.org', subject: /^A program may now use robot@/ })
  t.notMatch(letter?.subject, 'Free money')
  const text = JSON.stringify(letter?.parts)
  t.match(text, '"by":"It calls itself (this name is not verified)","text":"Free money"')
  t.match(text, '["It may","read mail"]')
  t.match(text, `${pages.origin}/account/connections`)
  t.notMatch(JSON.stringify([...pages.posted]), 'thecode')
  await answer(human, page, 'allow', { scope: ['mail:read'] })
  t.equal(pages.posted.size, 1, 'one letter for each code')

  const nobody = await pages.accounts.ensure(null)
  const { token } = await pages.links.make(nobody.id)
  const operator = pages.browser()
  await operator.post(`/signin-link/${token}`, {})
  const { address, claim_url } = await claim(pages, 'own.robot')
  await pages.claims.approveAs(new URL(claim_url).pathname.split('/').at(-1) ?? '', nobody.id)
  const own = await operator.get(PATH)
  t.match(own.text, address)
  t.equal((await answer(operator, own, 'allow')).status, 303)
  t.equal(pages.posted.size, 1, 'and none to who has no address')
  t.not(account.id, nobody.id)
})
