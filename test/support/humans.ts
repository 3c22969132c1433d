/** Humans who sign in with the OpenID provider of the tests. */
import type { Browser, Page } from 'playwright-core'
import { newHuman } from './peers/browser.js'

/** Signs in with what the provider shows, and agrees. */
export async function passProvider(page: Page, name: string): Promise<void> {
  await page.fill('input[name=login]', name)
  await page.fill('input[name=password]', 'any')
  await page.click('button[type=submit]')
  await page.click('button[type=submit]')
}

/** A human of their own browser, at the link and signed in. */
export async function signedIn(browser: Browser, url: string, name: string): ReturnType<typeof newHuman> {
  const human = await newHuman(browser, new URL(url).origin)
  await human.page.goto(url)
  await human.page.click('text=Continue with Example ID')
  await passProvider(human.page, name)
  return human
}
