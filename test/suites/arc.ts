/** The validation cases of the ARC suite. Its signing cases are not run: nothing here passes a received message on. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAllDocuments } from 'yaml'
import { createAuthenticator } from '../../src/authentication/verify.js'
import { textResolver } from '../support/fake-resolver.js'
import type { Difference, Suite } from './suite.js'

interface Scenario {
  tests: Record<string, { message: string; cv: string | null }>
  'txt-records': Record<string, string>
}

export const arcSuite: Suite = {
  folder: 'arc-valimail',
  title: 'ARC: validation of chains',
  rule: 'RFC 8617',
  size: 171,
  explanations: {
    ams_fields_c_na:
      'Right: without `c=` a signature is simple/simple (RFC 8617 §4.1.2 takes it from RFC 6376 §3.5), and the message was signed relaxed.',
    ams_fields_h_empty:
      'Right: a signature that does not cover From says nothing about the author (RFC 6376 §5.4); an empty `h=` covers nothing.',
  },
  async run(dir) {
    const text = readFileSync(join(dir, 'tests/arc-draft-validation-tests.yml'), 'utf8')
    const differences: Difference[] = []
    let total = 0
    for (const document of parseAllDocuments(text)) {
      const { tests, 'txt-records': records }: Scenario = document.toJS()
      const authenticator = createAuthenticator({ resolver: textResolver(records), authservId: 'mx.example' })
      for (const [name, { message, cv }] of Object.entries(tests)) {
        const raw = Buffer.from(message.replace(/\r?\n/g, '\r\n'))
        const session = { ip: '192.0.2.1', helo: 'x.example', mailFrom: '', fromCount: 1 }
        const { results } = await authenticator.verify({ raw, ...session })
        // The suite leaves it empty where the chain had failed before: RFC 8617 §5.2 calls that a failure too.
        const wanted = cv === '' ? 'fail' : (cv ?? 'none').toLowerCase()
        total++
        if (results.arc.result !== wanted) differences.push({ case: name, got: results.arc.result, wanted })
      }
    }
    return { total, differences }
  },
}
