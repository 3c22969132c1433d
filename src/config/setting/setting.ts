/** Declaration of a setting: its form, its default, and the texts for documentation, shipped files and errors. */
import { z } from 'zod'
import { validate } from 'node-cron'
import { isHostName, parseHostPort } from '../../lib/host-port.js'
import { isLoopback, parseNetwork } from '../../lib/ip.js'
import { isResolverAddress, normalizeDomain } from './address.js'

/** A form of value, with the text that completes "takes …". */
export interface Kind<T> {
  schema: z.ZodType<T>
  takes: string
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
  /** Unit of a number. */
  unit?: string
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
  return kind.schema.default(value).meta({ takes: kind.takes, keys: kind.keys, ...words })
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

export function wholeNumber(min: number, max: number): Kind<number> {
  return { schema: z.int().min(min).max(max), takes: `a whole number from ${min} to ${max}` }
}

export function share(): Kind<number> {
  return { schema: z.number().min(0).max(1), takes: 'a number from 0 to 1' }
}

export function decimal(min: number, max: number): Kind<number> {
  return { schema: z.number().min(min).max(max), takes: `a number from ${min} to ${max}` }
}

export const flag: Kind<boolean> = { schema: z.boolean(), takes: 'true or false' }

export function oneOf<const V extends readonly string[]>(...values: V): Kind<V[number]> {
  return { schema: z.enum(values), takes: `one of ${values.map((value) => `"${value}"`).join(', ')}` }
}

function isHostWithPort(value: string): boolean {
  return parseHostPort(value) !== undefined
}

// A control character in a path or a name is a copying error, and would reach logs and protocols.
const line = z.string().regex(/^\P{Cc}*$/u)

export const path: Kind<string> = { schema: line.min(1), takes: 'the path of a file or folder' }

/** Minute, hour, day, month, weekday. */
export const cronTime: Kind<string> = {
  schema: line.max(100).refine((value) => value.trim().split(/\s+/).length === 5 && validate(value)),
  takes:
    'five fields (minute, hour, day of the month, month, day of the week) in UTC, such as "30 3 * * *" for 03:30 each night',
}

export const text: Kind<string> = { schema: line.max(1000), takes: 'a text' }

/** A form of text, or "" for none. */
export function optional(kind: Kind<string>): Kind<string> {
  return { schema: z.union([z.literal(''), kind.schema]), takes: `${kind.takes}, or "" for none` }
}

export const listenAddress: Kind<string> = {
  schema: z.string().refine(isHostWithPort),
  takes: 'an address with a port such as "127.0.0.1:8080" or "[::1]:8080"',
}

export const serverAddress: Kind<string> = {
  schema: z.string().refine(isHostWithPort),
  takes: 'a host with a port such as "smtp.example.com:587"',
}

/** A socket's path differs from `host:port` by its slash. */
export const socketAddress: Kind<string> = {
  schema: line.refine((value) => value.startsWith('/') || isHostWithPort(value)),
  takes: 'a socket\'s full path such as "/run/clamav/clamd.ctl", or a host with a port such as "127.0.0.1:3310"',
}

export const httpServer: Kind<string> = {
  schema: z.string().refine((value) => isHostWithPort(value) || isOrigin(value)),
  takes: 'a host with a port such as "127.0.0.1:11333", or an http or https address without a path',
}

export const resolverAddress: Kind<string> = {
  schema: z.string().refine(isResolverAddress),
  takes: 'an IP address, with a port or without, such as "127.0.0.1:5300"',
}

export const network: Kind<string> = {
  schema: z.string().refine((value) => parseNetwork(value) !== undefined),
  takes: 'an IP address such as "127.0.0.1", or a network such as "10.0.0.0/8"',
}

export const webAddress: Kind<string> = {
  schema: z
    .string()
    .refine(isOrigin)
    .transform((value) => value.replace(/\/$/, '')),
  takes: 'an http or https address without a path, such as "https://mail.example.com"',
}

export const webhookAddress: Kind<string> = {
  schema: z
    .string()
    .max(1000)
    .refine((value) => /^https?:\/\//i.test(value) && URL.canParse(value) && new URL(value).username === ''),
  takes: 'an http or https address such as "https://billing.example.com/hooks/restante"',
}

/** URL of an API that has more than one path. */
export const baseAddress: Kind<string> = {
  schema: z.string().max(500).refine(isBaseAddress),
  takes: 'an http or https address such as "https://models.example.com/v1"',
}

function isBaseAddress(value: string): boolean {
  if (!/^https?:\/\//i.test(value) || !URL.canParse(value)) return false
  const url = new URL(value)
  return url.search === '' && url.hash === '' && url.username === '' && url.password === ''
}

function isOrigin(value: string): boolean {
  if (!/^https?:\/\//i.test(value) || !URL.canParse(value)) return false
  const url = new URL(value)
  return url.pathname === '/' && url.search === '' && url.hash === '' && url.username === '' && url.password === ''
}

/** A segment of our URLs. */
export const pathName: Kind<string> = {
  schema: z.string().regex(/^[a-z0-9][a-z0-9-]{0,31}$/),
  takes: 'a short name of a-z, 0-9 and "-"',
}

/** URL of a server that gets secrets: without TLS only on this machine. */
export const safeAddress: Kind<string> = {
  schema: z.string().max(500).refine(isSafeAddress),
  takes: 'an https address such as "https://accounts.example.com", or an http one on a loopback address',
}

function isSafeAddress(value: string): boolean {
  return isBaseAddress(value) && isSafeOrigin(new URL(value))
}

/** True if nobody can read the traffic: over TLS, or on this machine only. */
export function isSafeOrigin({ protocol, hostname }: URL): boolean {
  const isHere = hostname === 'localhost' || isLoopback(hostname.replace(/^\[|\]$/g, ''))
  return protocol === 'https:' || (protocol === 'http:' && isHere)
}

export const domain: Kind<string> = {
  schema: z.string().transform((value, context) => {
    const ascii = normalizeDomain(value)
    if (ascii !== undefined) return ascii
    context.addIssue({ code: 'custom', message: 'not a domain' })
    return z.NEVER
  }),
  takes: 'a domain such as "agents.example.com"',
}

/** A domain, its subdomains, or all domains. */
export const routePattern: Kind<string> = {
  schema: z.string().transform((value, context) => {
    if (value === '*') return value
    const dot = value.startsWith('.') ? '.' : ''
    const ascii = normalizeDomain(value.slice(dot.length))
    if (ascii !== undefined) return dot + ascii
    context.addIssue({ code: 'custom', message: 'not a domain' })
    return z.NEVER
  }),
  takes: 'a domain such as "example.com", ".example.com" for its subdomains, or "*"',
}

export const nextHop: Kind<string> = {
  schema: z.string().refine((value) => value === 'direct' || isHostWithPort(value)),
  takes: 'a host with a port such as "mail.internal:25", or "direct"',
}

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

/**
 * A list of tables, each written `[[name]]` with its keys below.
 *
 * @param plural noun for them
 * @param shape made with `needed` and `optionally`
 */
export function tablesOf<S extends z.ZodRawShape>(plural: string, shape: S): Kind<z.output<z.ZodObject<S>>[]> {
  const entry = z.strictObject(shape)
  const keys = Object.entries(entry.shape).map(([name, schema]) => {
    const { takes, about, example } = wordsOf(schema)
    return { name, about, takes, example, value: schema instanceof z.ZodDefault ? schema.def.defaultValue : undefined }
  })
  return { schema: z.array(entry).max(1000), takes: `tables, each one of the ${plural}`, keys }
}
