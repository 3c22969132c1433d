/** Owners and staff of a server without an identity provider sign in by a link by mail: a real daemon, a real mail server, browsers of their own. */
import t from 'tap'
import type { Page } from 'playwright-core'
import { approvedAgent } from '../../support/agent.js'
import { startDaemon } from '../../support/daemon.js'
import { browserPeer, inspect, newHuman, startBrowser } from '../../support/peers/browser.js'
import { startPeer } from '../../support/peers/peer-server.js'

const OWNER = 'bob@owner.test'
const STAFF = 'amy@staff.test'
const HERE = 'second.agent@agents.test'

t.test('people sign in by a link in a letter, and an agent cannot', browserPeer(), async (t) => {
  const peer = await startPeer()
  t.teardown(() => peer.close())
  const daemon = await startDaemon({ 'relay.smarthost': `127.0.0.1:${peer.port}`, 'identity.staff': `["${STAFF}"]` })
  t.teardown(() => daemon.remove())
  await approvedAgent(daemon, 'first.agent', OWNER)
  const second = await approvedAgent(daemon, 'second.agent', HERE)
  const browser = await startBrowser()
  t.teardown(() => browser.close())
  const human = () => newHuman(browser, daemon.url)
  const looksGood = async (page: Page, name: string): Promise<void> => {
    t.same(await inspect(browser, page, name), [], `${name}: accessible in both themes, and on a phone`)
  }
  const ask = async (page: Page, email: string): Promise<void> => {
    await page.fill('input[name=email]', email)
    await page.click('button:has-text("Email me a link")')
    t.equal(await page.textContent('h1'), 'Look at your mail')
  }
  /** The link of the letter to an address, under the address of this test. */
  const linkTo = (address: string): string => {
    const raw = peer.mail.findLast(({ to }) => to.includes(address))?.raw.replaceAll('=\r\n', '') ?? ''
    return `${daemon.url}${/\/signin-mail\/[0-9A-Za-z]{43}/.exec(raw)?.[0] ?? '/no-link'}`
  }

  const bob = await human()
  await bob.page.goto(`${daemon.url}/inbox`)
  t.equal(bob.page.url(), `${daemon.url}/signin?next=%2Finbox`, 'signed out, he is led to the sign-in')
  await looksGood(bob.page, 'sign-in-mail')

  await ask(bob.page, HERE)
  await bob.page.goto(`${daemon.url}/signin?next=%2Finbox`)
  await ask(bob.page, 'nobody@owner.test')
  await bob.page.goto(`${daemon.url}/signin?next=%2Finbox`)
  await ask(bob.page, OWNER)
  await looksGood(bob.page, 'sign-in-mail-asked')
  await peer.count(1)
  t.match(peer.mail[0], { from: '', to: [OWNER], raw: /^Subject: Sign in to /m })
  t.match(peer.mail[0]?.raw, /^DKIM-Signature:/m)

  const stranger = await human()
  await stranger.page.goto(linkTo(OWNER))
  t.equal(await stranger.page.textContent('h1'), 'Open this link in the other browser')
  await looksGood(stranger.page, 'sign-in-mail-other-browser')

  await bob.page.goto(linkTo(OWNER))
  t.equal(await bob.page.textContent('.address'), OWNER)
  await looksGood(bob.page, 'sign-in-mail-link')
  await bob.page.click('button:has-text("Sign in")')
  t.equal(bob.page.url(), `${daemon.url}/inbox`)
  await bob.page.goto(`${daemon.url}/account`)
  t.match(await bob.page.textContent('main'), 'first.agent@agents.test')
  t.same(bob.complaints, [])

  await bob.page.goto(linkTo(OWNER))
  t.equal(await bob.page.textContent('h1'), 'This link does not work')
  await looksGood(bob.page, 'sign-in-mail-over')
  await bob.page.goto(`${daemon.url}/staff/review`)
  t.equal(await bob.page.textContent('h1'), 'Nothing here')
  await looksGood(bob.page, 'nothing-here')

  const amy = await human()
  await amy.page.goto(`${daemon.url}/staff/review`)
  await ask(amy.page, STAFF.toUpperCase())
  await peer.count(2)
  await amy.page.goto(linkTo(STAFF))
  await amy.page.click('button:has-text("Sign in")')
  t.equal(amy.page.url(), `${daemon.url}/staff/review`)
  t.match(await amy.page.textContent('main'), 'No message waits for review')

  t.equal(peer.mail.length, 2, 'nobody else got a letter')
  t.match((await second.call('GET', '/v1/messages')).body, { data: [] }, 'least of all the agent')

  const staffLink = /https?:\/\/\S+/.exec((await daemon.cli('account', 'sign-in', '--staff', STAFF)).stdout)?.[0] ?? ''
  const fresh = await human()
  await fresh.page.goto(`${daemon.url}${new URL(staffLink).pathname}`)
  await looksGood(fresh.page, 'staff-link')
  await fresh.page.click('button:has-text("Sign in")')
  await looksGood(fresh.page, 'staff-link-used')
  await fresh.page.click('text=Review >> visible=true')
  t.equal(fresh.page.url(), `${daemon.url}/staff/review`)
  const refused = await daemon.cli('account', 'sign-in', '--staff', OWNER)
  t.equal(refused.code, 1)
  t.match(refused.stderr, 'bob@owner.test is not on the staff of this server')

  const { stdout } = await daemon.cli('audit', '--action', 'sign_in', '--json')
  t.match(stdout, '"name": "email"')
  t.notMatch(stdout, /signin-mail|[0-9A-Za-z]{43}/)
})
