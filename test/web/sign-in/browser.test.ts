/** The pages of signing in, on a phone in both themes: accessible, and not wider than the screen. */
import t from 'tap'
import { browserPeer, inspect, newHuman, ON_A_PHONE, startBrowser } from '../../support/peers/browser.js'
import { startPages } from '../world.js'

t.test('every page of signing in, on a phone', browserPeer(), async (t) => {
  const pages = await startPages(t, { hasMail: true, hasPasskeys: true })
  const { id } = await pages.accounts.ensure('ada@example.org')
  const browser = await startBrowser()
  t.teardown(() => browser.close())
  const { page } = await newHuman(browser, pages.origin)
  const looksGood = async (heading: string, name: string): Promise<void> => {
    t.equal(await page.textContent('h1'), heading)
    t.same(await inspect(browser, page, name, ON_A_PHONE), [], name)
  }

  await page.goto(`${pages.origin}/signin?next=%2Finbox`)
  await looksGood('Sign in', 'phone-sign-in')
  await page.fill('input[name=email]', 'ada@example.org')
  await page.click('button:has-text("Email me a link")')
  await looksGood('Look at your mail', 'phone-sign-in-asked')

  const { token } = await pages.links.make(id)
  await page.goto(`${pages.origin}/signin-link/${token}`)
  await looksGood('Sign in', 'phone-sign-in-link')
  await page.click('button:has-text("Sign in")')
  await looksGood('You are signed in', 'phone-sign-in-link-done')
  await page.goto(`${pages.origin}/signin`)
  await looksGood('You are signed in', 'phone-signed-in')
  await page.context().clearCookies()
  await page.goto(`${pages.origin}/signin-link/${token}`)
  await looksGood('This link does not work', 'phone-sign-in-link-used')
  await page.goto(`${pages.origin}/signin-mail/${'a'.repeat(43)}`)
  await looksGood('This link does not work', 'phone-sign-in-mail-unknown')
  await page.goto(`${pages.origin}/staff/nothing`)
  await looksGood('Nothing here', 'phone-nothing-here')
})
