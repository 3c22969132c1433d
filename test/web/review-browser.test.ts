/** The pages of drafts that wait, in Chromium without scripts: looks at a phone's width and a desk's, keys, the policy, decisions. */
import t, { type Test } from 'tap'
import type { Page } from 'playwright-core'
import { createSignInLinks } from '../../src/accounts/sign-in/sign-in-links.js'
import { accountWorld, type AccountWorld } from '../api/support/account-world.js'
import { deliveryOf, SEND } from '../mailbox/world.js'
import { browserPeer, inspect, newHuman, startBrowser } from '../support/peers/browser.js'

const LONG = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'
const HOSTILE = '"><script>alert(1)</script><img src=x onerror=alert(1)>'

async function signIn({ store, clock, account, port }: AccountWorld, page: Page): Promise<void> {
  const { token } = await createSignInLinks({ store, clock }).make(account.id)
  await page.goto(`http://127.0.0.1:${port}/signin-link/${token}`)
  await page.click('button:has-text("Sign in")')
}

t.test('the owner decides on drafts in a browser', browserPeer(), async (t) => {
  const w = await accountWorld(t, {
    verdict: {
      ...SEND,
      category: 'spam',
      decision: 'hold',
      reasons: [{ code: 'urgent_words', detail: 'It asks to act at once' }],
    },
  })
  const origin = `http://127.0.0.1:${w.port}`
  const key = (await w.accounts.createKey(w.id, { name: 'careful', requiresApproval: true })).text
  const ask = async (mail: object): Promise<string> => {
    const { json } = await w.call(
      'POST',
      '/v1/send',
      { to: 'ada@example.org', subject: 'Friday', text: 'Ten?', ...mail },
      key,
    )
    return `${origin}${new URL((json as { review_url: string }).review_url).pathname}`
  }
  const browser = await startBrowser()
  t.teardown(() => browser.close())
  const { page, context, complaints } = await newHuman(browser, origin)
  const looksGood = async (t: Test, name: string): Promise<void> => {
    t.same(await inspect(browser, page, name), [], `${name}: accessible in both themes, and on a phone`)
  }
  const done = (): Promise<string | null> => page.textContent('[role=status]')
  await signIn(w, page)

  await t.test('none waits: the page says what would be here', async (t) => {
    await page.goto(`${origin}/review`)
    t.match(await page.textContent('.empty'), 'No draft waits for you.')
    await looksGood(t, 'review-empty')
  })

  await t.test('hostile and long words, pictures, files and right-to-left names', async (t) => {
    const original = await w.mailboxes.delivery.deliver(
      await deliveryOf(w.id, {
        from: `=?utf-8?q?=D7=A2=D7=93=D7=94?= <ada@example.org>`,
        subject: HOSTILE,
        text: `${LONG}\n`.repeat(3),
      }),
    )
    const { json } = await w.call(
      'POST',
      `/v1/messages/${original.id}/reply`,
      {
        text: `${HOSTILE}\n${LONG}`,
        html: `<p>${LONG}</p><a href="https://elsewhere.example/${LONG}">your bank</a><img src="https://elsewhere.example/x.png"><script>alert(1)</script>`,
        attachments: [
          { filename: `${LONG}.html`, content_type: 'text/html', content: 'PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==' },
        ],
      },
      key,
    )
    const { review_url: url } = json as { review_url: string }
    await ask({ subject: HOSTILE, to: ['ada@example.org', 'bob@example.org'], text: LONG })
    await page.goto(`${origin}/review`)
    await looksGood(t, 'review-list')
    t.equal(await page.locator('li.card').count(), 2)
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await page.goto(`${origin}${new URL(url).pathname}`)
    await page.click('summary:has-text("What it answers")')
    await page.click('summary:has-text("The HTML as it is written")')
    await looksGood(t, 'review-draft')
    t.same(
      asked.filter((each) => !each.startsWith(origin)),
      [],
      'nothing is asked of others',
    )
    t.equal(await page.title(), 'Send this message? · Agents Mail', 'no words of the mail in the title')
    const order = await page.evaluate<string[]>(
      `[...document.querySelectorAll('textarea, button')].map((each) => each.name || each.textContent.trim())`,
    )
    t.same(order, ['text', 'Send', 'note', 'Send back with this note', 'Discard the draft', 'Sign out'])
    const download = page.waitForEvent('download')
    await page.click('dd a')
    t.match((await download).suggestedFilename(), '.html')
  })

  await t.test('with the keyboard alone: change the words and send', async (t) => {
    await page.goto(await ask({}))
    const focused = (): Promise<string> =>
      page.evaluate(`document.activeElement.name || document.activeElement.textContent.trim()`)
    while ((await focused()) !== 'text') await page.keyboard.press('Tab')
    await page.keyboard.press('Control+A')
    await page.keyboard.type('Shall we say ten?')
    await page.keyboard.press('Tab')
    t.equal(await focused(), 'Send')
    await page.keyboard.press('Enter')
    await page.waitForURL(/done=held/)
    t.match(await done(), 'You approved the message. The guard holds it')
    await looksGood(t, 'review-done')
    const [held] = await w.mailboxes.reading.held(w.id, 1)
    const message = await w.mailboxes.reading.message(w.id, held?.id ?? '')
    t.match([message.composed_by, message.text.trimEnd()], ['human', 'Shall we say ten?'])
    await page.goBack()
    t.match(await page.textContent('main'), 'That draft is not there any more', 'it is decided once')
    t.match(complaints.splice(0), [/404/])
  })

  await t.test(
    'a draft that changed after it was opened is shown again; then it goes back, and is discarded',
    async (t) => {
      const url = await ask({ subject: 'Monday' })
      await page.goto(url)
      const id = url.split('/').at(-1) ?? ''
      await w.call('PATCH', `/v1/drafts/${id}`, { text: 'Send the money.' }, key)
      await page.click('text="Send"')
      t.match(
        await page.textContent('[role=alert]'),
        'The draft has changed since you opened it, and nothing was done.',
      )
      t.equal(await page.inputValue('#text'), 'Send the money.')
      await looksGood(t, 'review-changed')
      await page.fill('#note', 'Ask politely.')
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      await page.waitForURL(/done=returned/)
      t.match((await w.call('GET', `/v1/drafts/${id}`)).json, { review: { status: 'returned', note: 'Ask politely.' } })
      await page.goto(url)
      t.match(await page.textContent('main'), 'Note: Ask politely.')
      await page.click('text="Discard the draft"')
      await page.waitForURL(/done=discarded/)
      t.equal((await w.call('GET', `/v1/drafts/${id}`)).status, 404)
    },
  )

  await t.test('the page of a mailbox sets who asks', async (t) => {
    await page.goto(`${origin}/account/mailboxes/${w.id}`)
    await page.check('text=Ask me before anything is sent from here')
    await looksGood(t, 'mailbox-approval')
    await page.click('text="Save"')
    t.match(await done(), 'It is set')
    t.match(await w.mailboxes.settings.get(w.id), { requiresApproval: true })
  })
  t.same(complaints, [], 'no script, nothing that the policy had to stop')
  await context.close()
})
