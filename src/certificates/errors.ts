/** Why there is no certificate, and what an operator can do about it. */

const URN = 'urn:ietf:params:acme:error:'
/** An authority's sentences are of any length. */
const MAX_CHARS = 400

/** What to do, by the authority's word for what went wrong (RFC 8555 §6.7) or by ours. */
const ADVICE: Record<string, string> = {
  unreachable: 'Is the address in tls.acme right, and may this host connect to it? It is tried again.',
  no_directory:
    "Set tls.acme to the address of the authority's directory; its pages name it, and it often ends in /directory.",
  no_address: 'Publish its A or AAAA record (`restante dns` lists them); the order is tried again by itself.',
  no_challenge: 'Choose another tls.acme_challenge.',
  program: 'Run tls.acme_dns_program by hand as docs/tls.md shows.',
  timeout: 'It is tried again.',
  dns: 'Does the name resolve everywhere, and its records validate where the zone is signed?',
  connection:
    'Port 80 of the name has to reach this host from everywhere: look at the firewall, and at AAAA records of an address that is not served.',
  unauthorized:
    'Whoever answers at port 80 of the name has to pass /.well-known/acme-challenge/ on to server.http; with "dns-01", the TXT record has to be on every name server of the zone.',
  incorrectResponse:
    'Whoever answers at port 80 of the name has to pass /.well-known/acme-challenge/ on to server.http; with "dns-01", the TXT record has to be on every name server of the zone.',
  caa: 'A CAA record of the domain names other authorities: add this one to it.',
  rateLimited:
    'Too many orders: the authority is asked again later. Try its staging directory while you change things.',
  rejectedIdentifier:
    'This authority makes out nothing for that name. Take it from the settings, or choose another authority.',
  externalAccountRequired: 'Set tls.acme_eab_key_id and tls.acme_eab_key_file to what the authority gave you.',
  userActionRequired: 'The authority has new terms: look at its pages.',
}

export class AcmeError extends Error {
  /** The authority's word without its prefix, or ours. */
  readonly kind: string
  readonly retryAfterMs: number | undefined

  constructor(type: string, detail: string, options: { cause?: unknown; retryAfterMs?: number | undefined } = {}) {
    super(clip(detail), 'cause' in options ? { cause: options.cause } : {})
    this.name = 'AcmeError'
    this.kind = clip(type.startsWith(URN) ? type.slice(URN.length) : type)
    this.retryAfterMs = options.retryAfterMs
  }

  /** Undefined when nothing is known. */
  get advice(): string | undefined {
    return Object.hasOwn(ADVICE, this.kind) ? ADVICE[this.kind] : undefined
  }
}

/** For one line of a log or a terminal. */
function clip(text: string): string {
  const line = text.replaceAll(/[^\P{C} ]|\p{Zl}|\p{Zp}/gu, ' ')
  return line.length > MAX_CHARS ? `${line.slice(0, MAX_CHARS)}…` : line
}
