/** Declaration of a setting: its form, its default, and the texts for documentation, shipped files and errors. */
import { isIP } from 'node:net'
import { z } from 'zod'
import { validate } from 'node-cron'
import { isHostName, parseHostPort } from '../../lib/host-port.js'
import { isLoopback, parseNetwork } from '../../lib/ip.js'
import { normalizeDomain } from './address.js'

/** A form of value, with the text that completes "takes …". */
export interface Kind<T> {
  schema: z.ZodType<T>
  takes: string
  unit?: string | undefined
  /** Keys of each table, for a list of tables. */
  keys?: TableKey[]
}

/** One line of a table. */
export interface TableKey {
  name: string
  about: string
  takes: string
  /** Default; undefined if required. */
  value: unknown
  /** Example value if there is no default. */
  example?: unknown
}

export interface SettingWords {
  /** Its effect, in sentences. */
  about: string
  /** Meaning of the default, if its value does not show it. */
  otherwise?: string
  /** A new value is applied on SIGHUP; otherwise it needs a restart. */
  reload?: true
}

export function setting<T>(
  kind: Kind<T>,
  value: T & z.core.util.NoUndefined<T>,
  words: SettingWords,
): z.ZodDefault<z.ZodType<T>> {
  return kind.schema.default(value).meta({ takes: kind.takes, unit: kind.unit, keys: kind.keys, ...words })
}

const keySchema = z.object({
  name: z.string(),
  about: z.string(),
  takes: z.string(),
  value: z.unknown(),
  example: z.unknown().optional(),
})

const wordsSchema = z.object({
  takes: z.string(),
  keys: z.array(keySchema).optional(),
  example: z.unknown().optional(),
  about: z.string(),
  unit: z.string().optional(),
  otherwise: z.string().optional(),
  reload: z.literal(true).optional(),
})

/** The texts a setting was declared with. */
export function wordsOf(schema: z.ZodType): z.infer<typeof wordsSchema> {
  return wordsSchema.parse(schema.meta())
}

export function wholeNumber(min: number, max: number, unit?: string): Kind<number> {
  return { schema: z.int().min(min).max(max), takes: `a whole number from ${min} to ${max}`, unit }
}

export function decimal(min: number, max: number, unit?: string): Kind<number> {
  return { schema: z.number().min(min).max(max), takes: `a number from ${min} to ${max}`, unit }
}

/** A number, or "auto". */
export function auto(kind: Kind<number>): Kind<number | 'auto'> {
  return { schema: z.union([z.literal('auto'), kind.schema]), takes: `"auto", or ${kind.takes}`, unit: kind.unit }
}

export const flag: Kind<boolean> = { schema: z.boolean(), takes: 'true or false' }

export function oneOf<const V extends readonly string[]>(...values: V): Kind<V[number]> {
  return { schema: z.enum(values), takes: `one of ${values.map((value) => `"${value}"`).join(', ')}` }
}

export function textWhere(isValid: (value: string) => boolean, takes: string, schema = z.string()): Kind<string> {
  return { schema: schema.refine(isValid), takes }
}

/** A text that is stored in the form that `parse` returns; undefined for an invalid one. */
function parsedText(parse: (value: string) => string | undefined, takes: string): Kind<string> {
  const schema = z.string().transform((value, context) => {
    const parsed = parse(value)
    if (parsed !== undefined) return parsed
    context.addIssue({ code: 'custom', message: 'invalid' })
    return z.NEVER
  })
  return { schema, takes }
}

function isHostWithPort(value: string): boolean {
  return parseHostPort(value) !== undefined
}

// A control character in a path or a name is a copying error, and would reach logs and protocols.
const line = z.string().regex(/^\P{Cc}*$/u)

export const path: Kind<string> = { schema: line.min(1), takes: 'the path of a file or folder' }

export const cronTime = textWhere(
  (value) => value.trim().split(/\s+/).length === 5 && validate(value),
  'five fields (minute, hour, day of the month, month, day of the week) in UTC, such as "30 3 * * *" for 03:30 each night',
  line.max(100),
)

export const text: Kind<string> = { schema: line.max(1000), takes: 'a text' }

/** A form of text, or "" for none. */
export function optional(kind: Kind<string>): Kind<string> {
  return { schema: z.union([z.literal(''), kind.schema]), takes: `${kind.takes}, or "" for none` }
}

export const listenAddress = textWhere(
  isHostWithPort,
  'an address with a port such as "127.0.0.1:8080" or "[::1]:8080"',
)

export const serverAddress = textWhere(isHostWithPort, 'a host with a port such as "smtp.example.com:587"')

/** A socket's path differs from `host:port` by its slash. */
export const socketAddress = textWhere(
  (value) => value.startsWith('/') || isHostWithPort(value),
  'a socket\'s full path such as "/run/clamav/clamd.ctl", or a host with a port such as "127.0.0.1:3310"',
  line,
)

export const httpServer = textWhere(
  (value) => isHostWithPort(value) || isOrigin(value),
  'a host with a port such as "127.0.0.1:11333", or an http or https address without a path',
)

