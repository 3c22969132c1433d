/** server.json is what the MCP registry takes, for the version that is in package.json. */
import { readFile } from 'node:fs/promises'
import t from 'tap'
import { remote, serverDocument } from '../support/mcp-documents.js'

const SCHEMA = 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json'

t.test('server.json keeps to the rules of the registry', async (t) => {
  const document = serverDocument(SCHEMA, remote()).parse(JSON.parse(await readFile('server.json', 'utf8')))
  t.equal(document.version, JSON.parse(await readFile('package.json', 'utf8')).version)
  t.match(document.remotes, [{ type: 'streamable-http', url: 'https://{host}/mcp' }], 'whoever connects says where')
  const parses = (change: object): boolean =>
    serverDocument(SCHEMA, remote()).safeParse({ ...document, ...change }).success
  t.ok(parses({}))
  for (const wrong of [
    { name: 'restante' },
    { description: 'x'.repeat(101) },
    { version: '^0.1.0' },
    { remotes: [{ type: 'streamable-http', url: 'https://{host}/mcp' }] },
    {
      remotes: [
        {
          type: 'streamable-http',
          url: 'https://a.example/mcp',
          headers: [{ name: 'Authorization', isSecret: true, value: 'Bearer mk_1' }],
        },
      ],
    },
    { packages: [] },
  ])
    t.notOk(parses(wrong), JSON.stringify(wrong))
})
