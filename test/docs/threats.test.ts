/** Pages that say by which test something is shown: that test is there. */
import { existsSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'

for (const page of ['security', 'oauth'])
  t.test(`docs/${page}.md names tests that there are`, async (t) => {
    const text = await readFile(`docs/${page}.md`, 'utf8')
    const rows = text.split('\n').filter((line) => /^\|.*`[\w/.-]+(?:\.test\.ts|\/)` \|?/.test(line))
    t.ok(rows.length > 10)
    const all = readdirSync('test', { recursive: true, encoding: 'utf8' })
    for (const row of rows) {
      const [, shown = ''] = /\|([^|]*)\|$/.exec(row) ?? []
      for (const [, name = ''] of shown.matchAll(/`([^`]+)`/g))
        t.ok(
          existsSync(join('test', name)) || all.some((path) => path.endsWith(`/${name}`)),
          `${name}: ${row.slice(0, 60)}`,
        )
    }
  })
