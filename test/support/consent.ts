/** A human at the consent page without a browser: signs in by the operator's link, and sends the form as it stands there. */
import type { Daemon } from './daemon.js'

/** @param account its owner, or the address of one of its mailboxes @returns the cookies of the session */
export async function sessionOf(daemon: Daemon, account: string): Promise<string> {
  const { stdout, stderr } = await daemon.cli('account', 'sign-in', account)
  const [link] = /http:\S+/.exec(stdout) ?? []
  if (link === undefined) throw new Error(`no link: ${stdout}${stderr}`)
  const signedIn = await sendForm(link, new URLSearchParams())
  return signedIn.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ')
}

/** Allows all that is asked for, of the first mailbox. @returns where the browser goes */
export async function allowOn(url: string, cookie: string): Promise<string> {
  const page = await (await fetch(url, { headers: { cookie } })).text()
  const form = new URLSearchParams({ decision: 'allow' })
  for (const [input] of page.matchAll(/<input[^>]*>/g)) {
    const { name, value } = /name="(?<name>[^"]*)"\s+value="(?<value>[^"]*)"/.exec(input)?.groups ?? {}
    if (name !== undefined && value !== undefined) form.append(name, value.replaceAll('&amp;', '&'))
  }
  const answer = await sendForm(new URL('/oauth/authorize', url).href, form, cookie)
  const location = answer.headers.get('location')
  if (location === null) throw new Error(`the page leads nowhere (${answer.status}):\n${await answer.text()}`)
  return location
}

export const sendForm = (url: string, form: URLSearchParams, cookie = ''): Promise<Response> =>
  fetch(url, { method: 'POST', body: form, redirect: 'manual', headers: { cookie, origin: new URL(url).origin } })
