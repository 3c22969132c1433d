/** The docs in Chromium: how they look at each width in both themes, languages by keys, copying, results as one types, and all of it without scripts. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import t from 'tap'
import { startApi } from '../../api/support/api-server.js'
import { browserPeer, inspect, newHuman, SCREENSHOTS, startBrowser } from '../../support/peers/browser.js'
import { SAMPLE } from '../../support/sample.js'

const WIDTHS = [390, 768, 1280]

/** @returns the widths at which it is wider than the screen, or a button covers its text */
async function looks(page: Page, name: string): Promise<string[]> {
  const found: string[] = []
  if (!SAMPLE) mkdirSync(SCREENSHOTS, { recursive: true })
  for (const width of WIDTHS)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize({ width, height: 900 })
      await page.emulateMedia({ colorScheme })
      const isTooWide: boolean = await page.evaluate(
        'document.documentElement.scrollWidth > document.documentElement.clientWidth',
      )
      if (isTooWide) found.push(`${name} at ${width} in ${colorScheme}`)
      if (!SAMPLE)
        await page.screenshot({ path: join(SCREENSHOTS, `${name}-${width}-${colorScheme}.png`), fullPage: true })
    }
  return found
}

const shown = (page: Page): Promise<string[]> =>
  page.evaluate(
    `[...document.querySelectorAll('.samples .listing')].filter((each) => each.offsetParent).map((each) => each.dataset.language)`,
  )
const titles = (page: Page): Promise<string[]> =>
  page.evaluate(`[...document.querySelectorAll('.found a')].map((each) => each.getAttribute('href'))`)

t.test('the docs in a browser', browserPeer(), async (t) => {
  const api = await startApi(t)
  const origin = `http://127.0.0.1:${api.server.port}`
  const browser = await startBrowser()
  t.teardown(() => browser.close())
  const { page, context, complaints } = await newHuman(browser, origin)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin })
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))

  await t.test('they look right at each width, and axe finds nothing', async (t) => {
    for (const [path, name] of [
      ['/docs', 'docs'],
      ['/docs?q=draft', 'docs-search'],
      ['/docs?q=qwertz', 'docs-nothing'],
      ['/docs/api', 'docs-api'],
      ['/docs/api/sendMessage', 'docs-send'],
      ['/docs/api/listMessages', 'docs-list'],
      ['/docs/errors', 'docs-errors'],
      ['/docs/start', 'docs-start'],
    ] as const) {
      await page.goto(origin + path)
      t.same(await looks(page, name), [], name)
      t.same(await inspect(browser, page, name), [], name)
    }
    await page.goto(`${origin}/docs/api/sendMessage`)
    for (const summary of await page.locator('summary').all()) await summary.click()
    t.same(await inspect(browser, page, 'docs-send-open'), [], 'with its details open')
  })

  await t.test('languages are chosen by keys, and stay chosen', async (t) => {
    await page.goto(`${origin}/docs/api/getMessage`)
    t.same(await shown(page), ['sh'])
    while (!(await page.evaluate(`document.activeElement.matches('.samples input')`))) await page.keyboard.press('Tab')
    await page.keyboard.press('ArrowRight')
    t.same(await shown(page), ['typescript'])
    await page.keyboard.press('ArrowRight')
    t.same(await shown(page), ['python'])
    await page.keyboard.press('Tab')
    t.match(await page.evaluate('document.activeElement.textContent'), 'mailbox.get_message(')
    await page.goto(`${origin}/docs/api/sendMessage`)
    t.same(await shown(page), ['python'])
    await page.click('label:has-text("curl")')
    t.same(await shown(page), ['sh'])
  })

  await t.test('a button copies what is shown', async (t) => {
    await page.click('.samples .listing[data-language=sh] .copy')
    await page.waitForSelector('text=Copied')
    const copied: string = await page.evaluate('navigator.clipboard.readText()')
    t.equal(copied, await page.textContent('.listing[data-language=sh] code'))
    t.match(copied, /^curl /)
  })

  await t.test('results come as one types, as the server finds them', async (t) => {
    asked.splice(0)
    for (const query of ['draft', 'name_taken', 'send a message', 'webhook secret', 'e']) {
      await page.goto(`${origin}/docs?q=${encodeURIComponent(query)}`)
      const expected = await titles(page)
      t.ok(expected.length > 0, query)
      await page.goto(`${origin}/docs/api/getMessage`)
      await page.keyboard.press('/')
      await page.keyboard.insertText(query)
      await page.waitForSelector('[role=status]')
      t.same(await titles(page), expected, query)
      t.match(await page.textContent('[role=status]'), String(expected.length))
    }
    t.same(await inspect(browser, page, 'docs-typed'), [])
    await page.fill('[type=search]', 'qwertz')
    await page.waitForSelector('text=Nothing found.')
    await page.fill('[type=search]', '')
    await page.waitForSelector('[data-found] > *', { state: 'detached' })
    await page.fill('[type=search]', 'name_taken')
    await page.click('.found a')
    await page.waitForURL(/errors#name_taken$/)
    t.same(
      asked.filter((url) => !url.startsWith(origin)),
      [],
      'nothing is asked of others',
    )
  })
  t.same(complaints, [], 'nothing that the policy had to stop')
  await context.close()

  await t.test('without scripts there are languages and a search too', async (t) => {
    const plain = await browser.newContext({ javaScriptEnabled: false })
    const own = await plain.newPage()
    await own.goto(`${origin}/docs/api/getMessage`)
    t.equal(await own.locator('.copy').count(), 0)
    await own.locator('.samples input').first().focus()
    await own.keyboard.press('ArrowRight')
    t.ok(await own.locator('.listing[data-language=typescript]').isVisible())
    t.notOk(await own.locator('.listing[data-language=sh]').isVisible())
    await own.fill('[type=search]', 'trash')
    await own.keyboard.press('Enter')
    await own.waitForURL(/\/docs\?q=trash$/)
    t.ok((await own.locator('.found a').count()) > 3)
    t.equal(await own.inputValue('[type=search]'), 'trash')
    await plain.close()
  })
})
