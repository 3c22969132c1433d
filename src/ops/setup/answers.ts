/** Input of setup, and its checks, all before anything is written. */
import { isIP } from 'node:net'
import { isAbsolute, relative } from 'node:path'
import { parse } from 'tldts'
import { z } from 'zod'
import { normalizeDomain } from '../../config/setting/address.js'
import { isHostName } from '../../lib/host-port.js'

export interface Answers {
  domains: string[]
  hostname: string
  operator: string
  /** Address of the web pages and the API. */
  baseUrl: string
  /** Opens ports for mail programs. */
  mailPrograms?: boolean
}

/** Names outside the public DNS, for tests and private networks (RFC 6761, RFC 9476 and ICANN's .internal). */
const PRIVATE_TOPS = ['test', 'localhost', 'example', 'internal', 'alt', 'home.arpa']

/** Checks answers and normalizes them. @returns them with their problems, each with its remedy */
export function checkAnswers(given: Answers): { answers: Answers; problems: string[] } {
  const problems: string[] = []
  const domains: string[] = []
  for (const text of given.domains) {
    const domain = normalizeDomain(text.trim())
    const problem = domain === undefined ? noDomain(text) : problemOfName(domain, 'domain')
    if (problem !== undefined) problems.push(problem)
    else if (domain !== undefined && domains.includes(domain))
      problems.push(`the domain ${domain} is given twice. Give each once`)
    else if (domain !== undefined) domains.push(domain)
  }
  if (given.domains.length === 0)
    problems.push('no domain is given. Give the one after the @ of your addresses, such as --domain agents.example.com')
  const hostname = given.hostname.trim().toLowerCase().replace(/\.$/, '')
  const hostProblem = problemOfHost(hostname)
  if (hostProblem !== undefined) problems.push(hostProblem)
  const operator = given.operator.trim()
  const operatorProblem = problemOfOperator(operator, domains)
  if (operatorProblem !== undefined) problems.push(operatorProblem)
  const baseUrl = given.baseUrl.trim().replace(/\/$/, '')
  if (!isOrigin(baseUrl))
    problems.push(`"${baseUrl}" is not a valid --url. Give an address such as https://${hostname}`)
  return { answers: { ...given, domains, hostname, operator, baseUrl }, problems }
}

function noDomain(text: string): string {
  return text.includes('@')
    ? `"${text}" is an email address. Give only the domain after its @`
    : `"${text}" is not a domain. Give one such as agents.example.com`
}

function problemOfName(name: string, what: 'domain' | 'host name'): string | undefined {
  if (PRIVATE_TOPS.some((top) => name.endsWith(`.${top}`))) return undefined
  const { publicSuffix, isIcann, isPrivate, domain } = parse(name, { allowPrivateDomains: true })
  if (domain === null || publicSuffix === name)
    return `${name} is a public suffix, under which others register names, and can't be a ${what}. Give one of your own, such as ${what === 'domain' ? 'agents' : 'mx'}.example.com`
  if (isIcann !== true && isPrivate !== true)
    return `there is no top-level domain .${publicSuffix ?? ''}: check the spelling of ${name}. For a private network use a name under .internal`
  return undefined
}

function problemOfHost(hostname: string): string | undefined {
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0)
    return `the host name is an address (${hostname}). Give a name that resolves to this address, such as mx.example.com`
  if (!isHostName(hostname)) return `"${hostname}" is not a host name. Give one such as mx.example.com`
  if (!hostname.includes('.'))
    return `the host name ${hostname} has no domain. Give a full one such as ${hostname}.example.com`
  return problemOfName(hostname, 'host name')
}

/** The operator's address has to be on another server, so that the operator learns of failures of this one. */
function problemOfOperator(operator: string, domains: string[]): string | undefined {
  if (!z.email().max(254).safeParse(operator).success)
    return operator === ''
      ? 'no address of the operator is given. Give yours, such as --operator you@example.com'
      : `"${operator}" is not an email address. Give one such as you@example.com`
  const domain = operator.slice(operator.lastIndexOf('@') + 1).toLowerCase()
  return domains.includes(domain)
    ? `${operator} is on the server that you set up. Give an address elsewhere, where you are notified if this one fails`
    : undefined
}

function isOrigin(text: string): boolean {
  return /^https?:\/\/[^/?#@]+$/i.test(text) && URL.canParse(text)
}

export function problemsOfFolders(configDir: string, dataDir: string): string[] {
  const problems: string[] = []
  for (const [name, dir] of [
    ['--config', configDir],
    ['--data', dataDir],
  ] as const) {
    if (!isAbsolute(dir)) problems.push(`${name} is ${dir}. Give a full path such as /etc/restante`)
    else if (dir === '/') problems.push(`${name} is the root folder. Give a separate folder`)
    else if (/[\p{Cc}"\\%\s]/u.test(dir))
      problems.push(`${name} has characters that are not allowed in a systemd unit: ${JSON.stringify(dir)}`)
  }
  if (problems.length === 0 && (isInside(configDir, dataDir) || isInside(dataDir, configDir)))
    problems.push(
      `${configDir} and ${dataDir} are nested. The data folder is readable by its owner only: put it elsewhere`,
    )
  return problems
}

function isInside(inner: string, outer: string): boolean {
  const way = relative(outer, inner)
  return way === '' || (!way.startsWith('..') && !isAbsolute(way))
}
