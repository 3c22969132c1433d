/** The consent page in Chromium: what its policy lets through to a client and what not, windows, keys, looks, and how much a browser sends. */
import t, { type Test } from 'tap'
import { createServer } from 'node:http'
import type { Page } from 'playwright-core'
import { browserPeer, inspect, newHuman, startBrowser } from '../support/peers/browser.js'
import { startCallback } from '../support/peers/callback-server.js'
import { createAuthority, opensslPeer } from '../support/peers/certificates.js'
import { allPeers } from '../support/peers/peers.js'
import { listenAnywhere } from '../support/ports.js'
import { ownMailboxes, startPages, type Pages } from './world.js'

const PATH = '/oauth/authorize?client_id=cli_1&state=st'
/** What a head may have when it comes in pieces, as it does from afar. */
const MAX_HEAD_BYTES = 4096

/** The same as `human`, signed in by a link of the operator's. */
async function signIn(pages: Pages, page: Page, email = 'ada@example.org'): Promise<void> {
  const { id } = await pages.accounts.ensure(email)
  const { token } = await pages.links.make(id)
  await page.goto(`${pages.origin}/signin-link/${token}`)
  await page.click('button:has-text("Sign in")')
}

t.test('a human decides on a program in a browser', allPeers(browserPeer(), opensslPeer()), async (t) => {
  const pages = await startPages(t, { hasProviders: false })
  const { origin, oauth } = pages
  await ownMailboxes(pages, 'ada@example.org', 'robot')
  await ownMailboxes(pages, 'bob@example.org', 'bobs.desk', 'bobs.sales')
  const certificate = createAuthority(t.testdir()).issue(['localhost'])
  const [plain, secure, six, other] = [
    await startCallback(),
    await startCallback({ certificate }),
    await startCallback({ host: '::1' }),
    await startCallback(),
  ]
  for (const each of [plain, secure, six, other]) t.teardown(() => each.close())
  const browser = await startBrowser()
  t.teardown(() => browser.close())
  const human = async () => {
    const context = await browser.newContext({ ignoreHTTPSErrors: true })
    context.setDefaultTimeout(15_000)
    const page = await context.newPage()
    const complaints: string[] = []
    page.on('console', (message) => {
      if (message.type() !== 'log') complaints.push(message.text())
    })
    return { context, page, complaints }
  }
  const looksGood = async (t: Test, page: Page, name: string): Promise<void> => {
    t.same(await inspect(browser, page, name), [], `${name}: accessible in both themes, and on a phone`)
  }

  await t.test('without an identity provider: a link of the operator’s, and the page is loaded again', async (t) => {
    const { page, context, complaints } = await newHuman(browser, origin)
    oauth.client = { ...oauth.client, name: 'Desk for mail' }
    await page.goto(origin + PATH)
    t.match(await page.textContent('main'), 'restante account sign-in')
    await looksGood(t, page, 'consent-signed-out')
    const second = await context.newPage()
    await signIn(pages, second)
    t.equal(await second.textContent('h1'), 'You are signed in')
    await looksGood(t, second, 'signed-in-by-link')
    await page.reload()
    t.match(await page.textContent('main'), 'You are signed in as ada@example.org')
    await looksGood(t, page, 'consent-registered')
    t.same(complaints, [])
    await context.close()
  })

  await t.test('the browser goes to the program with the code, whatever sort of address that is', async (t) => {
    const { page, context, complaints } = await human()
    await signIn(pages, page)
    for (const [name, server, redirectUri] of [
      ['loopback with a port', plain, `http://127.0.0.1:${plain.port}/cb`],
      ['localhost with a port', plain, `http://localhost:${plain.port}/cb`],
      ['https', secure, `https://localhost:${secure.port}/cb`],
      ['an address that no policy can name', six, `http://[::1]:${six.port}/cb`],
    ] as const) {
      for (const [button, query] of [
        ['Allow', '?code=thecode&state=st'],
        ['Refuse', '?error=access_denied&state=st'],
      ] as const) {
        oauth.redirectUri = redirectUri
        await page.goto(origin + PATH)
        await page.click(`button:has-text("${button}")`)
        t.equal((await server.next()).search, query, `${name}, ${button}`)
        await page.waitForURL(redirectUri + query)
      }
    }
    t.same(complaints, [], 'the policy let all of it through')
    const all = [plain, secure, six].flatMap(({ visits }) => visits)
    t.equal(all.length, 8)
    for (const { headers } of all) t.equal(headers.referer, undefined, 'nothing of the request in the referrer')
    await context.close()
  })

  await t.test('to another place than the one on the page it does not go', async (t) => {
    const { page, context, complaints } = await human()
    await signIn(pages, page)
    const visitsBefore = other.visits.length + secure.visits.length
    for (const [redirectUri, strays] of [
      [`http://127.0.0.1:${plain.port}/cb`, `http://127.0.0.1:${other.port}/cb`],
      [`http://127.0.0.1:${plain.port}/cb`, `http://localhost:${plain.port}/cb`],
      [`http://127.0.0.1:${plain.port}/cb`, `https://localhost:${secure.port}/cb`],
      ['com.example.app:/cb', `http://127.0.0.1:${other.port}/cb`],
      ['com.example.app:/cb', 'com.example.other:/cb'],
      [`https://a;form-action.example/cb`, `http://127.0.0.1:${other.port}/cb`],
    ] as const) {
      Object.assign(oauth, { redirectUri, strays })
      await page.goto(origin + PATH)
      complaints.length = 0
      const before = oauth.calls.length
      const complained = page.waitForEvent('console', (message) => message.text().includes('form-action'))
      if (redirectUri.includes(';')) {
        // A policy can't name it, so the page goes on by itself, and only a form is looked at here.
        await page.evaluate(`document.querySelector('form').action = ${JSON.stringify(strays)}`)
      }
      await page.click('button:has-text("Allow")', { noWaitAfter: true })
      await complained
      t.match(complaints.join(), 'form-action', `${redirectUri} → ${strays}`)
      t.ok(oauth.calls.length >= before)
      t.match(page.url(), origin, 'the page is still there')
    }
    t.equal(other.visits.length + secure.visits.length, visitsBefore)
    oauth.strays = undefined
    await context.close()
  })

  await t.test('an app is asked for by its own scheme', async (t) => {
    const { page, context, complaints } = await human()
    await signIn(pages, page)
    oauth.redirectUri = 'com.example.app:/cb'
    await page.goto(origin + PATH)
    await looksGood(t, page, 'consent-app')
    // What the browser was told to go to; it shows nothing of an address that it hands to the system.
    const network = await context.newCDPSession(page)
    await network.send('Network.enable')
    const sentOn = new Promise<string>((resolve) =>
      network.on('Network.responseReceivedExtraInfo', ({ statusCode, headers }) => {
        if (statusCode === 303) resolve(headers['Location'] ?? '')
      }),
    )
    await page.click('button:has-text("Allow")', { noWaitAfter: true })
    t.equal(await sentOn, 'com.example.app:/cb?code=thecode&state=st')
    await page.goto(origin + PATH)
    t.notMatch(complaints.join(), 'form-action', 'no app here opens it, but the policy does not stand in its way')
    await context.close()
  })

  await t.test('a program in the browser that opened the page in a window of its own is told there', async (t) => {
    const opener = await startCallback({
      answer: (request, response) => {
        response.setHeader('content-type', 'text/html')
        const isBack = request.url?.startsWith('/cb')
        response.end(isBack ? '<script>opener.postMessage(location.search, "*")</script>' : '<h1>Web program</h1>')
      },
    })
    t.teardown(() => opener.close())
    const { page, context } = await human()
    await signIn(pages, page)
    const site = `http://localhost:${opener.port}`
    oauth.redirectUri = `${site}/cb`
    await page.goto(site)
    const told: Promise<unknown> = page.evaluate(
      `new Promise((resolve) => { addEventListener('message', ({ data }) => resolve(data)); open(${JSON.stringify(origin + PATH)}) })`,
    )
    const popup = await page.waitForEvent('popup')
    await popup.click('button:has-text("Allow")')
    t.equal(await told, '?code=thecode&state=st')
    await context.close()
  })

  await t.test('with the keyboard alone; less than was asked for, for one of two mailboxes', async (t) => {
    const { page, context, complaints } = await human()
    await signIn(pages, page, 'bob@example.org')
    oauth.redirectUri = `http://127.0.0.1:${plain.port}/cb`
    Object.assign(oauth, { client: { ...oauth.client, kind: 'document', host: 'claude.example', name: 'Claude' } })
    await page.goto(origin + PATH)
    await looksGood(t, page, 'consent-two-mailboxes')
    const focused = (): Promise<string> =>
      page.evaluate('document.activeElement.value || document.activeElement.textContent')
    const order: string[] = []
    for (let i = 0; i < 9; i++) {
      await page.keyboard.press('Tab')
      const here = (await focused()).trim()
      order.push(here)
      if (here.startsWith('mbx_')) await page.keyboard.press('Space')
      if (here === 'mail:write') await page.keyboard.press('Space')
      if (here === 'allow') break
    }
    t.match(order, [
      'Agents Mail',
      'Not you, or another account?',
      /^mbx_/,
      'mail:read',
      'mail:send',
      'mail:write',
      'allow',
    ])
    await page.keyboard.press('Tab')
    t.equal(await focused(), 'refuse')
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/cb\?code=/)
    t.match(oauth.calls.at(-1), { scopes: ['mail:read', 'mail:send'] })
    await page.goBack()
    await page.click('button:has-text("Allow")')
    t.same(complaints, [], 'sending it once more from the page that the browser kept is no error')
    await context.close()
  })

  await t.test('what cannot be: a wrong request, no mailbox, too little ticked', async (t) => {
    const { page, context } = await human()
    await page.goto(`${origin}/oauth/authorize?client_id=wrong`)
    await looksGood(t, page, 'consent-wrong')
    await signIn(pages, page, 'nobody@example.org')
    await page.goto(origin + PATH)
    await looksGood(t, page, 'consent-no-mailbox')
    await signIn(pages, page, 'bob@example.org')
    await page.goto(origin + PATH)
    await page.check('input[name=mailbox] >> nth=0')
    for (const box of await page.locator('input[name=scope]').all()) await box.uncheck()
    await page.click('button:has-text("Allow")')
    t.match(await page.textContent('[role=alert]'), 'tick what the program may do')
    await looksGood(t, page, 'consent-nothing-ticked')
    await page.goto(`${origin}/signin-link/wrong`)
    await looksGood(t, page, 'sign-in-link-wrong')
    await context.close()
  })
})

