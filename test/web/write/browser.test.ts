/** Writing in Chromium: how the pages look at each width in both themes, keys, saving while writing, files, undo, and all of it without scripts. */
import t, { type Test } from 'tap'
import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { SECOND } from '../../../src/lib/clock.js'
import { changeMailbox } from '../../../src/mailbox/record.js'
import { WRITE_SCRIPT } from '../../../src/web/write/script.js'
import { present, SEND } from '../../mailbox/world.js'
import { browserPeer, inspect, newHuman } from '../../support/peers/browser.js'
import { looks, signIn, start } from '../inbox/browser-world.js'
import { ownMailboxes } from '../world.js'

t.test('the scripts are below 40 KB, compressed', async (t) => {
  t.ok(gzipSync(WRITE_SCRIPT).length < 40 * 1024)
})

/** A drop or a paste of a file, as a browser makes it. */
const handOver = (kind: 'drop' | 'paste', name: string): string => `(() => {
  const data = new DataTransfer()
  data.items.add(new File(['content of ${name}'], '${name}', { type: 'text/plain' }))
  const how = { bubbles: true, cancelable: true }
  const event = '${kind}' === 'drop'
    ? new DragEvent('drop', { ...how, dataTransfer: data })
    : new ClipboardEvent('paste', { ...how, clipboardData: data })
  document.querySelector('[name=text]').dispatchEvent(event)
  return event.defaultPrevented
})()`

const saved = (page: Page): Promise<unknown> =>
  page.waitForResponse((response) => response.request().method() === 'POST' && response.url().endsWith('/inbox/write'))

