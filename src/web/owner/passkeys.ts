/** The owner's passkeys, on the page of sessions: list, add within ten minutes of signing in, remove. */
import { z } from 'zod'
import { MAX_PASSKEYS, type Passkey } from '../../accounts/sign-in/passkeys.js'
import { MINUTE, type Clock } from '../../lib/clock.js'
import { ServiceError } from '../../lib/errors.js'
import { MARK_FIELD } from '../page/form.js'
import { redirect } from '../page/frame.js'
import { html, type Html } from '../page/html.js'
import { signInUrl, type Visitor } from '../page/page.js'
import { form, ownerAction, PATHS, providerName, type OwnerDeps, type OwnerPage } from '../page/person-frame.js'
import { moment, plain } from '../page/words.js'
import { END_CHALLENGE, type PasskeyParts } from '../page/passkey-challenge.js'
import { credentialIn, scriptAnswer } from '../sign-in/passkey.js'

const PATH = `${PATHS.sessions}/passkeys`
/** A session that somebody left open, or stole, adds no way to come back. */
const FRESH_MS = 10 * MINUTE

const text = z.string().max(16_384)
const credentialSchema = z.object({
  id: text,
  rawId: text,
  type: z.literal('public-key'),
  clientExtensionResults: z.object({}),
  response: z.object({ clientDataJSON: text, attestationObject: text }),
})

const options: OwnerPage = {
  method: 'POST',
  path: `${PATH}/options`,
  access: 'session',
  async answer({ visitor }, deps) {
    const { keys, challenges, service } = partsFor(visitor, deps)
    const { id, accountId, identity } = visitor.session
    const { challenge, cookie } = challenges.issue(id)
    const user = identity.email ?? identity.username ?? accountId
    return scriptAnswer(await keys.creation(accountId, challenge, { service, user }), cookie)
  },
}

const add: OwnerPage = {
  method: 'POST',
  path: PATH,
  access: 'session',
  formBytes: 32 * 1024,
  async answer({ visitor, form: given, request, network, audit }, deps) {
    const { keys, challenges, letter } = partsFor(visitor, deps)
    const { id, accountId, identity } = visitor.session
    const challenge = await challenges.take(request.headers, id)
    const response = credentialIn(given, credentialSchema)
    if (challenge === undefined || !response) throw notThisOne()
    const name = plain(given.get('name') ?? '')
    await audit({ action: 'passkey.added', subject: { name } }, () =>
      keys.add(accountId, { response, challenge, name, identity }, (added) =>
        letter({ what: 'added', accountId, name: added.name, network }),
      ),
    )
    return redirect(`${PATHS.sessions}?done=passkey-added`, [END_CHALLENGE])
  },
}

const remove = ownerAction(`${PATH}/remove`, async ({ form: given, visitor, network, audit }, { passkeys }) => {
  const { accountId } = visitor.session
  const known = (await passkeys?.keys.list(accountId))?.find(({ id }) => id === given.get('id'))
  if (passkeys && known) {
    const post = await passkeys.letter({ what: 'removed', accountId, name: known.name, network })
    await audit({ action: 'passkey.removed', subject: { name: known.name } }, () =>
      passkeys.keys.remove(accountId, known.id, post),
    )
  }
  return `${PATHS.sessions}?done=passkey-removed`
})

export const passkeyOwnerPages: readonly OwnerPage[] = [options, add, remove]

export async function passkeySection(
  visitor: Visitor,
  deps: Pick<OwnerDeps, 'passkeys' | 'clock' | 'providers'>,
): Promise<Html | undefined> {
  if (!deps.passkeys) return undefined
  const all = await deps.passkeys.keys.list(visitor.session.accountId)
  return html`<h2>Passkeys</h2>
    <p class="small">
      A passkey signs you in with this device's PIN, fingerprint or face, or with a security key. Nobody can guess or
      phish it.
    </p>
    <ul>
      ${all.map((passkey) => item(passkey, visitor, deps))}
    </ul>
    ${addForm(all.length, visitor, deps.clock)}`
}

function addForm(count: number, visitor: Visitor, clock: Clock): Html {
  if (count >= MAX_PASSKEYS)
    return html`<p>You have ${MAX_PASSKEYS} passkeys, which is the limit: remove one to add another.</p>`
  if (!isFresh(visitor, clock))
    return html`<p>
      To add a passkey, <a href="${signInUrl(PATHS.sessions)}">sign in again</a> first: it takes a session of the last
      ten minutes.
    </p>`
  return html`<form method="post" action="${PATH}" data-passkey="create" data-options="${PATH}/options" hidden>
    <input type="hidden" name="${MARK_FIELD}" value="${visitor.mark}" />
    <input type="hidden" name="credential" />
    <label for="name">Name of the new passkey</label>
    <input type="text" id="name" name="name" maxlength="64" placeholder="My phone" autocomplete="off" />
    <p><button>Add a passkey</button></p>
    <p class="bad" role="alert" hidden></p>
  </form>`
}

function item(
  { id, name, createdAt, lastUsedAt, identity }: Passkey,
  visitor: Visitor,
  deps: Pick<OwnerDeps, 'clock' | 'providers'>,
): Html {
  const now = deps.clock.now()
  return html`<li class="card">
    <strong>${plain(name)}</strong>
    <div class="small">
      Added ${moment(createdAt, now)} as ${identity.email ?? identity.username ?? identity.subject} with
      ${providerName(deps, identity.provider)};
      ${lastUsedAt === null ? 'not used yet' : html`last used ${moment(lastUsedAt, now)}`}.
    </div>
    ${form(
      visitor,
      `${PATH}/remove`,
      html`<input type="hidden" name="id" value="${id}" /><button class="danger">Remove this passkey</button>`,
    )}
  </li>`
}

const isFresh = ({ session }: Visitor, clock: Clock): boolean => clock.now() < session.createdAt + FRESH_MS

/** @throws ServiceError `not_found` where there are no passkeys, `invalid_request` for a session that is too old to add one */
function partsFor(visitor: Visitor, { passkeys, clock }: Pick<OwnerDeps, 'passkeys' | 'clock'>): PasskeyParts {
  if (!passkeys) throw new ServiceError('not_found', 'This server has no passkeys.', 'Sign in another way, at /signin.')
  if (!isFresh(visitor, clock))
    throw new ServiceError(
      'invalid_request',
      'No passkey was added: you signed in more than ten minutes ago.',
      'Sign in again, then add it.',
    )
  return passkeys
}

function notThisOne(): ServiceError {
  return new ServiceError(
    'invalid_request',
    'No passkey was added: the request was used, is older than five minutes, or of another browser.',
    'Go back, reload the page, and try again.',
  )
}
