/**
 * "This is not for me": for unexpected invites. GET changes nothing, since mail scanners follow links; POST comes from the page's button or as one-click from
 * the mail provider (RFC 8058). No session needed: only the reader knows the link.
 */
import type { Claims } from '../../lifecycle/claims/types.js'
import type { HttpRequest } from '../../http/message.js'
import type { WebPage } from '../page/page.js'
import { readForm } from '../page/form.js'
import { page } from '../page/frame.js'
import { html } from '../page/html.js'

export interface NotMeDeps {
  claims: Pick<Claims, 'describe' | 'refuse'>
  /** `https://mail.example.com`, without a path. */
  origin: string
}

/** More than one-click requests send. */
const MAX_BODY_BYTES = 16 * 1024
const PATH = '/claim/{token}/not-me'

export function notMePages({ claims, origin }: NotMeDeps): WebPage[] {
  return [
    {
      method: 'GET',
      path: PATH,
      async answer({ token = '' }) {
        const claim = await claims.describe(token)
        const name = claim ? html`<p class="address">${claim.address}</p>` : null
        return page({
          title: 'This is not for me',
          body: html`${name}
            <p>
              A software agent gave your address as that of the human who approves its mailbox. If you don’t know it,
              click below: you get no more such mail from the same source, and its sender is limited more strictly.
            </p>
            <p>
              You don’t have to sign in, and nothing else happens. The mailbox stays unusable unless someone approves
              it.
            </p>
            <form method="post"><button>This is not for me</button></form>`,
        })
      },
    },
    {
      method: 'POST',
      path: PATH,
      async answer({ token = '' }, request) {
        await readClick(request, origin)
        return (await claims.refuse(token)) ? THANKS : NOTHING_HERE
      },
    },
  ]
}

const THANKS = page({
  title: 'Thank you',
  body: html`<p>You get no more of these from the same source. You can close this page.</p>`,
})

const NOTHING_HERE = page({
  status: 404,
  title: 'Nothing here',
  body: html`<p>There is no invite at this link, or it is older than 30 days. Check that the link is complete.</p>`,
})

/** The body is ignored; RFC 8058 §3.2 allows both form types. */
async function readClick(request: HttpRequest, origin: string): Promise<void> {
  const type = (request.headers['content-type'] ?? '').toLowerCase()
  if (type.startsWith('multipart/form-data') && request.headers['origin'] === undefined) {
    await request.readBody(MAX_BODY_BYTES)
    return
  }
  await readForm(request, origin)
}
