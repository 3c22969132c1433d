/** Settings for mail programs. They are the same for every address of a domain, so they say nothing of which addresses exist. */
import { normalizeDomain } from '../../config/setting/address.js'
import type { HttpRequest, HttpResponse } from '../../http/message.js'
import type { Clock } from '../../lib/clock.js'
import { invalidRequest, ServiceError } from '../../lib/errors.js'
import { parseAddress } from '../../mime/address.js'
import { appleProfile } from '../../publish/programs/apple-profile.js'
import { autoconfigDocument } from '../../publish/programs/autoconfig.js'
import {
  autodiscoverAnswer,
  autodiscoverPointer,
  autodiscoverRefusal,
  OUTLOOK_SCHEMA,
} from '../../publish/programs/autodiscover.js'
import { MAX_REQUEST_BYTES, readAutodiscoverRequest } from '../../publish/programs/autodiscover-request.js'
import type { ProgramService } from '../../publish/programs/services.js'
import { profileResponse } from './profile-response.js'

export interface ProgramSettingsDeps {
  /** Empty if the server has no port for programs: then there are no settings. */
  services: readonly ProgramService[]
  /** True for the domains of the server, and for verified custom ones. */
  isOurs: (domain: string) => boolean
  /** The first domain of the server. */
  domain: string
  /** Of the service, for people. */
  name: string
  baseUrl: string
  clock: Clock
}

export interface Offered extends Omit<ProgramSettingsDeps, 'baseUrl'> {
  best: { incoming: ProgramService; outgoing: ProgramService } | undefined
  /** Where autodiscover's first version is. */
  autodiscoverUrl: string
}

const XML = 'text/xml; charset=utf-8'
const JSON_TYPE = 'application/json'
const CACHED = { 'Cache-Control': 'public, max-age=3600' }

/** draft-ietf-mailmaint-autoconfig §4. @param host that was asked @throws ServiceError `not_found` for another domain */
export function autoconfig(deps: Offered, query: string, host: string): HttpResponse {
  const address = new URLSearchParams(query).get('emailaddress')
  const domain = requireOurs(deps, address === null ? domainByHost(deps, host) : domainOf(address))
  const body = autoconfigDocument(domain, deps.name, deps.services)
  return { status: 200, headers: { 'Content-Type': XML, ...CACHED }, body }
}

/** [MS-OXDSCLI] §3.2.5. @throws ServiceError `invalid_request`, `payload_too_large`, and `not_found` for another domain */
export async function autodiscover(deps: Offered, request: HttpRequest): Promise<HttpResponse> {
  if (deps.services.length === 0) throw noPrograms()
  const asked = readAutodiscoverRequest(await request.readBody(MAX_REQUEST_BYTES))
  if (!asked)
    throw invalidRequest(
      'The body is no request of autodiscover.',
      'Send XML in UTF-8 with Autodiscover/Request/EMailAddress, without a document type and entities.',
    )
  requireOurs(deps, domainOf(asked.address))
  const { address, schema = OUTLOOK_SCHEMA } = asked
  const body =
    schema === OUTLOOK_SCHEMA ? autodiscoverAnswer(address, deps.services) : autodiscoverRefusal(deps.clock.now())
  return { status: 200, headers: { 'Content-Type': XML }, body }
}

/** The second version, with errors in the words of Exchange. @param email of the path, where a program has it there */
export function autodiscoverJson(deps: Offered, query: string, email: string | undefined): HttpResponse {
  const asked = new Map([...new URLSearchParams(query)].map(([name, value]) => [name.toLowerCase(), value]))
  const address = email ?? asked.get('email')
  const protocol = asked.get('protocol') ?? ''
  if (deps.services.length === 0) throw noPrograms()
  if (address === undefined || domainOf(address) === undefined)
    return jsonError(400, 'InvalidUserId', 'The query parameter Email has to be an email address.')
  if (!isOurs(deps, domainOf(address)))
    return jsonError(404, 'UserNotFound', 'The domain of the email address is not one of this server.')
  if (protocol === '')
    return jsonError(400, 'MandatoryParameterMissing', 'The query parameter Protocol has to be AutodiscoverV1.')
  if (protocol.toLowerCase() !== 'autodiscoverv1')
    return jsonError(400, 'ProtocolNotSupported', 'This protocol is not supported. Supported is AutodiscoverV1.')
  return {
    status: 200,
    headers: { 'Content-Type': JSON_TYPE, ...CACHED },
    body: autodiscoverPointer(deps.autodiscoverUrl),
  }
}

/** Apple's profile for an address, without a password: the device asks for it. @throws ServiceError `invalid_request`, `not_found` */
export function profile(deps: Offered, query: string): HttpResponse {
  const { best } = deps
  if (!best) throw noPrograms()
  const address = parseAddress(new URLSearchParams(query).get('emailaddress') ?? '')?.address
  if (address === undefined)
    throw invalidRequest('There is no address to set up.', 'Add ?emailaddress= with the address of the mailbox.')
  requireOurs(deps, domainOf(address))
  return profileResponse(appleProfile({ address, ...best }), CACHED)
}

/** By the name that was asked: `autoconfig.` of a domain, or the domain itself; elsewhere the first one. */
function domainByHost({ isOurs: isKnown, domain }: Offered, host: string): string | undefined {
  const named = /^(?:autoconfig|autodiscover)\.(.+)$/.exec(host)?.[1]
  if (named !== undefined) return named
  return isKnown(host) ? host : domain
}

/** Of an address whose local part does not matter. */
function domainOf(address: string): string | undefined {
  const at = address.lastIndexOf('@')
  return at === -1 ? undefined : normalizeDomain(address.slice(at + 1))
}

function isOurs({ isOurs: isKnown }: Offered, domain: string | undefined): domain is string {
  return domain !== undefined && isKnown(domain)
}

function requireOurs(deps: Offered, domain: string | undefined): string {
  if (deps.services.length === 0) throw noPrograms()
  if (isOurs(deps, domain)) return domain
  throw new ServiceError(
    'not_found',
    'This server has no settings for that domain.',
    'Ask under autoconfig. and the domain, or with the address of a mailbox of this server; a proxy in front must pass on the Host header.',
  )
}

function noPrograms(): ServiceError {
  return new ServiceError(
    'not_found',
    'This server has no settings for mail programs.',
    'Its operator can open ports for them: see docs/mail-programs.md.',
  )
}

function jsonError(status: number, code: string, message: string): HttpResponse {
  const body = JSON.stringify({ ErrorCode: code, ErrorMessage: message })
  return { status, headers: { 'Content-Type': JSON_TYPE }, body }
}
