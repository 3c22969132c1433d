/** docs/architecture.md, the decisions and the READMEs of src/ name files and folders that there are, and the floors that are checked. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'

const page = readFileSync('docs/architecture.md', 'utf8')

/** Paths in backticks, as the page writes them: from `src/`, or from the root. */
function pathsOf(text: string): string[] {
  return [...text.matchAll(/`((?:[\w.-]+\/)+[\w.-]*|[\w-]+\.ts)`/g)].map(([, path = '']) => path)
}

t.ok(page.split('\n').length <= 101, 'it can be read in one sitting')

t.test('the paths it names are there', async (t) => {
  const paths = pathsOf(page)
  t.ok(paths.length > 40)
  for (const path of paths) t.ok(existsSync(join('src', path)) || existsSync(path), path)
})

t.test('every folder of src/ stands on one floor of the table, in the order that is checked', async (t) => {
  const rows = page.split('\n').filter((line) => /^\| (?:entry|faces|servers|work|domain|tools|ground) /.test(line))
  const floors = rows.map((row) => pathsOf(row.split('|')[2] ?? '').map((path) => path.replace(/\/$/, '')))
  const folders = readdirSync('src', { withFileTypes: true }).filter((entry) => entry.isDirectory())
  t.same(floors.flat().sort(), folders.map(({ name }) => name).sort())

  const rules = readFileSync('.dependency-cruiser.cjs', 'utf8')
  const [, listed = ''] = /const floors = \[([\s\S]*?)\n\]/.exec(rules) ?? []
  const checked = [...listed.matchAll(/\[([^\]]*)\]/g)].map(([, names = '']) => names.match(/\w+/g) ?? [])
  const shown = floors.map((floor) => floor.filter((name) => name !== 'daemon').sort())
  t.same(checked.map((floor) => [...floor].sort()).reverse(), shown)
})

t.test('the READMEs of its folders name files that are there', async (t) => {
  for (const { name } of readdirSync('src', { withFileTypes: true }).filter((entry) => entry.isDirectory())) {
    const folder = join('src', name)
    for (const line of readFileSync(join(folder, 'README.md'), 'utf8').split('\n')) {
      // A row of the table speaks of its room.
      const [, room = ''] = /^\| `([\w/-]+)\/`/.exec(line) ?? []
      for (const path of pathsOf(line))
        t.ok(
          [folder, join(folder, room), 'src', '.'].some((base) => existsSync(join(base, path))),
          `${folder}: ${path}`,
        )
    }
  }
})

t.test('each decision says where it lives, and is in the index', async (t) => {
  const folder = 'docs/decisions'
  const index = readFileSync(join(folder, 'README.md'), 'utf8')
  const all = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /\/.*\.md$/.test(name))
  t.ok(all.length > 100)
  for (const name of all) {
    const [, where = ''] = /^Where: (.*(?:\n.+)*)/m.exec(readFileSync(join(folder, name), 'utf8')) ?? []
    const paths = [...where.matchAll(/`([^`]+)`/g)].map(([, path = '']) => path)
    t.ok(paths.length > 0, `${name} names where it lives`)
    for (const path of paths) t.ok(existsSync(path), `${name}: ${path}`)
    t.ok(index.includes(`(${name})`), `${name} is in the index`)
  }
})
