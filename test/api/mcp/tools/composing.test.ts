/** Addresses that tools take. */
import t from 'tap'
import { addresses } from '../../../../src/api/mcp/tools/composing.js'

t.test('recipients beyond ASCII are taken in NFC, and misleading ones are refused', async (t) => {
  t.same(addresses.parse(['Jose\u0301 <jose\u0301@Example.org>', 'пример@example.org']), [
    { address: 'jos\u00e9@example.org', name: 'Jose\u0301' },
    { address: 'пример@example.org', name: '' },
  ])
  t.match(addresses.safeParse('\u212aate@example.org'), { success: false, error: { issues: [{ path: [0] }] } })
  t.match(addresses.safeParse('жи\u200bв@example.org'), { success: false })
})
