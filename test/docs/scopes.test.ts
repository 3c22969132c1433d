/** The table of scopes in docs/accounts.md says what each call and each tool takes. `UPDATE_DOCS=1` writes both. */
import { readFileSync, writeFileSync } from 'node:fs'
import t from 'tap'
import { SCOPES } from '../../src/accounts/types.js'
import { scopesIn } from '../../src/http/limits/authorize.js'
import { TOOLS } from '../../src/api/mcp/tools/tools.js'
import { routes } from '../../src/api/v1-routes.js'

const FILE = 'docs/accounts.md'
/** Scope, what it is for, calls, tools. */
const ROW = /^(\| `([^`]+)` \| [^|]+ \| )([^|]*) \|([^|\n]*)\|$/gm

const callsOf = (scope: string): string[] =>
  routes.filter(({ scopes }) => scopes.some((each) => each === scope)).map(({ operationId }) => operationId)

const toolsOf = (scope: string): string[] =>
  TOOLS.filter((tool) => scopesIn(tool.scope).some((each) => each === scope)).map(({ name }) => name)

const listed = (names: string[]): string => names.map((name) => `\`${name}\``).join(', ')

t.test('the table of scopes in docs/accounts.md says what each call and tool takes', async (t) => {
  const text = readFileSync(FILE, 'utf8')
  const [before = '', section = ''] = text.split(/(?<=^## Scopes\n)/m)
  const [table = '', ...after] = section.split(/(?=^## )/m)
  const made = table.replace(ROW, (_row, head: string, scope: string) =>
    `${head}${listed(callsOf(scope))} | ${listed(toolsOf(scope))} |`.replace(/ {2}\|$/, ' |'),
  )
  if (process.env['UPDATE_DOCS']) writeFileSync(FILE, [before, made, ...after].join(''))
  t.strictSame(
    [...table.matchAll(ROW)].map(([, , scope]) => scope),
    [...SCOPES],
  )
  t.equal(made, table, 'docs/accounts.md is stale: UPDATE_DOCS=1 npm test -- docs/scopes')
})
