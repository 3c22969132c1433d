/** Passkeys in Chromium with a virtual authenticator, at a real daemon: added after signing in, used without a name, removed. */
import t from 'tap'
import type { Page } from 'playwright-core'
import { approvedAgent } from '../../support/agent.js'
import { startDaemon } from '../../support/daemon.js'
import { browserPeer, inspect, newHuman, startBrowser } from '../../support/peers/browser.js'

const OWNER = 'bob@owner.test'
const STAFF = 'amy@staff.test'

t.test('a human adds a passkey, comes back with it, and removes it', browserPeer(), async (t) => {
  const daemon = await startDaemon({ 'identity.staff': `["${STAFF}"]` }, { host: 'localhost' })
  t.teardown(() => daemon.remove())
  const { url: origin } = daemon
  await approvedAgent(daemon, 'first.agent', OWNER)
  const browser = await startBrowser()
  t.teardown(() => browser.close())

  async function human() {
    const one = await newHuman(browser, origin)
    const devtools = await one.context.newCDPSession(one.page)
    await devtools.send('WebAuthn.enable')
    const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    })
    return { ...one, devtools, authenticatorId }
  }
  const looksGood = async (page: Page, name: string): Promise<void> => {
    t.same(await inspect(browser, page, name), [], `${name}: accessible in both themes, and on a phone`)
  }
  const linkFor = async (...words: string[]): Promise<string> =>
    /https?:\/\/\S+/.exec((await daemon.cli('account', 'sign-in', ...words)).stdout)?.[0] ?? ''
  const signOut = async (page: Page): Promise<void> => {
    await page.goto(`${origin}/account/sessions`)
    await page.click('button:has-text("Sign out")')
  }
  const signInByPasskey = async (page: Page, next: string): Promise<void> => {
    await page.goto(`${origin}${next}`)
    await page.click('button:has-text("Sign in with a passkey")')
  }

  const bob = await human()
  const { page } = bob
  await page.goto(await linkFor(OWNER))
  await page.click('button:has-text("Sign in")')
  await page.goto(`${origin}/account/sessions`)
  await page.fill('input[name=name]', 'My <b>phone</b>')
  await looksGood(page, 'passkeys-none')
  await page.click('button:has-text("Add a passkey")')
  await page.waitForURL(`${origin}/account/sessions?done=passkey-added`)
  t.match(await page.textContent('main'), 'My <b>phone</b>')
  await looksGood(page, 'passkeys-one')
  await page.click('button:has-text("Add a passkey")')
  await page.waitForSelector('[role=alert]:visible')
  t.match(await page.textContent('[role=alert]'), 'has a passkey of this account already')

  await signOut(page)
  await page.goto(`${origin}/signin?next=%2Finbox`)
  await page.waitForSelector('button:has-text("Sign in with a passkey"):visible')
  await looksGood(page, 'sign-in-passkey')
  await page.click('button:has-text("Sign in with a passkey")')
  await page.waitForURL(`${origin}/inbox`)
  await page.goto(`${origin}/account/sessions`)
  t.match(await page.textContent('main'), 'last used')
  t.equal((await page.goto(`${origin}/staff/review`))?.status(), 404, 'one of an owner is not staff')

  const amy = await human()
  await amy.page.goto(await linkFor('--staff', STAFF))
  await amy.page.click('button:has-text("Sign in")')
  await amy.page.goto(`${origin}/account/sessions`)
  await amy.page.click('button:has-text("Add a passkey")')
  await amy.page.waitForURL(/passkey-added/)
  await signOut(amy.page)
  await signInByPasskey(amy.page, '/staff/review')
  await amy.page.waitForURL(`${origin}/staff/review`)
  t.match(await amy.page.textContent('main'), 'amy@staff.test (staff)')

  await page.goto(`${origin}/account/sessions`)
  await page.click('button:has-text("Remove this passkey")')
  await page.waitForURL(/passkey-removed/)
  await signOut(page)
  await signInByPasskey(page, '/signin')
  await page.waitForSelector('h1:has-text("Not signed in")')
  await looksGood(page, 'passkey-unknown')
  t.same(
    bob.complaints.filter((line) => !/40[34]/.test(line)),
    [],
  )

  const unverified = await human()
  await unverified.page.goto(await linkFor(OWNER))
  await unverified.page.click('button:has-text("Sign in")')
  await unverified.page.goto(`${origin}/account/sessions`)
  await unverified.devtools.send('WebAuthn.setUserVerified', {
    authenticatorId: unverified.authenticatorId,
    isUserVerified: false,
  })
  await unverified.page.click('button:has-text("Add a passkey")')
  await unverified.page.waitForSelector('[role=alert]:visible')
  await unverified.page.reload()
  t.notMatch(await unverified.page.textContent('main'), 'Remove this passkey')

  const { stdout } = await daemon.cli('audit', '--json')
  for (const action of ['passkey.added', 'passkey.removed', 'sign_in.done', 'sign_in.failed']) t.match(stdout, action)
  t.match(stdout, '"name": "passkey"')
})
