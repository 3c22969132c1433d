/** The clients are made from the description of the API. `UPDATE_DOCS=1` writes them. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { format, resolveConfig } from 'prettier'
import t from 'tap'
import { describedApi } from './openapi.js'
import { operationsFile } from './operations.js'
import { pythonFile } from './python-file.js'
import { methodsFile } from './typescript-methods.js'

const api = describedApi()
const typescript = async (path: string, text: string): Promise<string> =>
  format(text, { ...(await resolveConfig(path)), parser: 'typescript' })

const files: [path: string, make: (path: string) => Promise<string>][] = [
  ['clients/typescript/src/operations.ts', (path) => typescript(path, operationsFile(api))],
  ['clients/typescript/src/methods.ts', (path) => typescript(path, methodsFile(api))],
  ['clients/python/restante.py', () => pythonFile(api)],
]

t.test('the clients know every operation as it is described', async (t) => {
  for (const [name, make] of files) {
    const path = join(process.cwd(), name)
    const made = await make(path)
    if (process.env['UPDATE_DOCS']) await writeFile(path, made)
    const isSame = (await readFile(path, 'utf8').catch(() => '')) === made
    t.ok(isSame, `${name} is stale: UPDATE_DOCS=1 npm test -- clients/operations`)
  }
})
