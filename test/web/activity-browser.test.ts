/** The page of an agent's activity in Chromium without scripts, and the buttons that pause an agent there, on the page of its mailbox and in the inbox. */
import t, { type Test } from 'tap'
import { createSignInLinks } from '../../src/accounts/sign-in/sign-in-links.js'
import { DAY } from '../../src/lib/clock.js'
import { accountWorld } from '../api/support/account-world.js'
import { deliveryOf } from '../mailbox/world.js'
import { browserPeer, inspect, newHuman, startBrowser } from '../support/peers/browser.js'

const HOSTILE = '"><script>alert(1)</script>'
const LONG = 'donaudampfschifffahrtselektrizitaetenhauptbetriebswerk@gesellschaft.example'

t.test('the owner looks at what an agent did, and pauses it', browserPeer(), async (t) => {
  const w = await accountWorld(t, { isAudited: true })
  const origin = `http://127.0.0.1:${w.port}`
  const browser = await startBrowser()
  t.teardown(() => browser.close())
  const { page, complaints } = await newHuman(browser, origin)
  const { token } = await createSignInLinks({ store: w.store, clock: w.clock }).make(w.account.id)
  await page.goto(`${origin}/signin-link/${token}`)
  await page.click('button:has-text("Sign in")')
  const mailbox = `${origin}/account/mailboxes/${w.id}`
  const paused = async () => (await w.mailboxes.directory.get(w.id))?.paused?.what
  const done = (): Promise<string | null> => page.textContent('p[role=status]')
  const looksGood = async (t: Test, name: string): Promise<void> => {
    t.same(await inspect(browser, page, name), [], `${name}: accessible in both themes, and on a phone`)
    for (const width of [390, 768, 1280]) {
      await page.setViewportSize({ width, height: 900 })
      const isTooWide = await page.evaluate(
        'document.documentElement.scrollWidth > document.documentElement.clientWidth',
      )
      t.notOk(isTooWide, `${name} at ${width}`)
    }
  }

  await t.test('of a mailbox in which nothing happened', async (t) => {
    await page.goto(`${mailbox}/activity`)
    t.match(await page.textContent('main'), 'Nothing was received, sent, or came back in the last 30 days.')
    t.match(await page.textContent('main'), 'It wrote to nobody in this time.')
    t.match(await page.textContent('main'), 'Level 0 of 6: your agents may write to 100 new recipients a day.')
    t.match(await page.textContent('main'), 'mail was sent on 7 days; so far 0 (not yet)')
    await looksGood(t, 'activity-empty')
  })

  await t.test('of a busy one, with hostile and long words', async (t) => {
    await w.call('POST', '/v1/keys', { name: HOSTILE })
    for (let day = 0; day < 20; day++) {
      for (let i = 0; i < (day * 7) % 5; i++) await w.mailboxes.delivery.deliver(await deliveryOf(w.id, {}))
      for (let i = 0; i < (day * 3) % 4; i++)
        await w.call('POST', '/v1/send', {
          to: i === 0 ? LONG : `r${i}@example.org`,
          subject: `No. ${day} ${i}`,
          text: 'x',
        })
      w.clock.advance(DAY)
    }
    const again = await createSignInLinks({ store: w.store, clock: w.clock }).make(w.account.id)
    await page.goto(`${origin}/signin-link/${again.token}`)
    await page.click('button:has-text("Sign in")')
    await page.goto(`${mailbox}/activity`)
    t.equal(await page.locator('svg[role=img] path.line').count(), 3)
    t.match(await page.textContent('main'), LONG)
    const asked = await page.textContent('[aria-label="Who asked to send it, by the day"]')
    t.match(asked, /\d{4}-\d\d-\d\d\s*key “[^”]+”: 2/, 'by name, day by day')
    t.notMatch(asked, /not known|key_/)
    await page.click('summary:has-text("Numbers by the day")')
    t.equal(await page.locator('section table tbody tr').count(), 30)
    t.match(await page.textContent('main'), /key made[^]*sign in done/)
    await looksGood(t, 'activity')
  })

  await t.test('pausing and resuming on each page', async (t) => {
    await page.click('button:has-text("Pause sending")')
    t.match([await paused(), page.url()], ['sending', `${mailbox}/activity?done=paused`])
    t.match(await done(), 'Sending is paused.')
    t.match(await page.textContent('main'), /mailbox paused[^]*sending/)
    await looksGood(t, 'activity-paused')
    await page.goto(mailbox)
    await page.click('button:has-text("Pause everything")')
    t.match([await paused(), page.url()], ['all', `${mailbox}?done=stopped`])
    t.match(await page.textContent('main'), 'None of its keys and connections works.')
    await looksGood(t, 'mailbox-paused')
    await page.goto(`${origin}/account`)
    t.match(await page.textContent('main table'), 'paused')
    await page.goto(`${origin}/inbox?mailbox=agent%40agents.example&view=sent`)
    await looksGood(t, 'inbox-paused')
    await page.click('button:has-text("Resume")')
    t.equal(await paused(), undefined)
    t.match(page.url(), `${origin}/inbox?mailbox=agent%40agents.example&view=sent&done=resumed`)
    t.match(await done(), 'Resumed.')
    await page.click('summary:has-text("Pause this agent")')
    await looksGood(t, 'inbox-pause')
    await page.click('button:has-text("Pause everything")')
    t.equal(await paused(), 'all')
    await page.click('button:has-text("Let it read again, but not send")')
    t.equal(await paused(), 'sending')
    await page.click('button:has-text("Resume")')
    t.equal(await paused(), undefined)
  })

  await t.test('pausing and withdrawing what waits, at once or later', async (t) => {
    const waiting = async () => {
      const id = (
        (await w.call('POST', '/v1/send', { to: 'late@example.org', subject: 'x', text: 'x' })).json as { id: string }
      ).id
      return async () => (await w.mailboxes.reading.message(w.id, id)).status
    }
    const first = await waiting()
    await page.goto(`${mailbox}/activity`)
    await page.check('label:has-text("and withdraw mail of the agent that waits") input')
    await looksGood(t, 'activity-withdraw')
    await page.click('button:has-text("Pause sending")')
    t.match([await paused(), await first()], ['sending', 'cancelled'])
    t.match(await page.textContent('main'), /Sending is paused\.[^]*\d+ messages were withdrawn\./)
    t.match(await page.textContent('main'), /mailbox mail withdrawn[^]*\d+ withdrawn, 0 on their way/)
    await looksGood(t, 'activity-withdrawn')
    await page.click('button:has-text("Resume")')
    t.notMatch(page.url(), 'withdrawn')
    const second = await waiting()
    await page.goto(`${origin}/inbox?mailbox=agent%40agents.example&view=sent`)
    await page.click('summary:has-text("Pause this agent")')
    await page.click('button:has-text("Pause everything")')
    t.equal(await second(), 'queued', 'it waits unless one asks for it')
    await page.click('button:has-text("Withdraw what waits")')
    t.match([await paused(), await second()], ['all', 'cancelled'])
    t.match(await page.textContent('main'), '1 message was withdrawn.')
    await looksGood(t, 'inbox-withdrawn')
    await page.click('button:has-text("Resume")')
  })

  await t.test('a way back that leads elsewhere is not taken, and no other mailbox is changed', async (t) => {
    const ada = await w.addMailbox('ada@agents.example', 'ada@example.org')
    await page.goto(mailbox)
    const mark = (await page.getAttribute('input[name=mark]', 'value')) ?? ''
    const post = (path: string, form: Record<string, string>) =>
      page.request.post(`${origin}${path}`, { form, headers: { Origin: origin }, maxRedirects: 0 })
    const back = async (given: string) =>
      (await post(`/account/mailboxes/${w.id}/resume`, { mark, back: given })).headers()['location']
    t.equal(await back('https://elsewhere.example/inbox'), `/account/mailboxes/${w.id}?done=resumed`)
    t.equal(await back('//elsewhere.example/inbox'), `/account/mailboxes/${w.id}?done=resumed`)
    t.equal(await back('/inboxes'), `/account/mailboxes/${w.id}?done=resumed`)
    t.equal(await back('/inbox?view=spam'), '/inbox?view=spam&done=resumed')
    t.equal((await post(`/account/mailboxes/${ada.id}/pause`, { mark, what: 'all' })).status(), 404)
    t.equal((await post(`/account/mailboxes/${w.id}/pause`, { mark, what: 'nothing' })).status(), 400)
    t.equal((await post(`/account/mailboxes/${w.id}/pause`, { what: 'all' })).status(), 400, 'without the mark')
    t.equal((await post(`/account/mailboxes/${ada.id}/activity`, { mark })).status(), 405)
    t.equal((await page.request.get(`${origin}/account/mailboxes/${ada.id}/activity`)).status(), 404)
    t.equal((await w.mailboxes.directory.get(ada.id))?.paused, undefined)
    t.equal(await paused(), undefined)
  })

  await t.test('a cursor of nobody says so', async (t) => {
    await page.goto(`${mailbox}/activity?cursor=nonsense`)
    t.match(await page.textContent('main'), 'begin again with the newest entries')
    t.same(complaints, [], 'no page complains')
  })
})
