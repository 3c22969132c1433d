/** A connection to the primary. Statements are sent without waiting for the responses of those before them. */
import { Client, DatabaseError, type ClientConfig, type QueryArrayResult } from 'pg'
import { hasCode, messageOf } from '../../../lib/thrown.js'
import { UnreachableStoreError } from '../../errors.js'
import type { PostgresTarget } from './postgres-url.js'

export interface Server extends PostgresTarget {
  /** Called for each time that somebody waits for a response. */
  onRoundTrip?: (() => void) | undefined
  /** Undefined: that of libpq (PGPASSWORD, ~/.pgpass). */
  password?: string | undefined
  /** PEM certificates to trust instead of the system's. */
  ca?: string | undefined
}

export interface Statement {
  text: string
  values?: readonly unknown[]
}

export interface Answer {
  /** As PostgreSQL writes them as text. */
  rows: readonly (readonly (string | null)[])[]
  /** First word of the command tag: `COMMIT`, or `ROLLBACK` for the end of a failed transaction. */
  command: string
}

export interface Link {
  /** Sends all statements at once. @returns their answers, or errors, in order: never rejects */
  send(statements: readonly Statement[]): Promise<(Answer | Error)[]>
  /** Sends a statement whose answer nobody waits for. */
  push(statement: Statement): void
  /** False once the connection is lost, or the server is no primary any more. */
  readonly isUsable: boolean
  /** True if a commit was announced as done, but cancelled while it waited for a standby. */
  readonly mayNotBeReplicated: boolean
  /** Calls `fn` with the payload of each notification. */
  onNotification(fn: (payload: string) => void): void
  /** Resolves once the connection is closed, for whatever reason. */
  readonly ended: Promise<void>
  /** Closes it once all is answered. */
  end(): Promise<void>
  /** Closes it at once. */
  discard(): void
}

const CONNECT_MS = 5_000
/** Max time for a response. A commit that takes longer is not cancelled: the connection is given up, and its fate looked up. */
const RESPONSE_MS = 30_000
/** What the server says of itself in recovery, shutting down, or made read-only. */
const NO_PRIMARY = ['25006', '57P01', '57P02', '57P03']
/**
 * Class of what a pooler says when it has lost its own connection to the server. Unlike a server's refusal it says nothing of the statements: all of
 * them may have been carried out.
 */
const POOLER_LOST = /^08/
/** A warning: sent when the wait of a commit for its standby was cancelled. */
const WARNING = '01000'

/** The connection was lost, or its server is no primary any more: a later try gets another. */
export class LostConnectionError extends UnreachableStoreError {
  constructor(cause: Error) {
    super(`The connection to PostgreSQL was lost: ${cause.message}`, { cause })
  }
}

/** True if the server itself refused the statement, and with it the rest of its transaction. */
export function isRefusal(error: unknown): boolean {
  return error instanceof DatabaseError && !POOLER_LOST.test(error.code ?? '')
}

/** Anything but a refusal by a server that stays primary. */
export function isLost(error: unknown): boolean {
  return !isRefusal(error) || NO_PRIMARY.some((code) => hasCode(error, code))
}

/** @throws Error when there is no server, it refuses, or it is no primary */
export async function connectTo(target: Server, at: { host: string; port: number }): Promise<Link> {
  const client = new Client(configOf(target, at))
  const link = new PostgresLink(client, target.onRoundTrip)
  try {
    await client.connect()
    const [state] = await link.send([{ text: 'select pg_is_in_recovery()' }])
    if (state instanceof Error) throw state
    if (state?.rows[0]?.[0] === 't') throw new Error('it is a standby')
    return link
  } catch (error) {
    link.discard()
    throw new Error(`${at.host}:${at.port}: ${messageOf(error)}`, { cause: error })
  }
}

/** The answers. @throws LostConnectionError @throws Error for a refused statement */
export function allOf(answers: readonly (Answer | Error)[]): Answer[] {
  return answers.map((answer) => {
    if (!(answer instanceof Error)) return answer
    throw isLost(answer) ? new LostConnectionError(answer) : answer
  })
}

function configOf(target: Server, { host, port }: { host: string; port: number }): ClientConfig {
  return {
    host,
    port,
    user: target.user,
    password: target.password,
    database: target.database,
    ssl: target.tls === 'disable' ? false : { rejectUnauthorized: target.tls === 'verify-full', ca: target.ca },
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    pipeline: true,
    application_name: 'restante',
  }
}

const asText = {
  getTypeParser:
    () =>
    (text: string): string =>
      text,
}

class PostgresLink implements Link {
  readonly #client: Client
  readonly #onRoundTrip: () => void
  readonly ended: Promise<void>
  /** Calls of `send` that wait; those at the same time share a round trip. */
  #waiting = 0
  #isUsable = true
  #mayNotBeReplicated = false

  constructor(client: Client, onRoundTrip: () => void = () => undefined) {
    this.#client = client
    this.#onRoundTrip = onRoundTrip
    // The statements under way get the error as well.
    client.on('error', () => (this.#isUsable = false))
    this.ended = new Promise((resolve) =>
      client.on('end', () => {
        this.#isUsable = false
        resolve()
      }),
    )
    client.on('notice', ({ code }) => {
      if (code === WARNING) this.#mayNotBeReplicated = true
    })
  }

  get isUsable(): boolean {
    return this.#isUsable
  }

  get mayNotBeReplicated(): boolean {
    return this.#mayNotBeReplicated
  }

  send(statements: readonly Statement[]): Promise<(Answer | Error)[]> {
    const answers: (Answer | Error)[] = []
    if (this.#waiting++ === 0) this.#onRoundTrip()
    return new Promise((resolve) => {
      const timer = setTimeout(
        () => this.#giveUp(new Error(`no response within ${RESPONSE_MS / 1000} seconds`)),
        RESPONSE_MS,
      )
      for (const statement of statements)
        this.#query(statement, (answer) => {
          if (answers.push(answer) < statements.length) return
          clearTimeout(timer)
          this.#waiting--
          resolve(answers)
        })
    })
  }

  push(statement: Statement): void {
    this.#query(statement, () => undefined)
  }

  onNotification(fn: (payload: string) => void): void {
    this.#client.on('notification', ({ payload = '' }) => fn(payload))
  }

  async end(): Promise<void> {
    if (!this.#isUsable) return this.discard()
    this.#isUsable = false
    await this.#client.end()
  }

  discard(): void {
    this.#giveUp(new Error('the connection was closed'))
  }

  #query({ text, values = [] }: Statement, tell: (answer: Answer | Error) => void): void {
    const config = { text, values: [...values], rowMode: 'array' as const, types: asText }
    this.#client.query(config, (error: Error | null, result: QueryArrayResult<(string | null)[]>) => {
      if (!error) return tell({ rows: result.rows, command: result.command })
      if (isLost(error)) this.#isUsable = false
      tell(error)
    })
  }

  #giveUp(error: Error): void {
    this.#isUsable = false
    this.#client.connection.stream.destroy(error)
  }
}
