/** `npm run conformance`: runs every public suite and writes docs/conformance.md. Names as arguments print those suites' sections only. */
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { suites } from './all.js'
import { conformance, section, share, type Result } from './conformance.js'
import { suiteDir, unexplained } from './suite.js'

const FILE = 'docs/conformance.md'

const chosen = process.argv.slice(2)
const wanted = suites.filter(({ folder }) => chosen.length === 0 || chosen.includes(folder))
const strangers = chosen.filter((folder) => !suites.some((suite) => suite.folder === folder))
const missing = wanted.filter((suite) => !existsSync(suiteDir(suite)))
if (strangers.length > 0 || missing.length > 0) {
  for (const folder of strangers) console.error(`There is no suite "${folder}".`)
  for (const suite of missing) console.error(`${suiteDir(suite)} is not there.`)
  process.exit(1)
}

const results: Result[] = []
let wrong = 0
for (const suite of wanted) {
  const run = await suite.run(suiteDir(suite))
  results.push({ suite, run })
  console.error(`${suite.folder}: ${run.total - run.differences.length} of ${run.total} (${share(run)})`)
  const problems = unexplained(suite, run)
  if (run.total < suite.size) problems.push(`only ${run.total} of ${suite.size} cases were run`)
  for (const problem of problems) console.error(`  ${problem}`)
  wrong += problems.length
}
if (chosen.length > 0) for (const result of results) console.log(section(result))
else await writeFile(FILE, conformance(results))
// What is left open keeps no suite from the document, but it is no success.
process.exitCode = wrong > 0 ? 1 : 0
