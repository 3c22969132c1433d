/** From a claim link to an approved mailbox: a real daemon, a real OpenID provider, a stand-in for GitHub, and humans with browsers. */
import t, { type Test } from 'tap'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { claim, type Agent } from '../../support/agent.js'
import { browserPeer, inspect, newHuman, SCREENSHOTS, startBrowser } from '../../support/peers/browser.js'
import { startDaemon } from '../../support/daemon.js'
import { startGithub } from '../../support/peers/github.js'
import { passProvider, signedIn } from '../../support/humans.js'
import { oidcPeer } from '../../support/peers/oidc-provider.js'

const DAY_MS = 24 * 3600 * 1000

t.test('humans approve and decline what agents claim', browserPeer(), async (t) => {
  const oidc = await oidcPeer()
  const github = await startGithub()
  t.teardown(() => github.stop())
  const secrets = t.testdir()
  const secretFile = (name: string, secret: string): string => {
    writeFileSync(join(secrets, name), `${secret}\n`)
    return join(secrets, name)
  }
  const daemon = await startDaemon({
    'identity.providers': `[${[
      `{ id = "test", kind = "oidc", name = "Example ID", issuer = "${oidc.issuer}", client_id = "${oidc.clientId}", client_secret_file = "${secretFile('oidc', oidc.clientSecret)}" }`,
      `{ id = "github", kind = "github", name = "GitHub", client_id = "${github.clientId}", client_secret_file = "${secretFile('github', github.clientSecret)}", url = "${github.url}", api_url = "${github.apiUrl}" }`,
    ].join(', ')}]`,
  })
  t.teardown(() => daemon.remove())
  const browser = await startBrowser()
  t.teardown(() => browser.close())
  oidc.people.set('bob', { preferred_username: 'bob', email: 'bob@example.org', email_verified: true })
  oidc.people.set('eve', { preferred_username: 'eve', email: 'ada@example.org', email_verified: false })
  oidc.people.set('nobody', {})

  const human = async (): Promise<Awaited<ReturnType<typeof newHuman>>> => newHuman(browser, daemon.url)
  const status = async (agent: Agent): Promise<string> => (await agent.call('GET', '/v1/claim/status')).body.status
  const looksGood = async (t: Test, page: Page, name: string): Promise<void> => {
    t.same(await inspect(browser, page, name), [], `${name}: accessible in both themes, and on a phone`)
  }

  await t.test('a provider that is down stops neither the daemon nor its other pages', async (t) => {
    const agent = await claim(daemon, 'early.agent')
    const { page } = await human()
    await page.goto(agent.claimUrl)
    await page.click('text=Continue with Example ID')
    t.equal(await page.textContent('h1'), 'Example ID cannot be reached')
    await looksGood(t, page, 'provider-down')
    await page.click('text=Continue with GitHub')
    t.match(page.url(), github.url, 'the other way is open')
    await oidc.start(`${daemon.url}/signin/test/callback`)
    // A provider that failed is asked again some seconds later.
    for (let tries = 0; tries < 60; tries++) {
      await page.goto(agent.claimUrl)
      await page.click('text=Continue with Example ID')
      if (!page.url().startsWith(daemon.url)) break
      await page.waitForTimeout(250)
    }
    t.notMatch(page.url(), daemon.url, 'and so is this one, once it is up again')
  })
  t.teardown(() => oidc.stop())

  await t.test('a human opens the link, signs in, accepts, and the agent’s key works', async (t) => {
    const agent = await claim(daemon, 'ada.agent')
    const { page, context, complaints } = await human()
    for (let i = 0; i < 3; i++) t.equal((await fetch(agent.claimUrl)).status, 200)
    t.equal(await status(agent), 'pending', 'whoever fetches the link, such as a mail scanner, changes nothing')

    await page.goto(agent.claimUrl)
    t.match(await page.textContent('main'), agent.address)
    t.equal(await page.locator('form').count(), 0, 'nothing can be answered without a session')
    await looksGood(t, page, 'claim-signed-out')
    await page.click('text=Continue with Example ID')
    await passProvider(page, 'ada')
    t.equal(page.url(), agent.claimUrl, 'back at the link')
    t.match(await page.textContent('main'), 'Signed in as ada@example.org')
    await looksGood(t, page, 'claim-signed-in')

    const cookies = await context.cookies(daemon.url)
    const ours = cookies.filter(({ name }) => name.startsWith('__Host-restante_'))
    t.same(ours.map(({ name }) => name).sort(), ['__Host-restante_device', '__Host-restante_session'])
    for (const cookie of ours) t.match(cookie, { httpOnly: true, secure: true, sameSite: 'Lax', path: '/' })

    await page.click('button:has-text("Approve")')
    t.equal(page.url(), agent.claimUrl, 'the browser itself asks for the tick')
    t.equal(await status(agent), 'pending')
    await page.check('input[name=rules]')
    await page.click('button:has-text("Approve")')
    t.equal(await page.textContent('h1'), 'Approved')
    await looksGood(t, page, 'approved')
    t.equal(await status(agent), 'claimed')
    t.equal((await agent.call('GET', '/v1/threads')).status, 200)
    await page.reload()
    t.equal(await page.textContent('h1'), 'Approved already', 'sending the form again changes nothing')
    await page.goto(agent.claimUrl)
    t.equal(await page.textContent('h1'), 'Approved')
    t.same(complaints, [], 'nothing that the policy of the pages forbids was tried')
    await context.close()
  })

  await t.test('a claim that is declined is over, and its name is free', async (t) => {
    const agent = await claim(daemon, 'unwanted.agent')
    const { page, context } = await signedIn(browser, agent.claimUrl, 'ada')
    await page.click('button:has-text("Decline")')
    t.equal(await page.textContent('h1'), 'Declined')
    await looksGood(t, page, 'declined')
    t.equal(await status(agent), 'declined')
    await page.goto(agent.claimUrl)
    t.equal(await page.textContent('h1'), 'Declined')
    t.equal((await claim(daemon, 'unwanted.agent')).address, agent.address)
    await context.close()
  })

  await t.test('of two humans with the same link one wins, and the other reads why', async (t) => {
    const agent = await claim(daemon, 'wanted.agent')
    const humans = [await signedIn(browser, agent.claimUrl, 'ada'), await signedIn(browser, agent.claimUrl, 'bob')]
    for (const { page } of humans) await page.check('input[name=rules]')
    await Promise.all(humans.map(({ page }) => page.click('button:has-text("Approve")')))
    const titles = await Promise.all(humans.map(({ page }) => page.textContent('h1')))
    t.same(titles.sort(), ['Approved', 'Someone else was first'])
    for (const { page, context } of humans) {
      if ((await page.textContent('h1')) !== 'Approved') await looksGood(t, page, 'taken')
      await context.close()
    }
  })

  await t.test('on a second device the same human has the same account', async (t) => {
    const agent = await claim(daemon, 'second.agent')
    const first = await signedIn(browser, agent.claimUrl, 'ada')
    await first.page.check('input[name=rules]')
    await first.page.click('button:has-text("Approve")')
    const other = await claim(daemon, 'third.agent')
    const second = await signedIn(browser, other.claimUrl, 'ada')
    await second.page.check('input[name=rules]')
    await second.page.click('button:has-text("Approve")')
    const usage = async (of: Agent): Promise<unknown> => (await of.call('GET', '/v1/account/usage')).body.mailboxes
    t.equal(await usage(other), await usage(agent))
    t.ok(Number(await usage(agent)) >= 2)
    await first.page.goto(`${daemon.url}/signin`)
    await looksGood(t, first.page, 'signed-in')
    await first.page.click('button:has-text("Sign out")')
    t.equal(await first.page.textContent('h1'), 'You are signed out')
    await looksGood(t, first.page, 'signed-out')
    await second.page.goto(`${daemon.url}/signin`)
    t.equal(await second.page.textContent('h1'), 'You are signed in', 'signing out ends one session')
    await first.context.close()
    await second.context.close()
  })

  await t.test('an email that is not verified, or is missing, opens no account but its own', async (t) => {
    const [one, two] = [await claim(daemon, 'eves.agent'), await claim(daemon, 'nobodys.agent')]
    for (const [agent, name] of [[one, 'eve'] as const, [two, 'nobody'] as const]) {
      const { page, context } = await signedIn(browser, agent.claimUrl, name)
      await page.check('input[name=rules]')
      await page.click('button:has-text("Approve")')
      t.equal(await page.textContent('h1'), 'Approved')
      t.equal((await agent.call('GET', '/v1/account/usage')).body.mailboxes, 1, `${name} has one mailbox, not ada's`)
      await context.close()
    }
  })

  await t.test('GitHub is another way in, to the same account when the verified email is the same', async (t) => {
    github.user = {
      id: 12,
      login: 'ada-at-github',
      emails: [{ email: 'ada@example.org', primary: true, verified: true }],
    }
    const agent = await claim(daemon, 'github.agent')
    const { page, context } = await human()
    await page.goto(agent.claimUrl)
    await page.click('text=Continue with GitHub')
    await page.click('text=Cancel')
    t.equal(await page.textContent('h1'), 'Not signed in')
    await looksGood(t, page, 'sign-in-denied')
    await page.click('text=Continue with GitHub')
    await page.click('text=Authorize')
    t.equal(page.url(), agent.claimUrl)
    await page.check('input[name=rules]')
    await page.click('button:has-text("Approve")')
    t.ok((await agent.call('GET', '/v1/account/usage')).body.mailboxes > 1)
    await context.close()
  })

  await t.test('a provider whose token is of another sign-in or has expired signs nobody in', async (t) => {
    const agent = await claim(daemon, 'forged.agent')
    const now = Math.floor(Date.now() / 1000)
    for (const change of [{ nonce: 'another' }, { iat: now - 900, exp: now - 600 }]) {
      oidc.tamper = (claims) => ({ ...claims, ...change })
      const { page, context } = await signedIn(browser, agent.claimUrl, 'ada')
      t.equal(await page.textContent('h1'), 'The response could not be used')
      t.same(
        (await context.cookies(daemon.url)).filter(({ name }) => name.startsWith('__Host-')),
        [],
      )
      oidc.tamper = undefined
      if ('nonce' in change) await looksGood(t, page, 'sign-in-refused')
      await context.close()
    }
    t.notMatch(daemon.output(), 'ada@example.org', 'the log names nobody')
    t.match(daemon.output(), '"outcome":"refused"')
  })

  await t.test(
    'an answer of the provider works once, in the browser that asked, and only with its state',
    async (t) => {
      const agent = await claim(daemon, 'replay.agent')
      const { page, context } = await human()
      let back = ''
      page.on('request', (request) => {
        if (request.url().includes('/callback?')) back = request.url()
      })
      await page.goto(agent.claimUrl)
      await page.click('text=Continue with Example ID')
      await passProvider(page, 'ada')
      t.match(back, '/signin/test/callback?code=')
      await page.goto(back)
      t.equal(await page.textContent('h1'), 'No sign-in in progress', 'replayed')
      const stranger = await human()
      await stranger.page.goto(back)
      t.equal(await stranger.page.textContent('h1'), 'No sign-in in progress', 'in another browser')
      await looksGood(t, stranger.page, 'no-sign-in')
      await stranger.page.goto(agent.claimUrl)
      await stranger.page.click('text=Continue with Example ID')
      await stranger.page.goto(back)
      t.equal(await stranger.page.textContent('h1'), 'This sign-in is not yours', 'of another sign-in')
      await stranger.page.goto(`${daemon.url}/signin/github/callback?code=x&state=y`)
      t.equal(await stranger.page.textContent('h1'), 'This sign-in is not yours', 'of another provider')
      await stranger.context.close()
      await context.close()
    },
  )

  await t.test('signing in leads to no other site', async (t) => {
    const { page, context } = await human()
    for (const next of ['//evil.example', '/\\evil.example']) {
      await page.goto(`${daemon.url}/signin?next=${encodeURIComponent(next)}`)
      if (next === '//evil.example') await looksGood(t, page, 'sign-in')
      await page.click('text=Continue with Example ID')
      if (next === '//evil.example') await passProvider(page, 'ada')
      await page.waitForURL(`${daemon.url}/account`)
      t.equal(page.url(), `${daemon.url}/account`, next)
    }
    await context.close()
  })

  await t.test('markup in an agent’s name is text on the page', async (t) => {
    const name = '<img src=x onerror=alert(1)>"\'&amp;</blockquote><script>alert(2)</script>'
    const agent = await claim(daemon, 'markup.agent', name)
    const { page, context, complaints } = await signedIn(browser, agent.claimUrl, 'ada')
    t.equal(await page.textContent('blockquote'), name)
    t.equal(await page.locator('main img, main script').count(), 0)
    await looksGood(t, page, 'claim-markup')
    t.same(complaints, [])
    await context.close()
  })

  await t.test('a suspended human reads why, and cannot approve', async (t) => {
    const agent = await claim(daemon, 'suspended.agent')
    const suspended = await daemon.cli('account', 'suspend', 'bob@example.org', '--reason', 'bulk mail in May')
    if (suspended.code !== 0) return t.fail(`${suspended.stdout}${suspended.stderr}`)
    const { page, context } = await signedIn(browser, agent.claimUrl, 'bob')
    t.match(await page.textContent('main'), 'bulk mail in May')
    t.equal(await page.locator('button:has-text("Approve")').count(), 0)
    await looksGood(t, page, 'suspended')
    await context.close()
    return undefined
  })

  await t.test('after 24 hours nothing can be approved any more', async (t) => {
    const agent = await claim(daemon, 'late.agent')
    const { page, context } = await signedIn(browser, agent.claimUrl, 'ada')
    await daemon.end('SIGTERM')
    await daemon.start(DAY_MS)
    await page.check('input[name=rules]')
    await page.click('button:has-text("Approve")')
    const over = ['Too late', 'No claim here']
    t.ok(over.includes((await page.textContent('h1')) ?? ''), 'the form of a page that was still open')
    await looksGood(t, page, 'too-late')
    await page.goto(agent.claimUrl)
    t.ok(over.includes((await page.textContent('h1')) ?? ''))
    t.equal((await agent.call('GET', '/v1/threads')).status >= 400, true)
    await context.close()
  })

  t.comment(`pictures of every page are in ${SCREENSHOTS}`)
})
