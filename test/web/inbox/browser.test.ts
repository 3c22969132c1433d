/** The inbox in Chromium: how it looks at each width in both themes, keys, live arrivals, without scripts, and what hostile mail can do there: nothing. */
import t, { type Test } from 'tap'
import { createServer } from 'node:http'
import { letter, SEND } from '../../mailbox/world.js'
import { browserPeer, inspect, newHuman } from '../../support/peers/browser.js'
import { listenAnywhere } from '../../support/ports.js'
import { ownMailboxes } from '../world.js'
import { ATTACKS } from '../../mime/html/attacks.js'
import { PAYLOADS } from './payloads.js'
import { inSample } from '../../support/sample.js'
import { looks, signIn, start } from './browser-world.js'

/** Messages of one conversation, each with one payload. */
const BATCH = 10

t.test('a human reads the mail of their agents in a browser', browserPeer(), async (t) => {
  const inbox = await start(t)
  const { pages, world, browser, deliver } = inbox
  const [robot = '', desk = ''] = await ownMailboxes(pages, 'ada@example.org', 'robot', 'front.desk')
  // The account that the mailbox domain knows.
  world.account.id = (await pages.accounts.ensure('ada@example.org')).id
  const { page, context, complaints } = await newHuman(browser, pages.origin)
  const looksGood = async (t: Test, name: string): Promise<void> => {
    t.same(await looks(page, name), [], `${name}: nothing is wider than the screen`)
    t.same(await inspect(browser, page, name), [], `${name}: accessible in both themes, and on a phone`)
  }
  await signIn(inbox, page)

  await t.test('an inbox without mail', async (t) => {
    await page.goto(`${pages.origin}/inbox`)
    t.match(await page.textContent('main'), 'No mail in the inbox')
    await looksGood(t, 'inbox-empty')
  })

  const auth = {
    spf: { result: 'pass', domain: 'shop.example' },
    dkim: { result: 'pass', domain: 'shop.example', selector: 's' },
    dmarc: { result: 'pass', domain: 'shop.example', policy: 'reject' },
    arc: { result: 'none' },
  } as const
  await deliver(robot, { from: 'Newsletter <news@list.example>', subject: 'What is new in March', text: 'Lots.' })
  await deliver(robot, {
    from: `"${'W'.repeat(120)}" <w@example.org>`,
    subject: 'X'.repeat(400),
    text: 'y'.repeat(3000),
  })
  await deliver(desk, {
    from: 'ليلى <layla@example.org>',
    subject: 'مرحبا، موعد الغد',
    text: 'نلتقي غدا في الساعة العاشرة.',
  })
  const evil = '<script>alert(1)</script>'
  await deliver(desk, { from: `"${evil}" <e@example.org>`, subject: `${evil}<img src=x onerror=alert(1)>`, text: evil })
  await deliver(robot, {
    headers: ['Message-ID: <p1@example.org>'],
    subject: 'Planning',
    text: 'Shall we meet on Friday?',
  })
  await deliver(robot, {
    ...{ headers: ['In-Reply-To: <p1@example.org>'], subject: 'Re: Planning', from: 'Bob Builder <bob@example.org>' },
    text: 'Yes, at ten.\r\n\r\nOn Monday Ada wrote:\r\n> Shall we meet on Friday?\r\n',
  })
  const code = await deliver(robot, {
    ...{ from: 'Shop <no-reply@shop.example>', subject: 'Your sign-in code', auth, labels: ['codes', 'shop'] },
    text: 'Your code is 482913. It is valid for ten minutes.',
  })
  world.guard.verdict = {
    ...SEND,
    decision: 'hold',
    reasons: [{ code: 'asks', detail: 'It asks for a password in words of phishing' }],
  }
  const held = await world.mailboxes.sending.send(robot, letter({ subject: 'Please confirm your account' }), {})
  if (!('thread_id' in held) || held.thread_id === null) throw new Error('not sent')
  await world.mailboxes.outbound.runCheck(robot, held.id)

  await t.test('the list, with mail of both mailboxes', async (t) => {
    await page.goto(`${pages.origin}/inbox`)
    t.equal(await page.locator('.mail').count(), 6)
    await looksGood(t, 'inbox-list')
    for (const box of (await page.locator('.pick input').all()).slice(0, 2)) await box.check()
    await looksGood(t, 'inbox-selected')
  })

  await t.test('a conversation, folded', async (t) => {
    await page.setViewportSize({ width: 1280, height: 900 })
    await page.click('text=Re: Planning >> nth=0').catch(() => page.click('.mail:has-text("Planning") a'))
    t.equal(await page.locator('details[open] > summary[data-row]').count(), 2, 'both were unread')
    await page.reload()
    t.equal(await page.locator('details[open] > summary[data-row]').count(), 1, 'now the first is folded')
    await looksGood(t, 'inbox-conversation')
  })

  await t.test('a code is copied by its button', async (t) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.goto(`${pages.origin}/inbox/${robot}/${code.thread_id}`)
    await looksGood(t, 'inbox-code')
    await page.setViewportSize({ width: 1280, height: 900 })
    await page.click('button:has-text("Copy")')
    await page.waitForSelector('button:has-text("Copied")')
    t.equal(await page.evaluate('navigator.clipboard.readText()'), '482913')
    await page.click('text=What was checked')
    await looksGood(t, 'inbox-checks')
  })

  await t.test('a held message says why, and is withdrawn', async (t) => {
    await page.goto(`${pages.origin}/inbox?view=held`)
    await page.click('.mail a')
    t.match(await page.textContent('main'), 'It asks for a password in words of phishing')
    await looksGood(t, 'inbox-held')
    await page.click('button:has-text("Withdraw")')
    t.match(await page.textContent('[role=status]'), 'Withdrawn')
  })

  await t.test('with the keyboard alone', async (t) => {
    await page.setViewportSize({ width: 1280, height: 900 })
    await page.goto(`${pages.origin}/inbox`)
    const first = await page.locator('.mail a').first().getAttribute('href')
    const second = await page.locator('.mail a').nth(1).getAttribute('href')
    const focused = (): Promise<string> => page.evaluate('document.activeElement.getAttribute("href")')
    await page.keyboard.press('j')
    t.equal(await focused(), first)
    await page.keyboard.press('j')
    t.equal(await focused(), second)
    await page.keyboard.press('k')
    await page.keyboard.press('k')
    t.equal(await focused(), first, 'before the first there is nothing')
    await page.keyboard.press('o')
    await page.waitForURL(pages.origin + first)
    await page.keyboard.press('u')
    await page.waitForURL(`${pages.origin}/inbox?mailbox=*`)
    await page.goto(`${pages.origin}/inbox`)
    await page.keyboard.press('?')
    t.match(await page.textContent('dialog.keys'), /j.*Next.*Archive/s)
    await looksGood(t, 'inbox-keys')
    await page.setViewportSize({ width: 1280, height: 900 })
    await page.keyboard.press('Escape')
    t.equal(await page.locator('dialog').count(), 0)
    await page.keyboard.press('/')
    t.equal(await page.evaluate('document.activeElement.name'), 'q')
    await page.keyboard.type('j?#e')
    t.equal(await page.inputValue('input[name=q]'), 'j?#e', 'in a field, keys are text')
    await page.keyboard.press('Escape')
    await page.keyboard.press('j')
    await page.keyboard.press('l')
    await page.keyboard.type('later')
    await page.keyboard.press('Enter')
    await page.waitForURL(/done=label/)
    t.match(await page.textContent('.mail >> nth=0'), 'later')
    await page.keyboard.press('j')
    await page.keyboard.press('e')
    await page.waitForURL(/done=archive/)
    t.not(await page.locator('.mail a').first().getAttribute('href'), first, 'the line under the focus alone')
    t.equal(await page.locator('.mail').count(), 5)
    await page.keyboard.press('j')
    await page.keyboard.press('#')
    await page.waitForURL(/done=delete/)
    t.equal(await page.locator('.mail').count(), 4)
  })

  await t.test('new mail is told of by itself, and nothing on the page moves', async (t) => {
    const opened = page.waitForRequest(/\/inbox\/events/)
    await page.goto(`${pages.origin}/inbox`)
    await opened
    const top = (): Promise<number> => page.evaluate('document.querySelector(".mails").getBoundingClientRect().top')
    const before = await top()
    await deliver(desk, { subject: 'Just now' })
    await page.waitForSelector('text=New mail has come')
    t.equal(await top(), before)
    t.match(await page.textContent('.fresh'), 'Show it')
    await looksGood(t, 'inbox-new-mail')
    await page.click('text=Show it')
    t.match(await page.textContent('.mail >> nth=0'), 'Just now')
  })
  t.same(pages.errors, [], 'no error of the server')
  t.same(complaints, [], 'no error of a script, of the policy or of loading')
  await context.close()

  await t.test('without scripts: read, search, archive', async (t) => {
    const plain = await browser.newContext({ javaScriptEnabled: false })
    const other = await plain.newPage()
    await signIn(inbox, other)
    await other.goto(`${pages.origin}/inbox`)
    const before = await other.locator('.mail').count()
    await other.fill('input[name=q]', 'just now')
    await other.click('button:has-text("Show")')
    t.equal(await other.locator('.mail').count(), 1)
    await other.check('.mail input')
    await other.click('button:has-text("Read") >> nth=0')
    await other.goto(`${pages.origin}/inbox`)
    await other.check('.mail:has-text("Just now") input')
    await other.click('button:has-text("Archive")')
    t.match(await other.textContent('[role=status]'), 'Archived')
    t.equal(await other.locator('.mail').count(), before - 1)
    await plain.close()
  })
})

