import { readFileSync } from 'node:fs'
import t from 'tap'
import { SCOPES } from '../../src/accounts/types.js'
import { routes } from '../../src/http/v1/routes.js'

t.test('the table of scopes in docs/accounts.md says what each call takes', async (t) => {
  const section = readFileSync('docs/accounts.md', 'utf8').split('## Scopes')[1]?.split('\n## ')[0] ?? ''
  const rows = [...section.matchAll(/^\| `([^`]+)` \| [^|]+ \| ([^|]*) \|/gm)]
  t.strictSame(
    rows.map((row) => row[1]),
    [...SCOPES],
  )
  for (const [, scope = '', calls = ''] of rows) {
    const described = [...calls.matchAll(/`(\w+)`/g)].map((match) => match[1])
    const declared = routes
      .filter(({ scopes }) => scopes.some((each) => each === scope))
      .map(({ operationId }) => operationId)
    t.strictSame(described.sort(), declared.sort(), scope)
  }
})
