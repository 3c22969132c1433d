/** Setting up a mail program without typing: a QR code for an Android phone, and a profile for iPhone, iPad and Mac. */
import { invalidRequest } from '../../lib/errors.js'
import type { MailboxRecord } from '../../mailbox/mailbox-record.js'
import { APPLE_PROFILE_PATH } from '../../publish/programs/paths.js'
import { bestOfBoth, servicesOf, type ServicePorts } from '../../publish/programs/services.js'
import { html, type Html } from '../page/html.js'
import type { Visitor } from '../page/page.js'
import { form, ownMailbox, PATHS, type OwnerPage } from '../page/person-frame.js'
import { mailboxPath } from './mailboxes.js'

const MODULE_PX = 4
const PASSWORD_FIELD = 'password'
/** What an app password consists of, and more. */
const PASSWORD = /^[\x21-\x7e]{1,200}$/

/** Shown once with an app password. @param scopes of the password */
export async function phoneSetup(
  mailbox: MailboxRecord,
  { password, scopes }: { password: string; scopes: readonly string[] },
  servers: ServicePorts,
  visitor: Visitor,
): Promise<Html> {
  const reads = scopes.includes('imap') || scopes.includes('imap:read')
  const best = reads && scopes.includes('submission') ? bestOfBoth(servicesOf(servers)) : undefined
  // Formats of accounts have a server for reading and one for sending.
  if (!best)
    return html`<p>To a phone it comes by this QR code:</p>
      ${await qrCode(password, 'QR code of the password')}`
  const { thunderbirdAccount } = await import('../../publish/programs/thunderbird-code.js')
  const { address, displayName } = mailbox
  const account = thunderbirdAccount({ address, name: displayName || address, password }, best)
  return html`<h2>On a phone</h2>
    <p>
      <strong>Android:</strong> in Thunderbird or K-9, choose <em>Import settings</em> and scan this code. It contains
      the password.
    </p>
    ${await qrCode(account, 'QR code with the settings and the password')}
    <p>
      <strong>iPhone, iPad, Mac:</strong> if you see this page on the device itself, get the profile and install it in
      the settings, under <em>Profile Downloaded</em>. It contains the password.
    </p>
    ${form(
      visitor,
      profilePath(mailbox.id),
      html`<input type="hidden" name="${PASSWORD_FIELD}" value="${password}" /><button>Get the profile</button>`,
    )}`
}

/** An inline SVG, which the policy of the pages allows; dark on white in dark mode too, as scanners expect it. @param label for those who can't see it */
async function qrCode(text: string, label: string): Promise<Html> {
  const { qrPath } = await import('./qr-code.js')
  const { size, path } = qrPath(text)
  return html`<svg
    role="img"
    aria-label="${label}"
    viewBox="0 0 ${size} ${size}"
    width="${size * MODULE_PX}"
    height="${size * MODULE_PX}"
    shape-rendering="crispEdges"
  >
    <rect width="${size}" height="${size}" fill="#fff" />
    <path fill="#000" d="${path}" />
  </svg>`
}

/** The settings without a password, for one who has it already. */
export function profileLink({ address }: MailboxRecord, servers: ServicePorts): Html | undefined {
  if (!bestOfBoth(servicesOf(servers))) return undefined
  return html`<p class="small">
    For iPhone, iPad and Mac there is
    <a href="${APPLE_PROFILE_PATH}?emailaddress=${encodeURIComponent(address)}">a profile with these settings</a>; the
    device asks for the password.
  </p>`
}

/** The profile with the password that the form has, which is stored nowhere. */
export const appleProfilePage: OwnerPage = {
  method: 'POST',
  path: profilePath('{id}'),
  access: 'session',
  async answer({ params, form: sent, visitor }, deps) {
    const { address } = await ownMailbox(visitor, params['id'] ?? '', deps)
    const password = sent.get(PASSWORD_FIELD) ?? ''
    const best = bestOfBoth(servicesOf(deps.mailPrograms ?? {}))
    if (!best || !PASSWORD.test(password))
      throw invalidRequest(
        'There is no profile for this password.',
        `Make an app password that may read and send, on the page of the mailbox (${PATHS.mailboxes}).`,
      )
    const [{ appleProfile }, { profileResponse }] = await Promise.all([
      import('../../publish/programs/apple-profile.js'),
      import('../files/profile-response.js'),
    ])
    return profileResponse(appleProfile({ address, ...best, password }))
  },
}

function profilePath(mailboxId: string): string {
  return `${mailboxPath(mailboxId)}/apple-profile`
}
