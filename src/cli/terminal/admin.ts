/** Calls the running daemon over its admin listener. */
import { request, type RequestOptions } from 'node:http'
import { userInfo } from 'node:os'
import { text as readAll } from 'node:stream/consumers'
import { z } from 'zod'
import type { Config } from '../../config/schema.js'
import { readAdminToken } from '../../config/secrets.js'
import { hasCode, messageOf } from '../../lib/thrown.js'
import { formatHostPort, parseHostPort } from '../../lib/host-port.js'
import { asciiOnly } from '../../lib/text.js'
import { CommandError, EXIT } from './command.js'

const TIMEOUT_MS = 30_000

const refusalSchema = z.object({ error: z.object({ message: z.string(), hint: z.string() }) })

/**
 * One call.
 *
 * @returns the response, parsed by `schema`
 * @throws CommandError if there is no daemon, the token is unreadable, or the daemon refuses
 */
export async function askDaemon<T>(
  config: Config,
  method: 'GET' | 'POST',
  path: string,
  schema: z.ZodType<T>,
  body?: unknown,
  signal?: AbortSignal,
): Promise<T> {
  const token = await adminToken(config)
  const url = `http://${reachable(config.server.admin)}${path}`
  const sent = body === undefined ? undefined : JSON.stringify(body)
  const headers = {
    authorization: `Bearer ${token}`,
    // For the audit log.
    'x-restante-user': operatingUser(),
    ...(sent === undefined
      ? {}
      : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(sent)) }),
  }
  let status: number
  let text: string
  try {
    const stop = AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), ...(signal ? [signal] : [])])
    ;({ status, text } = await exchange(url, { method, headers, signal: stop }, sent))
  } catch (error) {
    throw unreachable(config, error)
  }
  const answer = parseJson(text)
  if (status >= 200 && status < 300) {
    const read = schema.safeParse(answer)
    if (read.success) return read.data
  }
  const refusal = refusalSchema.safeParse(answer)
  if (refusal.success) throw new CommandError(EXIT.failed, `${refusal.data.error.message} ${refusal.data.error.hint}`)
  throw new CommandError(
    EXIT.unreachable,
    `${config.server.admin} answered with something else than a Restante daemon of this version would (status ${status}).\nCheck server.admin, and that the daemon was restarted after an upgrade.`,
  )
}

/** One request and its response. Loading and starting `fetch` would take a third of a command's time. */
const exchange = (
  url: string,
  options: RequestOptions,
  body: string | undefined,
): Promise<{ status: number; text: string }> =>
  new Promise((resolve, reject) => {
    const sending = request(url, options, (response) => {
      readAll(response).then((text) => resolve({ status: response.statusCode ?? 0, text }), reject)
    })
    sending.on('error', reject)
    sending.end(body)
  })

/**
 * Pages of a list, until `limit` rows are there or nothing follows.
 *
 * @param pageSize most rows that the daemon gives at once
 */
export async function askPages<T extends { data: readonly unknown[]; next_cursor: string | null }>(
  config: Config,
  path: string,
  query: Record<string, string | undefined>,
  schema: z.ZodType<T>,
  limit: number,
  pageSize: number,
): Promise<T[]> {
  const pages: T[] = []
  let count = 0
  let cursor: string | null | undefined
  while (cursor !== null && count < limit) {
    const wanted = String(Math.min(pageSize, limit - count))
    const words = queryOf({ ...query, limit: wanted, cursor })
    const page = await askDaemon(config, 'GET', `${path}?${words}`, schema)
    pages.push(page)
    count += page.data.length
    cursor = page.next_cursor
  }
  return pages
}

/** Query of a call, without missing parameters. */
export function queryOf(parameters: Record<string, string | undefined>): URLSearchParams {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) query.set(name, value)
  return query
}

/** The user of this machine, also behind sudo. */
export function operatingUser(): string {
  return asciiOnly(process.env['SUDO_USER'] || userInfo().username, 64)
}

async function adminToken(config: Config): Promise<string> {
  try {
    return await readAdminToken(config.server.data_dir)
  } catch (error) {
    const where = `the data folder ${config.server.data_dir}`
    if (hasCode(error, 'ENOENT'))
      throw new CommandError(
        EXIT.unreachable,
        `No daemon has been started on ${where}.\nStart one with "restante start", or point --config or --set server.data_dir=DIR at the one that runs.`,
      )
    if (hasCode(error, 'EACCES'))
      throw new CommandError(
        EXIT.unreachable,
        `This user may not read the admin token in ${where}.\nRun the command as the daemon's user or as root.`,
      )
    throw error
  }
}

function unreachable(config: Config, error: unknown): CommandError {
  // Of a time limit: an abort whose cause it is.
  const cause = error instanceof Error ? (error.cause ?? error) : error
  const why = hasCode(cause, 'ECONNREFUSED') ? 'nobody listens there' : messageOf(cause)
  return new CommandError(
    EXIT.unreachable,
    `The daemon can't be reached at ${config.server.admin} (server.admin): ${why}.\nStart it with "restante start", or give this command the same --config and --set as the daemon.`,
  )
}

/** A daemon that listens on all addresses is reached over loopback. */
function reachable(admin: string): string {
  const address = parseHostPort(admin)
  if (address === undefined) return admin
  if (address.host === '0.0.0.0') return formatHostPort({ ...address, host: '127.0.0.1' })
  return formatHostPort(address.host === '::' ? { ...address, host: '::1' } : address)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
