/** Input of setup, and its checks, all before anything is written. */
import { isIP } from 'node:net'
import { isAbsolute, relative } from 'node:path'
import { parse } from 'tldts'
import { z } from 'zod'
import { normalizeDomain } from '../../config/setting/address.js'
import { isHostName } from '../../lib/host-port.js'

/** As they were typed. */
export interface Answers {
  /** The first is the default. */
  domains: string[]
  hostname: string
  /** Email address of the operator. */
  operator: string
  /** Address of the web pages and the API. */
  baseUrl: string
}

export interface Judged {
  answers: Answers
  /** Each with what would be right. */
  problems: string[]
}

/** Names that are not in the DNS of the world, for tests and for networks of one's own (RFC 6761, RFC 9476 and ICANN's .internal). */
const PRIVATE_TOPS = ['test', 'localhost', 'example', 'internal', 'alt', 'home.arpa']

/** Brings them into the form in which they are written down. */
export function judge(given: Answers): Judged {
  const problems: string[] = []
  const domains: string[] = []
  for (const text of given.domains) {
    const domain = normalizeDomain(text.trim())
    const problem = domain === undefined ? noDomain(text) : problemOfName(domain, 'domain')
    if (problem !== undefined) problems.push(problem)
    else if (domain !== undefined && domains.includes(domain))
      problems.push(`the domain ${domain} is named twice. Name each once`)
    else if (domain !== undefined) domains.push(domain)
  }
  if (given.domains.length === 0)
    problems.push('there is no domain. Name the one that comes behind the @, such as --domain agents.example.com')
  const hostname = given.hostname.trim().toLowerCase().replace(/\.$/, '')
  const hostProblem = problemOfHost(hostname)
  if (hostProblem !== undefined) problems.push(hostProblem)
  const operator = given.operator.trim()
  const operatorProblem = problemOfOperator(operator, domains)
  if (operatorProblem !== undefined) problems.push(operatorProblem)
  const baseUrl = given.baseUrl.trim().replace(/\/$/, '')
  if (!isOrigin(baseUrl))
    problems.push(`"${baseUrl}" is no address for --url; it takes one such as https://${hostname}`)
  return { answers: { domains, hostname, operator, baseUrl }, problems }
}

function noDomain(text: string): string {
  return text.includes('@')
    ? `"${text}" is an email address. The domain is what comes behind its @`
    : `"${text}" is no domain. It takes one such as agents.example.com`
}

function problemOfName(name: string, what: 'domain' | 'host name'): string | undefined {
  if (PRIVATE_TOPS.some((top) => name.endsWith(`.${top}`))) return undefined
  const { publicSuffix, isIcann, isPrivate, domain } = parse(name, { allowPrivateDomains: true })
  if (domain === null || publicSuffix === name)
    return `${name} is a name under which others register theirs, and can't be a ${what}. Take one of your own, such as ${what === 'domain' ? 'agents' : 'mx'}.example.com`
  if (isIcann !== true && isPrivate !== true)
    return `there is no top-level domain .${publicSuffix ?? ''}: look at how ${name} is written. For a network of your own take a name under .internal`
  return undefined
}

function problemOfHost(hostname: string): string | undefined {
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0)
    return `the host name is an address (${hostname}). Others look its name up, so name one that leads to this address, such as mx.example.com`
  if (!isHostName(hostname)) return `"${hostname}" is no host name. It takes one such as mx.example.com`
  if (!hostname.includes('.'))
    return `the host name ${hostname} has no domain. It takes a full one such as ${hostname}.example.com`
  return problemOfName(hostname, 'host name')
}

/** The operator's address has to be on another server, to learn of failures of this one. */
function problemOfOperator(operator: string, domains: string[]): string | undefined {
  if (!z.email().max(254).safeParse(operator).success)
    return operator === ''
      ? 'there is no address of the operator. Name yours, such as --operator you@example.com'
      : `"${operator}" is no email address. It takes one such as you@example.com`
  const domain = operator.slice(operator.lastIndexOf('@') + 1).toLowerCase()
  return domains.includes(domain)
    ? `${operator} is on the server that you set up. Name an address elsewhere, where you hear of it when this one does not work`
    : undefined
}

function isOrigin(text: string): boolean {
  return /^https?:\/\/[^/?#@]+$/i.test(text) && URL.canParse(text)
}

/** Problems of the folders; full paths are expected. */
export function problemsOfFolders(configDir: string, dataDir: string): string[] {
  const problems: string[] = []
  for (const [name, dir] of [
    ['--config', configDir],
    ['--data', dataDir],
  ] as const) {
    if (!isAbsolute(dir)) problems.push(`${name} is ${dir}, and takes a full path such as /etc/restante`)
    else if (dir === '/') problems.push(`${name} is the root of all files. Name a folder of its own`)
    else if (/[\p{Cc}"\\%\s]/u.test(dir))
      problems.push(`${name} has characters that a unit of systemd can't carry: ${JSON.stringify(dir)}`)
  }
  if (problems.length === 0 && (isInside(configDir, dataDir) || isInside(dataDir, configDir)))
    problems.push(
      `${configDir} and ${dataDir} are one inside of the other. The data folder is its owner's alone: give it a place of its own`,
    )
  return problems
}

function isInside(inner: string, outer: string): boolean {
  const way = relative(outer, inner)
  return way === '' || (!way.startsWith('..') && !isAbsolute(way))
}
