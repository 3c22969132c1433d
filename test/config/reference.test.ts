/** The documentation of settings, and the files that are shipped, say what the schemas say. */
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'smol-toml'
import { wordsOf } from '../../src/config/setting/setting.js'
import t from 'tap'
import { loadConfig } from '../../src/config/load.js'
import { configReference, shippedFile } from '../../src/config/reference.js'
import { sectionNames, settingsOf } from '../../src/config/schema.js'

const root = process.cwd()

t.test('docs/config.md is up to date (else: bin/restante config reference > docs/config.md)', async (t) => {
  t.equal(readFileSync(join(root, 'docs/config.md'), 'utf8'), configReference())
})

t.test('there is one shipped file a section, and no other', async (t) => {
  t.same(readdirSync(join(root, 'config')).sort(), sectionNames.map((section) => `${section}.toml`).sort())
})

for (const section of sectionNames) {
  t.test(
    `config/${section}.toml is up to date (else: bin/restante config reference --file ${section} > config/${section}.toml)`,
    async (t) => {
      t.equal(readFileSync(join(root, `config/${section}.toml`), 'utf8'), shippedFile(section))
    },
  )

  t.test(`config/${section}.toml, with every setting uncommented, is right and is the defaults`, async (t) => {
    // A list of tables is shown by one of them, which is an example and not the default.
    const names = [...settingsOf(section)].flatMap(([name, schema]) => (wordsOf(schema).keys ? [] : [name]))
    // A setting begins a line with its name; what follows a list's opening bracket belongs to it.
    const starts = new RegExp(`^# (?=(?:${names.join('|')}) = |  "|\\]$)`)
    const lines = shippedFile(section).split('\n')
    const uncommented = lines.map((line) => line.replace(starts, '')).join('\n')
    t.same(Object.keys(parse(uncommented)), names)
    const dir = t.testdir({ [`${section}.toml`]: uncommented })
    t.same(loadConfig({ dir }), loadConfig())
  })
}
