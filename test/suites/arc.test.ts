/** The validation cases of the ARC suite (RFC 8617). */
import t from 'tap'
import { existsSync, readFileSync } from 'node:fs'
import { parseAllDocuments } from 'yaml'
import { createAuthenticator } from '../../src/authentication/verify.js'
import { textResolver } from '../support/fake-resolver.js'

const FILE = '../shared/suites/arc-valimail/tests/arc-draft-validation-tests.yml'

/** Judged otherwise here: without `c=` a signature is simple/simple, and one that doesn't cover From counts for nothing. */
const KNOWN_FAILURES = ['ams_fields_c_na: fail, not pass', 'ams_fields_h_empty: fail, not pass']

interface Scenario {
  tests: Record<string, { message: string; cv: string | null }>
  'txt-records': Record<string, string>
}

t.test('the ARC validation suite', { skip: existsSync(FILE) ? false : `${FILE} is not there` }, async (t) => {
  const scenarios = parseAllDocuments(readFileSync(FILE, 'utf8')).map((document): Scenario => document.toJS())
  const failed: string[] = []
  let count = 0
  for (const { tests, 'txt-records': records } of scenarios) {
    const authenticator = createAuthenticator({ resolver: textResolver(records), authservId: 'mx.example' })
    for (const [name, { message, cv }] of Object.entries(tests)) {
      const raw = Buffer.from(message.replace(/\r?\n/g, '\r\n'))
      const verified = await authenticator.verify({
        raw,
        ip: '192.0.2.1',
        helo: 'x.example',
        mailFrom: '',
        fromCount: 1,
      })
      // The suite leaves it empty where the chain had failed before: RFC 8617 §5.2 calls that a failure too.
      const expected = cv === '' ? 'fail' : (cv ?? 'none').toLowerCase()
      count++
      const { result } = verified.results.arc
      if (expected !== result) failed.push(`${name}: ${result}, not ${expected}`)
    }
  }
  t.comment(`${count - failed.length} of ${count}`)
  t.ok(count >= 171, 'the whole suite was run')
  t.same(failed, KNOWN_FAILURES)
})
