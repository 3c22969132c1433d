/** The types of the TypeScript client are those of the description. `UPDATE_DOCS=1` writes them. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { format, resolveConfig } from 'prettier'
import t from 'tap'
import { describedApi } from './openapi.js'
import { operationsFile } from './operations.js'

const FILE = join(process.cwd(), 'clients/typescript/src/operations.ts')

t.test('the client knows every operation as it is described', async (t) => {
  const options = await resolveConfig(FILE)
  const made = await format(operationsFile(describedApi()), { ...options, parser: 'typescript' })
  if (process.env['UPDATE_DOCS']) await writeFile(FILE, made)
  const isSame = (await readFile(FILE, 'utf8').catch(() => '')) === made
  t.ok(isSame, 'clients/typescript/src/operations.ts is stale: UPDATE_DOCS=1 npx tap test/clients/operations.test.ts')
})
