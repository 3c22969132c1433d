/** Client metadata (RFC 7591 §2), from a registration or a document. Unknown fields are ignored, as required there. */
import { z } from 'zod'
import { cut } from '../lib/text.js'
import { OAuthError } from './errors.js'
import { MAX_REDIRECT_URIS, redirectUriProblem } from './redirect-uris.js'

const MAX_NAME_CHARS = 100

const metadata = z.object({
  redirect_uris: z.array(z.string()).min(1).max(MAX_REDIRECT_URIS),
  client_name: z.string().optional(),
  token_endpoint_auth_method: z.string().optional(),
  grant_types: z.array(z.string()).optional(),
  response_types: z.array(z.string()).optional(),
})

export interface ClientMetadata {
  /** '' for none. */
  name: string
  redirectUris: string[]
  /** The requested authentication method; here clients have none. */
  authMethod: string | undefined
}

/** @throws OAuthError `invalid_redirect_uri`, `invalid_client_metadata` */
export function parseMetadata(given: unknown): ClientMetadata {
  const parsed = metadata.safeParse(given)
  if (!parsed.success) {
    const field = String(parsed.error.issues[0]?.path[0] ?? '')
    if (field === 'redirect_uris')
      throw new OAuthError('invalid_redirect_uri', `\`redirect_uris\` is a list of 1 to ${MAX_REDIRECT_URIS} URIs.`)
    throw new OAuthError(
      'invalid_client_metadata',
      field === '' ? 'The metadata is a JSON object (RFC 7591 §2).' : `\`${field}\` is not of the type in RFC 7591 §2.`,
    )
  }
  const {
    redirect_uris: redirectUris,
    client_name: name = '',
    grant_types: grants,
    response_types: responses,
  } = parsed.data
  for (const [i, uri] of redirectUris.entries()) {
    const problem = redirectUriProblem(uri)
    if (problem !== undefined)
      throw new OAuthError('invalid_redirect_uri', `Number ${i + 1} of \`redirect_uris\` ${problem}.`)
  }
  if (grants && !grants.includes('authorization_code'))
    throw new OAuthError(
      'invalid_client_metadata',
      '`grant_types` needs authorization_code: there is no other way to get a token here.',
    )
  if (responses && !responses.includes('code'))
    throw new OAuthError('invalid_client_metadata', '`response_types` needs code: no other is supported.')
  return {
    name: cleanName(name),
    redirectUris: [...new Set(redirectUris)],
    authMethod: parsed.data.token_endpoint_auth_method,
  }
}

/** On one line, without characters that are invisible or overlap their neighbours: it is shown to a human. */
function cleanName(name: string): string {
  const plain = name
    .slice(0, 10 * MAX_NAME_CHARS)
    .replace(/[\p{Z}\p{Cc}]+/gu, ' ')
    .replace(/[\p{C}\p{Default_Ignorable_Code_Point}]/gu, '')
    .replace(/(\p{M}{2})\p{M}+/gu, '$1')
    .trim()
  return cut(plain, MAX_NAME_CHARS).trim()
}
