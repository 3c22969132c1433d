/** docs/doctor.md names every check there is, and no other. */
import { readFile } from 'node:fs/promises'
import t from 'tap'
import { loadConfig } from '../../src/config/load.js'
import { allChecks } from '../../src/ops/doctor/checks.js'
import { thisMachine } from '../../src/ops/doctor/machine.js'
import { systemClock } from '../../src/lib/clock.js'
import { fakeResolver } from '../support/peers/fake-resolver.js'

for (const domain of ['agents.example', 'agents.localhost'])
  t.test(`docs/doctor.md has a row for each check of ${domain}, in their order`, async (t) => {
    const page = await readFile('docs/doctor.md', 'utf8')
    const rows = [...page.matchAll(/^\| `([a-z]+\.[a-z_]+)` \|/gm)].map(([, id]) => id)
    const resolver = fakeResolver(() => 'not_found')
    const checks = allChecks({
      config: loadConfig({ set: [`domains.names=${domain}`] }),
      clock: systemClock,
      version: '1.0.0',
      resolver,
      trustingResolver: resolver,
      machine: thisMachine,
      facts: { missing: 'no daemon' },
      dkimKeys: async () => [],
      smtpCertificate: async () => undefined,
      wantedNames: async () => [],
      outward: false,
      commandOptions: '',
    })
    t.same(
      checks.map(({ id }) => id),
      rows,
    )
  })