/** A message with this HTML. */
const htmlMail = (subject: string, html: string, headers: readonly string[] = []): Buffer =>
  Buffer.from(
    [
      'From: e@example.org',
      'To: robot@agents.example',
      `Subject: ${subject}`,
      ...headers,
      'Content-Type: text/html; charset=utf-8',
      '',
      html,
      '',
    ].join('\r\n'),
  )

t.test('hostile HTML runs nothing, asks for nothing, and stays in its frame', browserPeer(), async (t) => {
  const inbox = await start(t)
  const { pages, browser, deliver } = inbox
  const [robot = ''] = await ownMailboxes(pages, 'ada@example.org', 'robot')
  const visits: string[] = []
  let connections = 0
  const elsewhere = createServer((request, response) => {
    visits.push(request.url ?? '')
    response.end()
  }).on('connection', () => connections++)
  const host = `127.0.0.1:${await listenAnywhere(elsewhere)}`
  t.teardown(() => elsewhere.close())
  const { page, context, complaints } = await newHuman(browser, pages.origin)
  await signIn(inbox, page)
  const windows: string[] = []
  context.on('page', (popup) => windows.push(popup.url()))
  // All attacks are in mime/html too, without a browser.
  const payloads = [...PAYLOADS, ...inSample(ATTACKS, (_, i) => i % 3 === 0)].map((each) =>
    each.replaceAll('HOST', host).replaceAll(/(?:https?:)?\/\/(?:evil|x)\.example/g, `http://${host}`),
  )

  for (const isSanitised of [true, false]) {
    const how = isSanitised ? 'as it is shown' : 'as its sender wrote it: the frame alone holds it'
    await t.test(how, async (t) => {
      const raws = new Map<string, string>()
      if (!isSanitised) {
        await page.route('**/html', async (route) => {
          const response = await route.fetch()
          const raw = raws.get(/msg_\w+/.exec(route.request().url())?.[0] ?? '') ?? ''
          await route.fulfill({ response, body: `<!doctype html><p>seen</p>${raw}` })
        })
      }
      for (let at = 0; at < payloads.length; at += BATCH) {
        const some = payloads.slice(at, at + BATCH)
        const root = `${isSanitised ? 'safe' : 'raw'}-${at}@example.org`
        let threadId = ''
        for (const [i, payload] of some.entries()) {
          const headers = i === 0 ? [`Message-ID: <${root}>`] : [`In-Reply-To: <${root}>`]
          const message = await deliver(robot, { raw: htmlMail(`Re: ${root}`, `<p>seen</p>${payload}`, headers) })
          threadId = message.thread_id
          raws.set(message.id, payload)
        }
        const path = `${pages.origin}/inbox/${robot}/${threadId}`
        await page.goto(path)
        for (let i = 0; i < some.length; i++) {
          const frame = page.locator('iframe').nth(i)
          // Frames load once they come into view.
          await frame.scrollIntoViewIfNeeded()
          await frame.contentFrame().locator('p:has-text("seen")').first().waitFor({ state: 'attached' })
        }
        t.equal(await page.locator('iframe').count(), some.length)
        t.equal(page.url(), path, 'the page is still there')
        t.equal(await page.evaluate('globalThis.pwned'), undefined, some.join('\n'))
      }
      await page.unrouteAll()
      t.same(visits, [], 'nothing was asked for')
      t.equal(connections, 0)
      t.same(windows, [], 'no window was opened')
      const isExpected = (complaint: string): boolean => !isSanitised && !complaint.startsWith('a dialog')
      t.same(
        complaints.filter((complaint) => !isExpected(complaint)),
        [],
      )
      complaints.length = 0
    })
  }

  await t.test('opened by itself, it can do no more', async (t) => {
    const { id } = await deliver(robot, { raw: htmlMail('Alone', '<p>seen</p>') })
    await page.goto(`${pages.origin}/inbox/${robot}/${id}/html`)
    t.equal(await page.evaluate('globalThis.origin'), 'null', 'it has no origin of ours')
  })

  await t.test('a link opens a window that knows nothing of this one', async (t) => {
    const html = `<p>Look: <a href="http://${host}/there">there</a> <img src="http://${host}/pixel.gif"></p>`
    const { thread_id: threadId } = await deliver(robot, { raw: htmlMail('Link', html) })
    await page.goto(`${pages.origin}/inbox/${robot}/${threadId}`)
    t.match(await page.textContent('main'), 'Pictures from elsewhere are not shown')
    t.same(await looks(page, 'inbox-html'), [])
    t.same(await inspect(browser, page, 'inbox-html'), [])
    const [popup] = await Promise.all([context.waitForEvent('page'), page.frameLocator('iframe').locator('a').click()])
    await popup.waitForLoadState()
    t.equal(await popup.evaluate('opener'), null)
    t.equal(await popup.evaluate('document.referrer'), '')
    t.same(
      visits.filter((path) => path !== '/favicon.ico'),
      ['/there'],
    )
  })
  await context.close()
})
