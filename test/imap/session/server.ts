/** An IMAP server over a mailbox of a test, and raw clients of it. */
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, type TLSSocket } from 'node:tls'
import { connect as connectPlain, type Socket } from 'node:net'
import t, { type Test } from 'tap'
import type { Caller } from '../../../src/accounts/types.js'
import type { ProgramSignIn } from '../../../src/accounts/sign-in/programs.js'
import { readsOf } from '../reads.js'
import { createImapServer, type ImapServerDeps } from '../../../src/imap/server/server.js'
import { createMetrics } from '../../../src/observe/metrics.js'
import { captureLog } from '../../support/log.js'
import { responseLength } from '../../support/imap-reader.js'
import { createAuthority, opensslPeer } from '../../support/peers/certificates.js'
import { LIMITS, makeWorld, PARSE_LIMITS, present, type World } from '../../mailbox/world.js'
import { ENGINES } from '../../store/engines.js'

export const ADDRESS = 'agent@agents.example'
export const PASSWORD = 'rst_right'
const HOST = 'mx.agents.test'

export interface TestServer {
  port: number
  tlsPort: number
  ca: string
  /** Ends the access of all who are signed in. */
  revoke(): void
  /** Sessions whose access is watched. */
  watched(): number
  /** Who signs in. */
  caller(): Caller
  /** Open connections, as the server counts them. */
  open(): Promise<number>
  /** What signing in answers. */
  answer: { next: ProgramSignIn | undefined }
  server: ReturnType<typeof createImapServer>
  connect(): Promise<Client>
  connectPlain(): Promise<Client>
  /** Signed in; by default with an app password that may write. */
  signedIn(scopes?: Caller['scopes']): Promise<Client>
}

/** A test of a server over a mailbox of its own, in LMDB. */
export function onServer(name: string, body: (t: Test, w: World, s: TestServer) => Promise<void>): void {
  t.test(name, opensslPeer(), async (t) => {
    const w = await makeWorld(t, present(ENGINES[0]).openStore(t))
    await body(t, w, await startServer(t, w))
  })
}

export async function startServer(
  t: Test,
  w: World,
  more: Partial<Omit<ImapServerDeps, 'limits'>> & { limits?: Partial<ImapServerDeps['limits']> } = {},
): Promise<TestServer> {
  // Not `t.testdir`, which the store may have.
  const dir = mkdtempSync(join(tmpdir(), 'imap-'))
  t.teardown(() => rmSync(dir, { recursive: true, force: true }))
  const authority = createAuthority(dir)
  const { keyFile, certFile } = authority.issue([HOST])
  const watched = new Set<() => void>()
  const answer: TestServer['answer'] = { next: undefined }
  let scopes: Caller['scopes'] = ['imap']
  const caller = (): Caller =>
    ({
      mailboxId: w.id,
      scopes,
      mailboxStatus: 'claimed',
      account: { ...w.account, status: 'active' },
    }) as unknown as Caller
  const { limits, ...parts } = more
  let open = (): number | Promise<number> => 0
  const server = createImapServer({
    listen: [{ host: '127.0.0.1', port: 0 }],
    listenTls: [{ host: '127.0.0.1', port: 0 }],
    signIn: async (sent) =>
      answer.next ??
      (sent.address === ADDRESS && 'password' in sent && sent.password === PASSWORD
        ? { outcome: 'in', caller: caller() }
        : { outcome: 'wrong' }),
    watch: (_caller, onEnd) => {
      watched.add(onEnd)
      return { release: () => void watched.delete(onEnd) }
    },
    folders: w.mailboxes.folders,
    readsWith: () => readsOf(w),
    importing: w.mailboxes.importing,
    mailbox: w.mailboxes.directory.get,
    quota: ({ usedBytes }) => ({ used: usedBytes, limit: LIMITS.storageBytes }),
    tls: { key: readFileSync(keyFile), cert: readFileSync(certFile) },
    clock: w.clock,
    log: captureLog().log,
    metrics: { ...createMetrics(), gauge: (_name, _help, read) => (open = read) },
    ...parts,
    limits: {
      maxMessageBytes: LIMITS.messageBytes,
      parse: PARSE_LIMITS,
      maxConnections: 100,
      maxConnectionsPerAddress: 100,
      maxConnectionsPerAccount: 50,
      maxAppendBytes: 4 * 1024 * 1024,
      maxErrors: 10,
      ...limits,
    },
  })
  const [plain, tls] = await server.listen()
  if (!plain || !tls) throw new Error('The server does not listen')
  t.teardown(() => server.close(100))
  const openClient = async (): Promise<Client> => {
    const socket = connect({ host: '127.0.0.1', port: tls.port, ca: authority.ca, servername: HOST })
    await once(socket, 'secureConnect')
    const client = new Client(socket)
    t.teardown(() => client.drop())
    await client.greeting()
    return client
  }
  return {
    port: plain.port,
    tlsPort: tls.port,
    ca: authority.ca,
    revoke: () => watched.forEach((onEnd) => onEnd()),
    watched: () => watched.size,
    caller,
    open: async () => open(),
    answer,
    server,
    connect: openClient,
    async connectPlain() {
      const socket = connectPlain({ host: '127.0.0.1', port: plain.port })
      await once(socket, 'connect')
      const client = new Client(socket)
      t.teardown(() => client.drop())
      await client.greeting()
      return client
    },
    async signedIn(wanted = ['imap']) {
      scopes = wanted
      const client = await openClient()
      t.match((await client.say(`LOGIN ${ADDRESS} ${PASSWORD}`)).at(-1), /^OK /)
      return client
    },
  }
}

/** Sends text as it is, and reads whole responses. */
export class Client {
  #buffer = Buffer.alloc(0)
  #waiting: (() => void) | undefined
  #isEnded = false
  #count = 0
  greeted = ''

  constructor(readonly socket: Socket | TLSSocket) {
    socket.on('data', (chunk: Buffer) => {
      this.#buffer = Buffer.concat([this.#buffer, chunk])
      this.#wake()
    })
    const ended = (): void => {
      this.#isEnded = true
      this.#wake()
    }
    socket.on('end', ended).on('close', ended).on('error', ended)
  }

  #wake(): void {
    this.#waiting?.()
    this.#waiting = undefined
  }

  async greeting(): Promise<void> {
    this.greeted = await this.next()
  }

  write(text: string | Buffer): void {
    this.socket.write(text)
  }

  /** The next response, without CRLF; 'closed' at the end. */
  async next(): Promise<string> {
    for (;;) {
      const length = responseLength(this.#buffer)
      if (length !== undefined) {
        const response = this.#buffer.toString('latin1', 0, length).replace(/\r\n$/, '')
        this.#buffer = this.#buffer.subarray(length)
        return response
      }
      if (this.#isEnded) return 'closed'
      await new Promise<void>((resolve) => (this.#waiting = resolve))
    }
  }

  /** Sends a command. @returns untagged responses without `* `, and the tagged one without its tag */
  async say(command: string | Buffer): Promise<string[]> {
    const tag = `a${++this.#count}`
    this.write(Buffer.concat([Buffer.from(`${tag} `), Buffer.from(command), Buffer.from('\r\n')]))
    return this.until(tag)
  }

  async until(tag: string): Promise<string[]> {
    const responses: string[] = []
    for (;;) {
      const response = await this.next()
      if (response.startsWith(`${tag} `)) return [...responses, response.slice(tag.length + 1)]
      responses.push(response.replace(/^\* /, ''))
      if (response === 'closed') return responses
    }
  }

  drop(): void {
    this.socket.destroy()
  }
}
