/** Reading in Chromium: HTML mail in its frame and on a page of its own, pictures of a sender, a long conversation, mail that the guard stopped. */
import t, { type Test } from 'tap'
import { SEND, letter } from '../../mailbox/world.js'
import { browserPeer, inspect, newHuman } from '../../support/peers/browser.js'
import { ownMailboxes } from '../world.js'
import { looks, signIn, start, WIDTHS } from './browser-world.js'

const AUTH = {
  spf: { result: 'pass', domain: 'shop.example' },
  dkim: { result: 'pass', domain: 'shop.example', selector: 's' },
  dmarc: { result: 'pass', domain: 'shop.example', policy: 'reject' },
  arc: { result: 'none' },
} as const

const newsletter = (subject: string): Buffer =>
  Buffer.from(
    [
      'From: Garden shop <news@shop.example>',
      'To: robot@agents.example',
      `Subject: ${subject}`,
      'Content-Type: text/html; charset=utf-8',
      '',
      `<h1>Spring sale</h1><p>${'Everything that grows is cheaper in April. '.repeat(12)}</p>`,
      '<p><img src="https://pics.example/tulips.png" width="600" height="240" alt="Tulips"></p>',
      `<ul>${'<li>Seeds, bulbs and pots</li>'.repeat(8)}</ul><p>The garden shop</p>`,
      '',
    ].join('\r\n'),
  )

t.test('a human reads HTML mail and long conversations in a browser', browserPeer(), async (t) => {
  const inbox = await start(t)
  const { pages, world, browser, deliver } = inbox
  const [robot = ''] = await ownMailboxes(pages, 'ada@example.org', 'robot')
  world.account.id = (await pages.accounts.ensure('ada@example.org')).id
  const { page, context, complaints } = await newHuman(browser, pages.origin)
  await signIn(inbox, page)
  const open = (threadId: string) => page.goto(`${pages.origin}/inbox/${robot}/${threadId}`)
  const looksGood = async (t: Test, name: string): Promise<void> => {
    t.same(await looks(page, name), [])
    t.same(await inspect(browser, page, name), [])
    await page.setViewportSize({ width: 1280, height: 900 })
  }

  await t.test('the frame has room for its mail at each width', async (t) => {
    const { thread_id: threadId } = await deliver(robot, { raw: newsletter('Sale'), auth: AUTH })
    await open(threadId)
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 })
      await page.locator('iframe').scrollIntoViewIfNeeded()
      const { content, room }: { content: number; room: number } = await page
        .frameLocator('iframe')
        .locator('html')
        .evaluate((root) => ({ content: root.scrollHeight, room: root.clientHeight }))
      t.equal(content, room, `nothing is to be scrolled at ${width}`)
      t.ok(
        room <
          1.6 *
            (await page
              .frameLocator('iframe')
              .locator('body')
              .evaluate((body) => body.clientHeight)),
        'little room is empty',
      )
    }
    await page.setViewportSize({ width: 1280, height: 900 })
    await looksGood(t, 'inbox-newsletter')
  })

  await t.test('it opens on a page of its own, which can do as little', async (t) => {
    const [own] = await Promise.all([context.waitForEvent('page'), page.click('text=Open it on a page of its own')])
    await own.waitForLoadState()
    t.match(await own.textContent('body'), 'Spring sale')
    t.equal(await own.evaluate('globalThis.origin'), 'null')
    t.equal(await own.evaluate('opener'), null)
    await own.setViewportSize({ width: 390, height: 900 })
    t.equal(await own.evaluate('document.documentElement.scrollWidth'), 390)
    await own.close()
  })

  await t.test('pictures of a sender are shown always, until that ends', async (t) => {
    const areShown = async (): Promise<boolean> => (await page.locator('iframe[src*="pictures="]').count()) === 1
    t.notOk(await areShown())
    await page.click('button:has-text("Always show pictures of")')
    t.match(await page.textContent('.card[role=status]'), 'are shown from now on')
    t.ok(await areShown())
    await looksGood(t, 'inbox-pictures-always')
    const { thread_id: threadId } = await deliver(robot, { raw: newsletter('Another sale'), auth: AUTH })
    await open(threadId)
    t.ok(await areShown(), 'of a later message')
    await page.click('text=All such senders')
    t.match(await page.textContent('main'), 'news@shop.example')
    await looksGood(t, 'inbox-picture-senders')
    await page.click('.senders button')
    t.match(await page.textContent('main'), 'There are none')
    await looksGood(t, 'inbox-picture-senders-none')
    await open(threadId)
    t.notOk(await areShown())
  })

  await t.test('older messages of a long conversation, and back', async (t) => {
    let threadId = ''
    for (let i = 0; i < 130; i++) {
      const headers = i === 0 ? ['Message-ID: <long@example.org>'] : ['In-Reply-To: <long@example.org>']
      ;({ thread_id: threadId } = await deliver(robot, { headers, subject: 'Re: Long', text: `Message ${i}.` }))
    }
    await world.mailboxes.labels.updateThread(robot, threadId, { unread: false })
    await open(threadId)
    t.equal(await page.locator('.message').count(), 100)
    await looksGood(t, 'inbox-long')
    await page.click('a:has-text("Older messages (30)")')
    await page.waitForLoadState()
    t.equal(await page.locator('.message').count(), 30)
    t.match(await page.textContent('.message >> nth=0'), 'Message 0.')
    await looksGood(t, 'inbox-long-older')
    await page.click('a:has-text("Newest messages")')
    await page.waitForLoadState()
    t.equal(await page.locator('.message').count(), 100)
  })

  await t.test('a message that the guard stopped has what can be done about it, and no answer', async (t) => {
    for (const decision of ['hold', 'block'] as const) {
      world.guard.verdict = { ...SEND, decision, reasons: [{ code: 'x', detail: 'It asks for a password' }] }
      const sent = await world.mailboxes.sending.send(robot, letter({ subject: `To ${decision}` }), {})
      if (!('thread_id' in sent) || sent.thread_id === null) throw new Error('not sent')
      await open(sent.thread_id)
      t.equal(await page.locator('a:has-text("Reply")').count(), 0)
      await looksGood(t, `inbox-${decision}`)
    }
  })
  t.same(pages.errors, [])
  t.same(complaints, [])
  await context.close()
})
