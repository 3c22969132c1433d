/** An inbox of 10,000 conversations in Chromium: each page is one request of a bounded size, nothing is wider than the screen, and nothing moves when mail comes. */
import t from 'tap'
import type { Page } from 'playwright-core'
import { createFiller } from '../../../bench/support/filling.js'
import { browserPeer, newHuman } from '../../support/peers/browser.js'
import { inSample, SAMPLE } from '../../support/sample.js'
import { ownMailboxes } from '../world.js'
import { signIn, start, WIDTHS } from './browser-world.js'

const CONVERSATIONS = SAMPLE ? 2000 : 10_000
const PAGE_SIZE = 50
const PAGES = 4
/** A line has a good dozen elements. */
const MAX_ELEMENTS = PAGE_SIZE * 25

/** What moved on the page without anybody having done something, in the words of the browser (Layout Instability). */
const WATCH = `globalThis.moved = []
new PerformanceObserver((list) => {
  for (const { value, hadRecentInput, sources } of list.getEntries())
    if (!hadRecentInput) moved.push(value + ' ' + sources.map(({ node }) => node?.nodeName + '.' + node?.className))
}).observe({ type: 'layout-shift', buffered: true })`

const moved = (page: Page): Promise<string[]> => page.evaluate('globalThis.moved')

const measured = (page: Page): Promise<{ rows: string[]; elements: number; isTooWide: boolean }> =>
  page.evaluate(`({
    rows: [...document.querySelectorAll('.mail > a')].map((each) => each.getAttribute('href')),
    elements: document.querySelectorAll('*').length,
    isTooWide: document.documentElement.scrollWidth > document.documentElement.clientWidth,
  })`)

/** To the end of the page, as a wheel does it: a step a frame. */
async function scrollDown(page: Page): Promise<void> {
  while (!(await page.evaluate<boolean>('scrollY + innerHeight >= document.documentElement.scrollHeight - 1'))) {
    await page.mouse.wheel(0, 500)
    await page.evaluate('new Promise(requestAnimationFrame)')
  }
}

t.test(`an inbox of ${CONVERSATIONS} conversations`, browserPeer(), async (t) => {
  const inbox = await start(t)
  const { pages, world, browser, deliver } = inbox
  const [robot = ''] = await ownMailboxes(pages, 'ada@example.org', 'robot')
  world.account.id = (await pages.accounts.ensure('ada@example.org')).id
  await (await createFiller(pages.store, robot)).fillTo(CONVERSATIONS)

  for (const width of inSample(WIDTHS, (each) => each === 390)) {
    await t.test(`at ${width} pixels`, async (t) => {
      const { page, context, complaints } = await newHuman(browser, pages.origin)
      await page.setViewportSize({ width, height: 900 })
      await page.addInitScript(WATCH)
      await signIn(inbox, page)
      await page.goto(`${pages.origin}/inbox`)
      const asked: string[] = []
      page.on('request', (request) => asked.push(request.resourceType()))

      const seen = new Set<string>()
      const elements: number[] = []
      for (let shown = 1; shown <= PAGES; shown++) {
        const { rows, elements: count, isTooWide } = await measured(page)
        t.equal(rows.length, PAGE_SIZE)
        for (const row of rows) seen.add(row)
        elements.push(count)
        t.notOk(isTooWide, `page ${shown} is not wider than the screen`)
        await scrollDown(page)
        t.same(await moved(page), [], `nothing moves on page ${shown}`)
        if (shown === PAGES) break
        asked.length = 0
        await page.click('.pager a:has-text("Older")')
        await page.waitForLoadState('load')
        const own = asked.filter((type) => type === 'document' || type === 'fetch' || type === 'xhr')
        t.same(own, ['document'], 'a further page is one request')
        t.same(
          asked.filter((type) => !['document', 'stylesheet', 'script', 'image', 'other'].includes(type)),
          [],
          'and what browsers keep',
        )
      }
      t.equal(seen.size, PAGES * PAGE_SIZE, 'no conversation twice')
      t.ok(Math.max(...elements) < MAX_ELEMENTS, `${Math.max(...elements)} elements`)
      await page.click('.pager a:has-text("Newest")')
      t.ok((await measured(page)).rows.every((row) => seen.has(row)))

      await deliver(robot, { subject: `At ${width}`, headers: [`Message-ID: <${width}@example.org>`] })
      await page.waitForSelector('.fresh.has-come', { state: 'attached' })
      await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))')
      t.same(await moved(page), [], 'nothing moves when mail comes')
      t.equal((await measured(page)).rows.length, PAGE_SIZE)
      t.same(complaints, [])
      await context.close()
    })
  }
  t.same(pages.errors, [])
})
