/** The pages of the inbox in Chromium, over a real mailbox domain. */
import type { Test } from 'tap'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { HOUR, MINUTE } from '../../../src/lib/clock.js'
import type { Mailboxes } from '../../../src/mailbox/composition/mailboxes.js'
import { deliveryOf, makeWorld, present, type Mail, type World } from '../../mailbox/world.js'
import { SCREENSHOTS, startBrowser } from '../../support/peers/browser.js'
import { SAMPLE } from '../../support/sample.js'
import { startPages, type Pages } from '../world.js'

export const WIDTHS = [390, 768, 1280] as const

export interface Inbox {
  pages: Pages
  world: World
  mailboxes: Mailboxes
  browser: Browser
  deliver(mailboxId: string, mail: Mail): Promise<{ id: string; thread_id: string }>
}

export async function start(t: Test): Promise<Inbox> {
  let made: World | undefined
  const pages = await startPages(t, {
    hasProviders: false,
    async mailboxesOn(store) {
      made = await makeWorld(t, store)
      return made.mailboxes
    },
  })
  if (!made) throw new Error('the pages have not asked for mailboxes')
  const world = made
  // The pages are seen some hours after the mail came: their own clock stands still, since it also times connections.
  pages.clock.advance(3 * HOUR)
  const browser = await startBrowser()
  t.teardown(() => browser.close())
  return {
    ...{ pages, world, mailboxes: world.mailboxes, browser },
    async deliver(mailboxId, mail) {
      world.clock.advance(MINUTE)
      const { address } = present(await world.mailboxes.directory.get(mailboxId))
      return world.mailboxes.delivery.deliver(await deliveryOf(mailboxId, { to: address, ...mail }))
    },
  }
}

export async function signIn({ pages }: Inbox, page: Page): Promise<void> {
  const { id } = await pages.accounts.ensure('ada@example.org')
  const { token } = await pages.links.make(id)
  await page.goto(`${pages.origin}/signin-link/${token}`)
  await page.click('button:has-text("Sign in")')
}

/** The real page, with its script and its frames, at each width in both themes. @returns what is wrong */
export async function looks(page: Page, name: string): Promise<string[]> {
  const found: string[] = []
  if (!SAMPLE) mkdirSync(SCREENSHOTS, { recursive: true })
  for (const width of WIDTHS) {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize({ width, height: 900 })
      await page.emulateMedia({ colorScheme })
      const isTooWide: boolean = await page.evaluate(
        'document.documentElement.scrollWidth > document.documentElement.clientWidth',
      )
      if (isTooWide) found.push(`${name} at ${width}: wider than the screen`)
      if (!SAMPLE) await page.screenshot({ path: join(SCREENSHOTS, `${name}-${width}-${colorScheme}.png`) })
    }
  }
  await page.emulateMedia({ colorScheme: 'light' })
  return found
}
