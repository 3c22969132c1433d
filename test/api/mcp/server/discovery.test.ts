/** A client that knows nothing but a domain finds the endpoint, and finds there what it was told. */
import t from 'tap'
import { z } from 'zod'
import { createHolds } from '../../../../src/http/limits/long-polls.js'
import { createMcp } from '../../../../src/api/mcp/server/server.js'
import { discoveryPages } from '../../../../src/api/mcp/server/discovery.js'
import type { HttpRequest } from '../../../../src/http/message.js'
import { startApi } from '../../support/api-server.js'
import { fakes } from '../../support/fakes.js'
import { remote, serverDocument } from '../../../support/mcp-documents.js'

const Card = serverDocument(
  'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
  remote({ supportedProtocolVersions: z.array(z.iso.date()).min(1) }),
).extend({ websiteUrl: z.url(), remotes: z.tuple([z.looseObject({ supportedProtocolVersions: z.array(z.string()) })]) })
const Catalog = z.strictObject({
  specVersion: z.literal('1.0'),
  host: z.strictObject({ displayName: z.string().min(1), documentationUrl: z.url() }),
  entries: z.array(
    z.strictObject({
      identifier: z.string().regex(/^urn:air:[a-z0-9.-]+:restante$/),
      type: z.literal('application/mcp-server-card+json'),
      url: z.url(),
    }),
  ),
})

t.test('the catalog leads to the card, for pages of every origin and without a key', async (t) => {
  const api = await startApi(t)
  const catalog = await api.call('GET', '/.well-known/ai-catalog.json', { key: null })
  t.match(catalog, { status: 200, headers: { 'content-type': 'application/ai-catalog+json' } })
  const { entries } = Catalog.parse(JSON.parse(catalog.text))
  t.equal(entries.length, 1)
  const url = new URL(entries[0]?.url ?? '')
  t.equal(url.origin, `http://127.0.0.1:${api.server.port}`)
  const card = await api.call('GET', url.pathname, { key: null, headers: { Origin: 'https://anywhere.example' } })
  t.match(card, { status: 200, headers: { 'content-type': entries[0]?.type } })
  const { name, remotes, websiteUrl } = Card.parse(JSON.parse(card.text))
  t.equal(name, '127.0.0.1/restante')
  t.match(remotes, [{ type: 'streamable-http', url: `${url.origin}/mcp` }])
  t.equal((await api.call('GET', new URL(websiteUrl).pathname, { key: null })).status, 200, 'and to the guide')
  for (const { headers } of [catalog, card]) {
    t.match(headers, { 'access-control-allow-origin': '*', 'cache-control': 'public, max-age=3600' })
  }
})

t.test('the card is named after the domain, written from its end', async (t) => {
  for (const [baseUrl, name, publisher] of [
    ['https://mail.example.org', 'org.example.mail/restante', 'mail.example.org'],
    ['https://example.org:8443', 'org.example/restante', 'example.org'],
    ['http://[::1]:8080', '--1/restante', '[::1]'],
  ] as const) {
    const [card, catalog] = await Promise.all(
      discoveryPages({ baseUrl, version: '1.2.3' }).map(async (page) => {
        const { body } = await page.answer({}, {} as HttpRequest)
        return JSON.parse(String(body))
      }),
    )
    t.match(Card.parse(card), { name, version: '1.2.3', remotes: [{ url: `${baseUrl}/mcp` }] })
    t.match(catalog, { entries: [{ identifier: `urn:air:${publisher}:restante`, url: `${baseUrl}/mcp/server-card` }] })
  }
})

t.test('the endpoint speaks each revision that the card names, and is who it says', async (t) => {
  const domain = fakes()
  const mcp = createMcp({
    holds: createHolds(2, domain.accounts),
    mailboxes: domain.mailboxes,
    claims: domain.claims,
    accounts: domain.accounts,
    suppressions: domain.suppressions,
    limits: { longPollSeconds: 1, attachmentsPerMessage: 2 },
    baseUrl: 'https://mail.example.com',
    version: '0.0.0',
    allowedOrigins: [],
    maxBodyBytes: 100_000,
    newRequestId: () => 'req_1',
    onError: (error) => t.fail(String(error)),
  })
  t.teardown(() => mcp.close())
  const api = await startApi(t, { mounts: [mcp.mount] })
  const { title, remotes } = Card.parse(JSON.parse((await api.call('GET', '/mcp/server-card')).text))
  const post = async (version: string, method: string, params: object) => {
    const { text } = await api.call('POST', '/mcp', {
      headers: { Accept: 'application/json, text/event-stream', 'MCP-Protocol-Version': version, 'Mcp-Method': method },
      json: { jsonrpc: '2.0', id: 1, method, params },
    })
    return JSON.parse(text.replace(/^(event: \w+\n)?data: /, ''))
  }
  const client = { name: 'test', version: '1' }
  const [{ supportedProtocolVersions: versions }] = remotes
  const modern = versions.filter((version) => version >= '2026')
  for (const version of modern) {
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': version,
      'io.modelcontextprotocol/clientInfo': client,
      'io.modelcontextprotocol/clientCapabilities': {},
    }
    const { result } = await post(version, 'server/discover', { _meta })
    t.strictSame(result.supportedVersions, modern)
    t.match(result._meta, { 'io.modelcontextprotocol/serverInfo': { title } })
  }
  const older = versions.filter((version) => version < '2026')
  t.equal(older.length + modern.length, 4)
  for (const protocolVersion of older) {
    const { result } = await post(protocolVersion, 'initialize', {
      protocolVersion,
      capabilities: {},
      clientInfo: client,
    })
    t.match(result, { protocolVersion, serverInfo: { title } })
  }
})
