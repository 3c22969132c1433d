/**
 * The MCP conformance suite, which is a program of its own on a Node.js of its own (test/conformance): run against a URL, and what it found
 * read from the files it leaves.
 */
import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { z } from 'zod'
import type { Difference, SuiteRun } from '../suite.js'

const NODE = 'test/conformance/node_modules/.bin/node'
/** A run that hangs is a failure, not a test that never ends. */
const LIMIT_MS = 240_000

const Checks = z.array(z.object({ id: z.string(), status: z.string(), errorMessage: z.string().optional() }))

/** What is done while the suite runs, for each line that it says. */
export type Listener = (line: string) => Promise<void>

/**
 * @param dir where the suite is installed
 * @param args its command and options: `['server', '--url', …]`
 */
export async function runMcpSuite(dir: string, args: readonly string[], onSaid?: Listener): Promise<SuiteRun> {
  const out = await mkdtemp(join(tmpdir(), 'restante-mcp-'))
  try {
    const told = await said(NODE, [join(dir, 'dist/index.js'), ...args, '--output-dir', out], onSaid)
    const named = [...told.matchAll(/^=== Running scenario: (\S+) ===$/gm)].map(([, name]) => name ?? '')
    const folders = (await readdir(out)).sort()
    const differences: Difference[] = []
    for (const name of named) {
      const folder = folders.find((each) => isOf(each, name))
      const found = folder === undefined ? 'no result' : await verdict(join(out, folder, 'checks.json'))
      if (found !== undefined) differences.push({ case: name, got: found, wanted: 'every check passes' })
    }
    if (named.length === 0) throw new Error(`the suite ran nothing:\n${told.slice(-2000)}`)
    return { total: named.length, differences }
  } finally {
    await rm(out, { recursive: true, force: true })
  }
}

/** Its folders are called `server-tools-list-2026-07-28T10-00-00-000Z`, with other words before. */
const isOf = (folder: string, scenario: string): boolean =>
  folder.replace(/-\d{4}-\d\d-\d\dT[\d-]+Z$/, '').replace(/^(server|authorization-server|authorization)-/, '') ===
  scenario

/** What did not pass, by the names of the checks; nothing when all did. */
async function verdict(file: string): Promise<string | undefined> {
  const checks = Checks.parse(JSON.parse(await readFile(file, 'utf8')))
  const ids = (status: string): string[] =>
    [...new Set(checks.filter((c) => c.status === status).map((c) => c.id))].sort()
  const [failed, warned] = [ids('FAILURE'), ids('WARNING')]
  const parts = [
    ...(failed.length > 0 ? [`failed: ${failed.join(', ')}`] : []),
    ...(warned.length > 0 ? [`warned: ${warned.join(', ')}`] : []),
  ]
  if (parts.length > 0) return parts.join('; ')
  // What was left out shows nothing.
  return ids('SUCCESS').length === 0 ? 'skipped by the suite' : undefined
}

/** It ends with 1 when something failed, which is not for its exit code to judge here. */
function said(program: string, args: string[], onSaid?: Listener): Promise<string> {
  const env = { ...process.env, NODE_OPTIONS: '', NO_COLOR: '1' }
  const over = new AbortController()
  return new Promise((resolve, reject) => {
    const options = { env, timeout: LIMIT_MS, maxBuffer: 64 << 20, signal: over.signal }
    const child = execFile(program, args, options, (error, stdout, stderr) => {
      if (error && error.code !== 1)
        reject(new Error(`${args.join(' ')}: ${error.message}\n${stderr}`, { cause: error }))
      else resolve(`${stdout}\n${stderr}`)
    })
    if (!onSaid || !child.stdout) return
    createInterface({ input: child.stdout }).on('line', (line) => {
      // Nobody waits for what will not come.
      onSaid(line).catch((error: unknown) => {
        reject(error instanceof Error ? error : new Error(String(error)))
        over.abort()
      })
    })
  })
}

/** Runs to its end what `work` started, whatever comes of it. */
export async function cleaned<T>(work: (onEnd: (close: () => unknown) => void) => Promise<T>): Promise<T> {
  const closes: (() => unknown)[] = []
  try {
    return await work((close) => void closes.unshift(close))
  } finally {
    for (const close of closes) await close()
  }
}

export interface BearerProxy {
  url: string
  /** Where it passes requests on to, and as whom. */
  serve(target: string, key: string): void
  close(): Promise<void>
}

/** The suite has no option for a key: this stands before the server, as a reverse proxy would, and adds it. */
export async function startBearerProxy(): Promise<BearerProxy> {
  let to: { target: string; key: string } | undefined
  const server = createServer((incoming, answer) => {
    if (to === undefined) return void answer.writeHead(503).end()
    const { method, headers, url } = incoming
    const onward = request(
      new URL(url ?? '/', to.target),
      { method, headers: { ...headers, authorization: `Bearer ${to.key}` } },
      (response) => {
        answer.writeHead(response.statusCode ?? 502, response.headers)
        response.pipe(answer)
      },
    )
    onward.on('error', () => answer.destroy())
    answer.on('close', () => onward.destroy())
    incoming.pipe(onward)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    serve: (target, key) => void (to = { target, key }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