t.test('the longest request that is kept over a sign-in is one that browsers can carry', browserPeer(), async (t) => {
  const pages = await startPages(t)
  const { origin, oauth } = pages
  await ownMailboxes(pages, 'ada@example.org', 'robot')
  const provider = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? '', 'http://provider')
    const back = new URLSearchParams({ code: 'c'.repeat(200), state: searchParams.get('state') ?? '', iss: origin })
    response.writeHead(302, { location: `${searchParams.get('redirect_uri')}?${back.toString()}` })
    response.end()
  })
  pages.provider.at = `http://localhost:${await listenAnywhere(provider)}/auth`
  t.teardown(() => provider.close())
  const back = await startCallback()
  t.teardown(() => back.close())
  oauth.redirectUri = `http://127.0.0.1:${back.port}/cb`
  const browser = await startBrowser()
  t.teardown(() => browser.close())
  const { page, complaints } = await newHuman(browser, origin)
  const heads: number[] = []
  page.on('request', (request) => {
    if (!request.url().startsWith(origin)) return
    void request.allHeaders().then((headers) => {
      const lines = Object.entries(headers).filter(([name]) => !name.startsWith(':'))
      const { pathname, search } = new URL(request.url())
      heads.push(
        lines.reduce(
          (sum, [name, value]) => sum + name.length + value.length + 4,
          pathname.length + search.length + 18,
        ),
      )
    })
  })
  // Of a state in base64 and an address, as requests have them: some of it is written with three characters for one.
  const request = `client_id=cli_1&state=${encodeURIComponent('+/='.repeat(40))}&redirect_uri=${encodeURIComponent(oauth.redirectUri)}&x=`
  const longest = `/oauth/authorize?${request}${'y'.repeat(1536 - 17 - request.length)}`
  t.equal(longest.length, 1536)
  await page.goto(origin + longest)
  await page.click('text=Continue with Test')
  await page.waitForURL(origin + longest)
  await page.click('button:has-text("Allow")')
  t.equal((await back.next()).searchParams.get('state'), '+/='.repeat(40))
  t.ok(heads.length >= 4)
  t.ok(Math.max(...heads) <= MAX_HEAD_BYTES, `at most ${Math.max(...heads)} bytes in a head`)
  t.same(complaints, [])
})
