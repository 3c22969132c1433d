/** The table of scopes in docs/accounts.md says what each call takes. `UPDATE_DOCS=1` writes its calls. */
import { readFileSync, writeFileSync } from 'node:fs'
import t from 'tap'
import { SCOPES } from '../../src/accounts/types.js'
import { routes } from '../../src/http/v1/routes.js'

const FILE = 'docs/accounts.md'
/** Scope, what it is for, calls, tools. */
const ROW = /^(\| `([^`]+)` \| [^|]+ \| )([^|]*)( \|)/gm

const callsOf = (scope: string): string[] =>
  routes.filter(({ scopes }) => scopes.some((each) => each === scope)).map(({ operationId }) => operationId)

t.test('the table of scopes in docs/accounts.md says what each call takes', async (t) => {
  const text = readFileSync(FILE, 'utf8')
  const [before = '', section = ''] = text.split(/(?<=^## Scopes\n)/m)
  const [table = '', ...after] = section.split(/(?=^## )/m)
  const made = table.replace(
    ROW,
    (_row, head: string, scope: string, _calls, tail: string) =>
      `${head}${callsOf(scope)
        .map((call) => `\`${call}\``)
        .join(', ')}${tail}`,
  )
  if (process.env['UPDATE_DOCS']) writeFileSync(FILE, [before, made, ...after].join(''))
  t.strictSame(
    [...table.matchAll(ROW)].map(([, , scope]) => scope),
    [...SCOPES],
  )
  t.equal(made, table, 'docs/accounts.md is stale: UPDATE_DOCS=1 npm test -- docs/scopes')
})
