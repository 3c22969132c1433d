/** The pages of an owner over a real daemon, with a browser: keys, held messages, sessions, an export, a deletion and its being taken back. */
import t, { type Test } from 'tap'
import { writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { claim, request, waitForEvent } from '../../support/agent.js'
import { browserPeer, inspect, startBrowser } from '../../support/peers/browser.js'
import { startDaemon } from '../../support/daemon.js'
import { signedIn } from '../../support/humans.js'
import { oidcPeer } from '../../support/peers/oidc-provider.js'

const DAY_MS = 24 * 3600 * 1000

t.test(
  'an owner sees to mailboxes, keys, sessions, an archive and the end of the account',
  browserPeer(),
  async (t) => {
    const oidc = await oidcPeer()
    const secret = join(t.testdir(), 'secret')
    writeFileSync(secret, `${oidc.clientSecret}\n`)
    const provider = `{ id = "test", kind = "oidc", name = "Example ID", issuer = "${oidc.issuer}", client_id = "${oidc.clientId}", client_secret_file = "${secret}" }`
    const daemon = await startDaemon({ 'identity.providers': `[${provider}]` })
    t.teardown(() => daemon.remove())
    await oidc.start(`${daemon.url}/signin/test/callback`)
    t.teardown(() => oidc.stop())
    const browser = await startBrowser()
    t.teardown(() => browser.close())

    const looksGood = async (t: Test, page: Page, name: string): Promise<void> => {
      t.same(await inspect(browser, page, name), [], `${name}: accessible in both themes, and on a phone`)
    }
    const agent = await claim(daemon, 'ada.agent', 'Research helper')
    const { page, context, complaints } = await signedIn(browser, agent.claimUrl, 'ada')
    const open = (path: string) => page.goto(`${daemon.url}${path}`)
    const withKey = (key: string, method: string, path: string, body?: unknown) =>
      request(`${daemon.url}${path}`, method, body, { authorization: `Bearer ${key}` })

    await t.test('after the approval the mailbox is on the first page', async (t) => {
      await open('/account')
      await looksGood(t, page, 'owner-nothing-yet')
      await page.goto(agent.claimUrl)
      await page.check('input[name=rules]')
      await page.click('button:has-text("Approve")')
      await page.click('text=Your mailboxes')
      t.equal(page.url(), `${daemon.url}/account`)
      t.match(await page.textContent('table'), agent.address)
      t.match(await page.textContent('main'), 'ada@example.org')
      await looksGood(t, page, 'owner-mailboxes')
    })

    await t.test('a message that is held is shown with why', async (t) => {
      const held = await agent.call('POST', '/v1/send', {
        to: 'hold@simulator.agents.test',
        subject: '<b>Please wait</b>',
        text: 'This waits.',
      })
      t.equal(held.status, 202)
      await waitForEvent(agent, ({ type, data }) => type === 'message.status' && data.status === 'held')
      await page.reload()
      t.match(await page.textContent('table'), '1 waiting for review')
      await page.click(`text=${agent.address}`)
      t.match(await page.textContent('main'), '<b>Please wait</b>')
      t.match(await page.textContent('main'), held.body.id)
      await looksGood(t, page, 'owner-mailbox')
    })

    await t.test('a key is made with few rights, rotated, and revoked', async (t) => {
      await page.click('text=Make another key')
      await page.fill('input[name=name]', 'Night shift')
      for (const scope of ['mail:send', 'mail:write']) await page.uncheck(`input[value="${scope}"]`)
      await looksGood(t, page, 'owner-new-key-form')
      await page.click('button:has-text("Make the key")')
      const first = (await page.textContent('pre')) ?? ''
      t.match(first, /^rst_[0-9A-Za-z]{43}$/)
      await looksGood(t, page, 'owner-new-key')
      t.equal((await withKey(first, 'GET', '/v1/threads')).status, 200)
      const letter = { to: 'delivered@simulator.agents.test', subject: 'x', text: 'x' }
      const refused = await withKey(first, 'POST', '/v1/send', letter)
      t.match(refused, { status: 403, body: { error: { code: 'insufficient_scope' } } })

      await page.click('text=I have it')
      t.notMatch(await page.textContent('main'), first, 'it is shown once')
      const card = page.locator('li.card', { hasText: 'Night shift' })
      await card.locator('summary').click()
      await card.locator('button:has-text("Rotate")').click()
      const second = (await page.textContent('pre')) ?? ''
      t.not(second, first)
      t.equal((await withKey(first, 'GET', '/v1/threads')).status, 401)
      t.equal((await withKey(second, 'GET', '/v1/threads')).status, 200)

      await page.click('text=I have it')
      await card.locator('summary').click()
      await card.locator('button:has-text("Revoke")').click()
      t.match(await page.textContent('[role=status]'), 'The key is revoked')
      t.equal((await withKey(second, 'GET', '/v1/threads')).status, 401)
      t.equal((await agent.call('GET', '/v1/threads')).status, 200, 'the others work on')
    })

    await t.test('a session elsewhere is seen and ended', async (t) => {
      const other = await signedIn(browser, `${daemon.url}/signin`, 'ada')
      await open('/account/sessions')
      t.equal(await page.locator('li.card').count(), 2)
      await looksGood(t, page, 'owner-sessions')
      await page.click('button:has-text("End this session")')
      t.equal(await page.locator('li.card').count(), 1)
      await other.page.goto(`${daemon.url}/account`)
      t.match(other.page.url(), '/signin?next=%2Faccount')
      await other.context.close()
    })

    await t.test('an archive is made and downloaded', async (t) => {
      await open('/account/export')
      await page.click('button:has-text("Make an archive")')
      await waitForEvent(agent, ({ type }) => type === 'export.ready')
      await open('/account/export')
      await looksGood(t, page, 'owner-export')
      const [download] = await Promise.all([page.waitForEvent('download'), page.click('text=Download')])
      t.match(download.suggestedFilename(), /\.zip$/)
      t.equal((await readFile(await download.path())).subarray(0, 4).toString('latin1'), 'PK\x03\x04')
    })

    await t.test('an account that is to be deleted can be kept', async (t) => {
      await open('/account/delete')
      await looksGood(t, page, 'owner-delete')
      await page.fill('input[name=word]', 'no')
      await page.click('button:has-text("Delete my account")')
      t.match(await page.textContent('main'), 'nothing was changed')
      t.equal((await agent.call('GET', '/v1/threads')).status, 200)

      await open('/account/delete')
      await page.fill('input[name=word]', 'delete')
      await page.click('button:has-text("Delete my account")')
      t.match(await page.textContent('main'), 'about to be deleted')
      await looksGood(t, page, 'owner-deletion-pending')
      const refused = await agent.call('GET', '/v1/threads')
      t.match(refused, { status: 403, body: { error: { code: 'account_deletion_pending' } } })
      await page.click('button:has-text("Keep my account")')
      t.match(await page.textContent('[role=status]'), 'Your account stays')
      t.equal((await agent.call('GET', '/v1/threads')).status, 200)
    })

    await t.test('after its 30 days it is gone, and so is the session', async (t) => {
      await open('/account/delete')
      await page.fill('input[name=word]', 'delete')
      await page.click('button:has-text("Delete my account")')
      await daemon.end('SIGTERM')
      await daemon.start(30 * DAY_MS + 60_000)
      for (let status = 0; status !== 401;) {
        status = (await agent.call('GET', '/v1/claim/status')).status
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
      await open('/account')
      t.match(page.url(), '/signin')
      t.equal((await claim(daemon, 'ada.agent')).address, agent.address, 'its address is free')
    })

    const besidesRefusals = complaints.filter((each) => !/the server responded with a status of 4\d\d/.test(each))
    t.same(besidesRefusals, [], 'nothing that the policy of the pages forbids was tried')
    await context.close()
  },
)
