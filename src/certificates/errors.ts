/** Errors of orders, with advice for the operator. */

const URN = 'urn:ietf:params:acme:error:'
/** An authority's sentences are of any length. */
const MAX_CHARS = 400

const WRONG_RESPONSE =
  'The server at port 80 of the name has to pass /.well-known/acme-challenge/ to server.http; with "dns-01", the TXT record has to be on every name server of the zone.'
/** Advice by error type of the authority (RFC 8555 §6.7) or of ours. */
const ADVICE: Record<string, string> = {
  unreachable: 'Check the address in tls.acme, and that this host can connect to it. It is tried again.',
  no_directory:
    "Set tls.acme to the URL of the authority's directory, from its documentation; it often ends in /directory.",
  no_address: 'Publish its A or AAAA record (`restante dns` lists them); the order is tried again automatically.',
  no_challenge: 'Choose another tls.acme_challenge.',
  program: 'Run tls.acme_dns_program by hand as docs/tls.md shows.',
  timeout: 'It is tried again.',
  dns: 'Check that the name resolves everywhere, and that DNSSEC validates if the zone is signed.',
  connection:
    'Port 80 of the name has to reach this host from everywhere: check the firewall, and AAAA records of addresses that are not served.',
  unauthorized: WRONG_RESPONSE,
  incorrectResponse: WRONG_RESPONSE,
  caa: 'A CAA record of the domain names other authorities: add this one to it.',
  rateLimited: 'Too many orders: it is tried again later. Use the staging directory of the authority for tests.',
  rejectedIdentifier:
    'This authority issues nothing for that name. Remove it from the settings, or choose another authority.',
  externalAccountRequired:
    'Set tls.acme_eab_key_id and tls.acme_eab_key_file to the key of your account with the authority.',
  userActionRequired: 'The authority has new terms: see its website.',
}

export class AcmeError extends Error {
  /** Error type of the authority without its prefix, or ours. */
  readonly kind: string
  readonly retryAfterMs: number | undefined

  constructor(type: string, detail: string, options: { cause?: unknown; retryAfterMs?: number | undefined } = {}) {
    super(clip(detail), 'cause' in options ? { cause: options.cause } : {})
    this.name = 'AcmeError'
    this.kind = clip(type.startsWith(URN) ? type.slice(URN.length) : type)
    this.retryAfterMs = options.retryAfterMs
  }

  get advice(): string | undefined {
    return Object.hasOwn(ADVICE, this.kind) ? ADVICE[this.kind] : undefined
  }
}

/** For one line of a log or a terminal. */
function clip(text: string): string {
  const line = text.replaceAll(/[^\P{C} ]|\p{Zl}|\p{Zp}/gu, ' ')
  return line.length > MAX_CHARS ? `${line.slice(0, MAX_CHARS)}…` : line
}
