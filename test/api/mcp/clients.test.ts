/** The clients of the official SDKs at the endpoint: a call that waits, told of its progress, cancelled and left; each revision that they speak. */
import t from 'tap'
import { Client as NewClient, StreamableHTTPClientTransport as NewTransport } from '@modelcontextprotocol/client'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { LEGACY, MODERN, startMcp, until } from './world.js'

const ABOUT = { name: 'test', version: '1' }
const requestInit = { headers: { authorization: 'Bearer good' } }
const WAIT = { name: 'wait_for_mail', arguments: { after_seq: 7, timeout_seconds: 60 } }

interface Told {
  signal: AbortSignal
  onprogress: (progress: { progress: number; total?: number | undefined; message?: string | undefined }) => void
}

interface Connected {
  revision: string | undefined
  wait(told: Told): Promise<unknown>
  close(): Promise<void>
}

async function connectNew(url: URL, mode: 'legacy' | 'auto'): Promise<Connected> {
  const client = new NewClient(ABOUT, { versionNegotiation: { mode } })
  await client.connect(new NewTransport(url, { requestInit }))
  return {
    revision: client.getNegotiatedProtocolVersion(),
    wait: (told) => client.callTool(WAIT, told),
    close: () => client.close(),
  }
}

async function connectOld(url: URL): Promise<Connected> {
  const client = new OldClient(ABOUT)
  const transport = new OldTransport(url, { requestInit })
  await client.connect(transport)
  return {
    revision: transport.protocolVersion,
    wait: (told) => client.callTool(WAIT, undefined, told),
    close: () => client.close(),
  }
}

for (const [name, revision, connect] of [
  ['2.x', MODERN, (url: URL) => connectNew(url, 'auto')],
  ['2.x', LEGACY, (url: URL) => connectNew(url, 'legacy')],
  ['1.x', LEGACY, connectOld],
] as const) {
  t.test(
    `the client of the ${name} SDK hears of a wait, and what it cancels is over at once (${revision})`,
    async (t) => {
      const { api, holds, errors } = await startMcp(t, { progressEveryMs: 1 })
      const client = await connect(new URL(`http://127.0.0.1:${api.server.port}/mcp`))
      t.equal(client.revision, revision)
      const cancelling = new AbortController()
      const progress: number[] = []
      const waiting = client.wait({
        signal: cancelling.signal,
        onprogress: (told) => void progress.push(told.progress),
      })
      const ended = t.rejects(waiting)
      await until(() => progress.length >= 3)
      t.equal(holds.heldBy('good'), 1)
      cancelling.abort()
      await ended
      await until(() => holds.heldBy('good') === 0)
      await client.close()
      await until(() => api.server.openRequests === 0)
      t.same([...errors, ...api.errors], [])
    },
  )
}
