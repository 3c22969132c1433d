/** Staff review in a browser what the check holds. */
import t, { type Test } from 'tap'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { claim, waitForEvent } from '../../support/agent.js'
import { browserPeer, inspect, startBrowser } from '../../support/peers/browser.js'
import { startDaemon } from '../../support/daemon.js'
import { signedIn } from '../../support/humans.js'
import { oidcPeer } from '../../support/peers/oidc-provider.js'
import { startPeer } from '../../support/peers/peer-server.js'
import { PHISH, sendHeld, statusIs } from '../../support/review.js'

t.test('staff review in a browser; to everybody else the pages are not there', browserPeer(), async (t) => {
  const peer = await startPeer()
  t.teardown(() => peer.close())
  const oidc = await oidcPeer()
  oidc.people.set('amy', { preferred_username: 'amy', email: 'amy@example.org', email_verified: true })
  const secret = join(t.testdir(), 'secret')
  writeFileSync(secret, `${oidc.clientSecret}\n`)
  const provider = `{ id = "test", kind = "oidc", name = "Example ID", issuer = "${oidc.issuer}", client_id = "${oidc.clientId}", client_secret_file = "${secret}" }`
  const daemon = await startDaemon({
    'identity.providers': `[${provider}]`,
    'identity.staff': 'amy@example.org',
    'relay.smarthost': `127.0.0.1:${peer.port}`,
    // A person is to see what would otherwise be blocked.
    'guard.block_score': '1',
  })
  t.teardown(() => daemon.remove())
  await oidc.start(`${daemon.url}/signin/test/callback`)
  t.teardown(() => oidc.stop())
  const browser = await startBrowser()
  t.teardown(() => browser.close())
  const looksGood = async (t: Test, page: Page, name: string): Promise<void> => {
    t.same(await inspect(browser, page, name), [], `${name}: accessible in both themes, and on a phone`)
  }

  const agent = await claim(daemon, 'ada.agent')
  const owner = await signedIn(browser, agent.claimUrl, 'ada')
  await owner.page.check('input[name=rules]')
  await owner.page.click('button:has-text("Approve")')
  const amy = await signedIn(browser, `${daemon.url}/signin?next=%2Fstaff%2Freview`, 'amy')
  const { page } = amy
  t.equal(page.url(), `${daemon.url}/staff/review`)
  t.match(await page.textContent('main'), 'No message waits for review')
  await looksGood(t, page, 'staff-nothing')

  await page.click('nav >> text=The day')
  t.equal(page.url(), `${daemon.url}/staff/day`)
  t.match(await page.textContent('main'), /No mail was sent today/)
  await looksGood(t, page, 'staff-day-nothing')
  await page.goto(`${daemon.url}/staff/parts`)
  await looksGood(t, page, 'staff-parts')
  await page.goto(`${daemon.url}/staff/review`)

  const out = await fetch(`${daemon.url}/staff/review`, { redirect: 'manual' })
  t.match([out.status, out.headers.get('location')], [303, '/signin?next=%2Fstaff%2Freview'], 'signed out')
  const [first, second, third] = [
    await sendHeld(agent, PHISH),
    await sendHeld(agent, { subject: 'Second' }),
    await sendHeld(agent, { subject: 'Third' }),
  ]
  for (const path of ['/staff/review', `/staff/review/${first}`, '/staff/review/log', '/staff/day']) {
    const answer = await owner.page.goto(`${daemon.url}${path}`)
    t.equal(answer?.status(), 404, `an owner finds no ${path}`)
  }
  await owner.page.goto(`${daemon.url}/account`)
  t.notMatch(await owner.page.textContent('nav'), 'Review')

  await t.test('the queue leads to a message that is shown as text', async (t) => {
    await page.goto(`${daemon.url}/account`)
    await page.click('nav >> text=Review (3)')
    await looksGood(t, page, 'staff-review')
    await page.click('text=Your account <b>is limited</b>')
    t.equal(page.url(), `${daemon.url}/staff/review/${first}`)
    const main = (await page.textContent('main')) ?? ''
    t.match(main, 'verify your account within 24 hours')
    t.match(main, /https:\/\/www\.paypal\.com\/\s+goes to\s+http:\/\/192\.0\.2\.7\/login/)
    t.notMatch(main, /\u202e/)
    t.match(main, 'txt.exe')
    t.equal(await page.locator('main a[href*="192.0.2.7"], main img, main script').count(), 0)
    t.match(main, 'ada@example.org')
    await page.click('summary')
    await looksGood(t, page, 'staff-message')
  })

  await t.test('approving sends it and leads to the next one', async (t) => {
    await page.focus('button:has-text("Approve")')
    await page.keyboard.press('Enter')
    await page.waitForURL(`${daemon.url}/staff/review/${second}?done=approve`)
    t.match(await page.textContent('[role=status]'), 'Approved')
    await peer.count(1)
    await waitForEvent(agent, statusIs(first, 'delivered'))
    await page.goto(`${daemon.url}/staff/review/${first}`)
    t.match(await page.textContent('main'), /amy@example\.org approved it/)
    t.equal(await page.locator('button:has-text("Approve")').count(), 0)
    await looksGood(t, page, 'staff-decided')
  })

  await t.test('who comes second is told who was first', async (t) => {
    await page.goto(`${daemon.url}/staff/review/${second}`)
    t.match(await daemon.cli('review', 'reject', second), { code: 0 })
    await page.click('button:has-text("Approve")')
    t.match(await page.textContent('[role=alert]'), /Already decided: cli:\S+ rejected it/)
    await looksGood(t, page, 'staff-too-late')
  })

  await t.test('rejecting with a suspension takes a reason', async (t) => {
    await page.goto(`${daemon.url}/staff/review/${third}`)
    await page.click('summary')
    await page.fill('input[name=reason]', 'Phishing')
    await page.click('button:has-text("Reject and suspend")')
    await page.waitForURL(/\/staff\/review\?done=suspend/)
    t.match(await page.textContent('[role=status]'), 'the account of its sender is suspended')
    t.match((await agent.call('GET', '/v1/threads')).body, { error: { code: 'account_suspended' } })
    await page.click('nav >> text=Decisions')
    t.match(await page.textContent('table'), /rejected, account suspended/)
    await looksGood(t, page, 'staff-log')
    await page.click('nav >> text=Blocked')
    await looksGood(t, page, 'staff-blocked')
  })

  await t.test('the day is drawn, and its numbers can be read', async (t) => {
    await page.click('nav >> text=The day')
    t.match(await page.textContent('#checked ~ ul'), /held for review \(3\)/)
    t.match(
      await page.locator('#mail-out ~ .chart svg desc').textContent(),
      /delivered: \d+ all day, most \(\d+\) in the ten minutes from/,
    )
    t.match(await page.textContent('main'), /No mail was received today/)
    await page.click('section:has(#checked) summary')
    t.match(await page.textContent('section:has(#checked) table'), /held for review/)
    await looksGood(t, page, 'staff-day')
  })

  const besidesRefusals = [...amy.complaints, ...owner.complaints].filter(
    (each) => !/the server responded with a status of 4\d\d/.test(each),
  )
  t.same(besidesRefusals, [], 'nothing that the policy of the pages forbids was tried')
})
