/** docs/conformance.md names the suites there are. Whether their figures are current is told by the tests of the suites, which run them. */
import t from 'tap'
import { readFile } from 'node:fs/promises'
import { suites } from '../suites/all.js'

t.test('docs/conformance.md has a section for each suite and no other: npm run conformance', async (t) => {
  const text = await readFile('docs/conformance.md', 'utf8')
  const named = [...text.matchAll(/^`([\w-]+)`, .*: \d+ of \d+ \(/gm)].map(([, folder]) => folder)
  t.same(
    named,
    suites.map(({ folder }) => folder),
  )
})