export const resolverAddress = textWhere(
  (value) => isIP(value) !== 0 || isIP(parseHostPort(value)?.host ?? '') !== 0,
  'an IP address, with a port or without, such as "127.0.0.1:5300"',
)

export const network = textWhere(
  (value) => parseNetwork(value) !== undefined,
  'an IP address such as "127.0.0.1", or a network such as "10.0.0.0/8"',
)

export const webAddress = parsedText(
  (value) => (isOrigin(value) ? value.replace(/\/$/, '') : undefined),
  'an http or https address without a path, such as "https://mail.example.com"',
)

export const webhookAddress = textWhere(
  (value) => /^https?:\/\//i.test(value) && URL.canParse(value) && new URL(value).username === '',
  'an http or https address such as "https://billing.example.com/hooks/restante"',
  z.string().max(1000),
)

/** URL of an API that has more than one path. */
export const baseAddress = textWhere(
  isBaseAddress,
  'an http or https address such as "https://models.example.com/v1"',
  z.string().max(500),
)

function isBaseAddress(value: string): boolean {
  if (!/^https?:\/\//i.test(value) || !URL.canParse(value)) return false
  const url = new URL(value)
  return url.search === '' && url.hash === '' && url.username === '' && url.password === ''
}

function isOrigin(value: string): boolean {
  return isBaseAddress(value) && new URL(value).pathname === '/'
}

/** A segment of our URLs. */
export const pathName: Kind<string> = {
  schema: z.string().regex(/^[a-z0-9][a-z0-9-]{0,31}$/),
  takes: 'a short name of a-z, 0-9 and "-"',
}

/** URL of a server that gets secrets: without TLS only on this machine. */
export const safeAddress = textWhere(
  (value) => isBaseAddress(value) && isSafeOrigin(new URL(value)),
  'an https address such as "https://accounts.example.com", or an http one on a loopback address',
  z.string().max(500),
)

export const bucketAddress = textWhere(
  (value) => /^s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](\/[A-Za-z0-9_][\w.-]{0,99}){0,10}$/.test(value),
  'a bucket, with a prefix or without, such as "s3://mail/restante"',
)

export const regionName = textWhere(
  (value) => /^[a-z0-9][a-z0-9-]{0,62}$/i.test(value),
  'a region such as "eu-central-1"',
)

/** True if nobody can read the traffic: over TLS, or on this machine only. */
export function isSafeOrigin({ protocol, hostname }: URL): boolean {
  const isHere = hostname === 'localhost' || isLoopback(hostname.replace(/^\[|\]$/g, ''))
  return protocol === 'https:' || (protocol === 'http:' && isHere)
}

export const domain = parsedText(normalizeDomain, 'a domain such as "agents.example.com"')

/** A domain, its subdomains, or all domains. */
export const routePattern = parsedText((value) => {
  if (value === '*') return value
  const dot = value.startsWith('.') ? '.' : ''
  const ascii = normalizeDomain(value.slice(dot.length))
  return ascii === undefined ? undefined : dot + ascii
}, 'a domain such as "example.com", ".example.com" for its subdomains, or "*"')

export const nextHop = textWhere(
  (value) => value === 'direct' || isHostWithPort(value),
  'a host with a port such as "mail.internal:25", or "direct"',
)

export const hostName: Kind<string> = {
  schema: z.string().toLowerCase().refine(isHostName),
  takes: 'a host name such as "mx.example.com"',
}

export const email: Kind<string> = {
  schema: z.email().max(254),
  takes: 'an email address such as "owner@example.com"',
}

/** A list; also written as one value, or as several separated by commas. */
export function listOf<T>(kind: Kind<T>, plural: string, min = 0): Kind<T[]> {
  return { schema: z.array(kind.schema).min(min).max(1000), takes: `a list of ${plural}, each ${kind.takes}` }
}

/** A required key of a table. */
export function needed<T>(kind: Kind<T>, example: T, about: string): z.ZodType<T> {
  return kind.schema.meta({ takes: kind.takes, about, example })
}

/** A key of a table with a default. */
export function optionally<T>(
  kind: Kind<T>,
  value: T & z.core.util.NoUndefined<T>,
  about: string,
): z.ZodDefault<z.ZodType<T>> {
  return kind.schema.default(value).meta({ takes: kind.takes, about })
}

/** A list of tables, each written `[[name]]` with its keys below. @param plural noun for them @param shape made with `needed` and `optionally` */
export function tablesOf<S extends z.ZodRawShape>(plural: string, shape: S): Kind<z.output<z.ZodObject<S>>[]> {
  const entry = z.strictObject(shape)
  const keys = Object.entries(entry.shape).map(([name, schema]) => {
    const { takes, about, example } = wordsOf(schema)
    return { name, about, takes, example, value: schema instanceof z.ZodDefault ? schema.def.defaultValue : undefined }
  })
  return { schema: z.array(entry).max(1000), takes: `tables, each one of the ${plural}`, keys }
}