t.test('a human writes mail in a browser', browserPeer(), async (t) => {
  const inbox = await start(t)
  const { pages, world, mailboxes, browser, deliver } = inbox
  const [robot = ''] = await ownMailboxes(pages, 'ada@example.org', 'robot')
  world.account.id = (await pages.accounts.ensure('ada@example.org')).id
  const { page, context, complaints } = await newHuman(browser, pages.origin)
  const looksGood = async (t: Test, name: string): Promise<void> => {
    t.same(await looks(page, name), [], `${name}: nothing is wider than the screen`)
    t.same(await inspect(browser, page, name), [], `${name}: accessible in both themes, and on a phone`)
    await page.setViewportSize({ width: 1280, height: 900 })
  }
  const drafts = async () => (await mailboxes.drafts.list(robot, { limit: 10 })).data
  const sent = async () => {
    const { data } = await mailboxes.reading.messages(robot, { limit: 10 })
    return data.filter(({ direction }) => direction === 'outbound')
  }
  const { thread_id: threadId } = await deliver(robot, {
    ...{ from: 'Ada Lovelace <ada@example.org>', to: 'robot@agents.example, bob@example.org', subject: 'Lunch' },
    ...{ text: 'Shall we have lunch on Friday?', headers: ['Message-ID: <lunch@example.org>'] },
  })
  world.clock.advance(pages.clock.now() - world.clock.now())
  await signIn(inbox, page)

  await t.test('an empty form, from the list by its key', async (t) => {
    await page.goto(`${pages.origin}/inbox`)
    await looksGood(t, 'write-list')
    await page.keyboard.press('c')
    await page.waitForURL(/\/inbox\/write/)
    await looksGood(t, 'write-new')
    t.same(await drafts(), [], 'opening it stores nothing')
  })

  await t.test('addresses that were used before are offered, after a comma too', async (t) => {
    const offered = (): Promise<string[]> =>
      page.evaluate('[...document.querySelectorAll("#people option")].map((each) => each.value)')
    t.same(await offered(), ['Ada Lovelace <ada@example.org>', 'bob@example.org'])
    await page.fill('[name=to]', 'carol@example.org, a')
    t.same(await offered(), ['carol@example.org, Ada Lovelace <ada@example.org>', 'carol@example.org, bob@example.org'])
  })

  await t.test('the draft is saved while it is written, with files that are dropped, pasted and chosen', async (t) => {
    await page.fill('[name=to]', 'Ada <ada@example.org>')
    await page.fill('[name=subject]', 'Plans for the week')
    const first = saved(page)
    await page.fill('[name=text]', 'Monday: nothing yet.')
    await first
    await page.waitForSelector('text=Saved at')
    t.match(await drafts(), [{ subject: 'Plans for the week', preview: 'Monday: nothing yet.', revision: 1 }])
    t.match(page.url(), /\/inbox\/write\?draft=mbx_\w+\/drf_\w+$/, 'a reload opens the draft')
    const second = saved(page)
    t.equal(await page.evaluate(handOver('drop', 'dropped.txt')), true)
    t.equal(await page.evaluate(handOver('paste', 'pasted.txt')), true)
    await second
    await page.waitForSelector('[data-kept] :text("pasted.txt")')
    t.match(await drafts(), [{ attachments: [{ filename: 'dropped.txt' }, { filename: 'pasted.txt' }] }])
    t.equal(await page.inputValue('[name=files]'), '', 'they are not sent again')
    await looksGood(t, 'write-draft')
    await page.reload()
    t.equal(await page.inputValue('[name=text]'), 'Monday: nothing yet.')
    await page.uncheck('[data-kept] label:has-text("dropped.txt") input')
    await page.click('button:has-text("Save draft")')
    t.match(await page.textContent('.card[role=status]'), 'Saved.')
    t.match(await drafts(), [{ attachments: [{ filename: 'pasted.txt' }] }])
  })

  await t.test('unsaved words are not left without a question', async (t) => {
    await page.click('[name=text]')
    await page.keyboard.press('End')
    await page.keyboard.type(' More')
    await page.click('a:has-text("Inbox of")')
    t.same(complaints.splice(0), ['a dialog: '], 'the browser asks, in words of its own')
    t.match(page.url(), /write/)
  })

  await t.test('another window is told of', async (t) => {
    const { id, revision } = present((await drafts())[0])
    const written = await mailboxes.writing.save(robot, id, {
      ...{ revision, form: 'z'.repeat(22), change: { text: 'From elsewhere' } },
    })
    t.ok('draft' in written)
    await page.fill('[name=text]', 'Monday: all of it.')
    await page.waitForSelector('text=changed in another window')
    await page.click('button:has-text("Save draft")')
    t.match(await page.textContent('[role=alert]'), 'Below is what you have typed here')
    t.equal(await page.inputValue('[name=text]'), 'Monday: all of it.')
    await looksGood(t, 'write-conflict')
  })

  await t.test('the guard has a word before it is sent', async (t) => {
    world.guard.verdict = {
      ...{ ...SEND, decision: 'hold' },
      reasons: [{ code: 'asks', detail: 'It asks for a password in words of phishing' }],
    }
    await page.click('[data-send]')
    t.match(await page.textContent('[role=alert]'), /Not sent yet.*It asks for a password/s)
    await looksGood(t, 'write-doubt')
    world.guard.verdict = SEND
    t.same(await sent(), [])
  })

  await t.test('it is sent, and taken back by undo', async (t) => {
    await page.fill('[name=text]', 'Monday: lunch.')
    await page.keyboard.press('Control+Enter')
    await page.waitForURL(/sent=msg_/)
    t.match(await page.textContent('.card[role=status]'), 'It goes out in 10 seconds.')
    await looksGood(t, 'write-sent')
    // The time for it stands still here, and in the browser begins again.
    await page.reload()
    await page.click('[role=status] button:has-text("Undo")')
    t.match(await page.textContent('.card[role=status]'), 'It was not sent')
    t.equal((await page.inputValue('[name=text]')).trimEnd(), 'Monday: lunch.')
    t.same(await sent(), [])
    t.match(await drafts(), [{ attachments: [{ filename: 'pasted.txt' }] }])
    await looksGood(t, 'write-undone')
    await page.click('button:has-text("Discard")')
    t.match(await page.textContent('.card[role=status]'), 'discarded')
  })

  await t.test('reply, reply to all and forward by their keys', async (t) => {
    for (const [key, heading, to] of [
      ['r', 'Answer', 'Ada Lovelace <ada@example.org>'],
      ['a', 'Answer', 'Ada Lovelace <ada@example.org>'],
      ['f', 'Forward', ''],
    ] as const) {
      await page.goto(`${pages.origin}/inbox/${robot}/${threadId}`)
      if (key === 'r') await looksGood(t, 'write-conversation')
      await page.keyboard.press(key)
      await page.waitForURL(/write/)
      t.equal(await page.textContent('h1'), heading)
      t.equal(await page.inputValue('[name=to]'), to)
      t.equal(await page.inputValue('[name=cc]'), key === 'a' ? 'bob@example.org' : '')
      await looksGood(t, `write-${key}`)
    }
    await page.keyboard.press('?')
    t.match(await page.textContent('dialog.keys'), /u.*Back to the list/s)
    await page.goto(`${pages.origin}/inbox/${robot}/${threadId}`)
    await page.keyboard.press('?')
    t.match(await page.textContent('dialog.keys'), /r.*Reply.*a.*Reply to all.*f.*Forward/s)
  })

  await t.test('the button for undo goes away when it is too late', async (t) => {
    await page.goto(`${pages.origin}/inbox/write?reply=${robot}/${(await first(threadId)).id}`)
    await page.fill('[name=text]', 'On Friday.')
    await page.click('[data-send]')
    await page.waitForURL(/sent=msg_/)
    t.match(page.url(), threadId, 'an answer is in its conversation')
    t.equal(await page.locator('[role=status] button').count(), 1)
    pages.clock.advance(9.5 * SECOND)
    await page.reload()
    t.match(await page.innerText('.card[role=status]'), 'It goes out in 1 second.')
    await page.waitForSelector('[role=status] button', { state: 'detached' })
    t.match(await page.innerText('.card[role=status]'), /^It goes out now\./)
    t.notMatch(await page.innerText('.card[role=status]'), 'in 1 second')
  })

  await t.test('the address that it goes from is chosen, also once it is saved by itself', async (t) => {
    const address = 'a-rather-long-alias-of-the-sales-department@agents.example'
    await changeMailbox(
      world.store,
      robot,
      async (_tx, mailbox) => void (mailbox.aliases = [{ address, createdAt: 0 }]),
    )
    await page.goto(`${pages.origin}/inbox/write`)
    await looksGood(t, 'write-alias')
    const options = () => page.locator('[name=mailbox] option').allTextContents()
    const before = await options()
    await page.selectOption('[name=mailbox]', address)
    const once = saved(page)
    await page.fill('[name=subject]', 'From an alias')
    await once
    await page.waitForSelector('text=Saved at')
    t.match(await drafts(), [{ subject: 'From an alias', from: { address } }])
    t.same(
      await options(),
      before.filter((each) => each === address || each === 'robot@agents.example'),
      'those of its mailbox stay',
    )
    await page.selectOption('[name=mailbox]', 'robot@agents.example')
    await page.click('button:has-text("Save draft")')
    t.match(await drafts(), [{ subject: 'From an alias', from: null }])
    await page.click('button:has-text("Discard")')
  })

  async function first(id: string) {
    return present((await mailboxes.reading.thread(robot, id)).messages[0])
  }
  t.same(pages.errors, [], 'no error of the server')
  // The browser writes down that the draft of another window was refused.
  t.same(
    complaints.filter((complaint) => !complaint.includes('409')),
    [],
    'no error of a script, of the policy or of loading',
  )
  await context.close()

  await t.test('without scripts: a mail with a file is written, saved, sent and taken back', async (t) => {
    const plain = await browser.newContext({ javaScriptEnabled: false })
    const other = await plain.newPage()
    await signIn(inbox, other)
    await other.goto(`${pages.origin}/inbox`)
    await other.click('a:has-text("Write")')
    await other.fill('[name=to]', 'bob@example.org')
    await other.fill('[name=subject]', 'Plain')
    await other.fill('[name=text]', 'One\nTwo')
    await other.setInputFiles('[name=files]', {
      name: 'größe.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from('hello'),
    })
    await other.click('button:has-text("Save draft")')
    t.match(await other.textContent('.card[role=status]'), 'Saved.')
    t.match(await other.textContent('[data-kept]'), 'größe.txt, 5 bytes')
    world.clock.advance(pages.clock.now() - world.clock.now())
    await other.click('[data-send]')
    t.match(await other.innerText('.card[role=status]'), 'It goes out in 10 seconds.')
    t.notMatch(await other.innerText('.card[role=status]'), 'It goes out now')
    t.match(await sent(), [{ subject: 'Plain', attachments: [{ filename: 'größe.txt' }] }, {}])
    await other.click('[role=status] button:has-text("Undo")')
    t.equal((await other.inputValue('[name=text]')).trimEnd(), 'One\nTwo')
    await other.click('[data-send]')
    const [message] = await sent()
    world.clock.advance(10 * SECOND)
    await mailboxes.outbound.runScheduled(robot, present(message).id)
    t.equal((await mailboxes.reading.message(robot, present(message).id)).status, 'queued')
    await plain.close()
  })
})
