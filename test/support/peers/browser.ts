/** Debian's Chromium, driven by playwright-core: pages as humans see them, judged by axe-core, kept as pictures. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import axe, { type AxeResults } from 'axe-core'
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core'
import { peer, programPath } from './peers.js'
import { SAMPLE } from '../sample.js'

// The shell draws no window of its own, which costs the full browser half of its time.
const CHROMIUM =
  programPath('chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome') ?? '/usr/bin/chromium'

/** For the options of a test. */
export const browserPeer = (): { skip: string | false } => peer('Chromium', CHROMIUM)

export function startBrowser(): Promise<Browser> {
  // Whatever a page asks for, nothing leaves this machine.
  const rules = 'MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1, EXCLUDE ::1, EXCLUDE [::1]'
  return chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', `--host-resolver-rules=${rules}`] })
}

/** Folder of the screenshots; not part of the repository. */
export const SCREENSHOTS = join(process.cwd(), '.screenshots')

interface Look {
  name: string
  colorScheme: 'light' | 'dark'
  viewport: { width: number; height: number }
  /** By the rules of accessibility: contrast hangs on the theme, and size on the width, so others show nothing new. */
  isJudged: boolean
}

const LOOKS: readonly Look[] = [
  { name: 'light', colorScheme: 'light', viewport: { width: 1280, height: 800 }, isJudged: true },
  { name: 'dark', colorScheme: 'dark', viewport: { width: 1280, height: 800 }, isJudged: false },
  { name: 'phone', colorScheme: 'light', viewport: { width: 360, height: 740 }, isJudged: false },
  { name: 'phone-dark', colorScheme: 'dark', viewport: { width: 360, height: 740 }, isJudged: true },
]

/** Both themes on a phone of today. */
export const ON_A_PHONE: readonly Look[] = (['light', 'dark'] as const).map((colorScheme) => ({
  ...{ name: `390-${colorScheme}`, colorScheme, viewport: { width: 390, height: 844 }, isJudged: true },
}))

/**
 * Looks at what a page shows in both themes and at the width of a phone, or as `looks` says, in a browser of its own that may run scripts of the test: no rule of
 * accessibility is broken (WCAG 2.2 AA and best practices), nothing is wider than the screen, no word is broken inside.
 *
 * @param page is left as it is
 * @returns what is wrong, in words; empty when nothing is
 */
export async function inspect(
  browser: Browser,
  page: Page,
  name: string,
  looks: readonly Look[] = LOOKS,
): Promise<string[]> {
  const [content, origin] = [await page.content(), new URL(page.url()).origin]
  if (!SAMPLE) mkdirSync(SCREENSHOTS, { recursive: true })
  const found: string[] = []
  const copy = await inspector(browser)
  // The page as it is, under its own address, so that its style is found; nothing is asked of the server for a second time. Frames are empty: they are of others.
  await copy.route('**/*', (route) => {
    const request = route.request()
    if (request.resourceType() !== 'document') return route.continue()
    const body = request.frame() === copy.mainFrame() ? content : EMPTY_FRAME
    return route.fulfill({ contentType: 'text/html; charset=utf-8', body })
  })
  await copy.goto(`${origin}/inspected`)
  for (const { name: look, colorScheme, viewport, isJudged } of looks) {
    if (SAMPLE && !isJudged) continue
    await copy.setViewportSize(viewport)
    await copy.emulateMedia({ colorScheme })
    // Nobody looks at the pictures of a sample.
    if (!SAMPLE) await copy.screenshot({ path: join(SCREENSHOTS, `${name}-${look}.png`), fullPage: true })
    if (isJudged) found.push(...(await problemsOf(copy)).map((problem) => `${name}, ${look}: ${problem}`))
  }
  await copy.unrouteAll()
  return found
}

const EMPTY_FRAME = '<!doctype html><html lang="en"><title>A frame</title></html>'

const inspectors = new WeakMap<Browser, Promise<Page>>()

/** One page of a browser in which all its pages are judged: the scripts of axe take longer to load than to run. */
function inspector(browser: Browser): Promise<Page> {
  const made = inspectors.get(browser) ?? makeInspector(browser)
  inspectors.set(browser, made)
  return made
}

async function makeInspector(browser: Browser): Promise<Page> {
  const page = await (await browser.newContext({ bypassCSP: true })).newPage()
  await page.addInitScript({ content: axe.source })
  return page
}

/** Words that begin on one line and end on another; a longer one, such as an address, may be wider than its place. */
const BROKEN_WORDS = `(() => {
  const found = []
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = texts.nextNode(); node; node = texts.nextNode())
    for (const match of node.data.matchAll(/(?<!\\S)[\\p{L}\\p{N}]{2,20}(?!\\S)/gu)) {
      const range = document.createRange()
      range.setStart(node, match.index)
      range.setEnd(node, match.index + match[0].length)
      if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) found.push(match[0])
    }
  return found
})()`

async function problemsOf(page: Page): Promise<string[]> {
  const results: AxeResults = await page.evaluate('axe.run(document)')
  const tooWide: boolean = await page.evaluate(
    'document.documentElement.scrollWidth > document.documentElement.clientWidth',
  )
  const broken: string[] = await page.evaluate(BROKEN_WORDS)
  return [
    ...results.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`),
    ...(tooWide ? ['wider than the screen'] : []),
    ...broken.map((word) => `broken inside: ${word}`),
  ]
}

/**
 * A human with a browser of their own.
 *
 * @param origin of our pages @returns what went wrong on them too: errors of scripts, of the policy, of loading
 */
export async function newHuman(
  browser: Browser,
  origin: string,
): Promise<{ context: BrowserContext; page: Page; complaints: string[] }> {
  const context = await browser.newContext()
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => {
    const isOurs = message.location().url.startsWith(origin) || page.url().startsWith(origin)
    if (isOurs && message.type() !== 'log') complaints.push(`${message.location().url}: ${message.text()}`)
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('dialog', (dialog) => {
    complaints.push(`a dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  return { context, page, complaints }
}
