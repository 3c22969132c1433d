import { readFileSync } from 'node:fs'
import t from 'tap'
import { FINDING_CODES } from '../../src/guard/reason-codes.js'
import { DEFAULT_LINES } from '../../src/guard/verdict/guard.js'

const page = readFileSync('docs/guard.md', 'utf8')
const manifest = JSON.parse(readFileSync('src/guard/model/manifest.json', 'utf8')) as { sha256: string }

t.test('docs/guard.md is of the model that is shipped: npm run train', async (t) => {
  t.ok(page.includes(manifest.sha256.slice(0, 16)), manifest.sha256)
})

t.test('docs/guard.md has every code of a finding and the lines of the settings', async (t) => {
  for (const [code, { about }] of Object.entries(FINDING_CODES))
    t.ok(page.includes(`\`${code}\` | `), `${code}: ${about}`)
  t.ok(page.includes(`\`guard.block_score\``) && page.includes(`${DEFAULT_LINES.blockAt}`))
})
