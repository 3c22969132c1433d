/** The ARC suite: chains to be judged, and messages to be sealed. */
import { createPrivateKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAllDocuments } from 'yaml'
import { headerFields, relaxedField } from '../../../src/authentication/canonical.js'
import { sealMessage } from '../../../src/authentication/seal.js'
import { createAuthenticator } from '../../../src/authentication/verify.js'
import { headerLength } from '../../../src/mime/headers.js'
import { textResolver } from '../../support/peers/fake-resolver.js'
import type { Difference, Suite } from '../suite.js'

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
      'Without `c=` a signature is simple/simple (RFC 8617 §4.1.2 takes it from RFC 6376 §3.5), and the message was signed relaxed.',
    ams_fields_h_empty:
      'A signature that does not cover From proves nothing about the author (RFC 6376 §5.4); an empty `h=` covers nothing.',
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

interface SignScenario {
  tests: Record<string, SignCase>
  domain: string
  sel: string
  privatekey: string
}

interface SignCase {
  message: string
  t: number
  'sig-headers': string
  'srv-id': string
  AAR: string
  AMS: string
  AS: string
}

/**
 * Its signing cases. The suite takes the results from the message's own Authentication-Results fields of one server, all of them put
 * together, which a mail server would have just made itself; that is done here.
 */
export const arcSignSuite: Suite = {
  folder: 'arc-valimail',
  title: 'ARC: sealing, octet by octet',
  rule: 'RFC 8617 §5.1',
  size: 17,
  explanations: {},
  async run(dir) {
    const text = readFileSync(join(dir, 'tests/arc-draft-sign-tests.yml'), 'utf8')
    const differences: Difference[] = []
    let total = 0
    for (const document of parseAllDocuments(text)) {
      const { tests, domain, sel: selector, privatekey }: SignScenario = document.toJS()
      const key = { domain, selector, algorithm: 'rsa-sha256' as const, privateKey: createPrivateKey(privatekey) }
      for (const [name, wanted] of Object.entries(tests)) {
        const raw = Buffer.from(wanted.message.replace(/\r?\n/g, '\r\n'))
        const results = resultsOf(raw, wanted['srv-id'])
        const chain = /\barc=(pass|fail)\b/.exec(results)?.[1] === 'pass' ? 'pass' : 'fail'
        const signedNames = wanted['sig-headers'].split(':')
        const sealed = await sealMessage(raw, { results, chain, key, signedAt: wanted.t, signedNames })
        const made = sealed.kind === 'sealed' ? headerFields(sealed.raw).slice(0, 3) : []
        const [seal, signature, authenticated] = made.map((field) => relaxedField(field).replace(/^[^:]*:/, ''))
        total++
        const pairs = [
          [tags(seal), tags(wanted.AS)],
          [tags(signature), tags(wanted.AMS)],
          [oneLine(authenticated), oneLine(wanted.AAR)],
        ] as const
        for (const [got, want] of pairs) if (got !== want) differences.push({ case: name, got, wanted: want })
      }
    }
    return { total, differences }
  },
}

/** Every result of the server, in the order of the message, each once. */
function resultsOf(raw: Buffer, server: string): string {
  const values = headerFields(raw.subarray(0, headerLength(raw)))
    .filter(({ name }) => name === 'authentication-results')
    .map((field) =>
      relaxedField(field)
        .replace(/^[^:]*:/, '')
        .split(';')
        .map((part) => part.trim()),
    )
    .filter(([id]) => id === server)
  const results = values.flatMap(([, ...parts]) => parts).filter((part) => part !== '')
  return `${server}; ${[...new Set(results)].join('; ')}`
}

const oneLine = (text = ''): string => text.replace(/\s+/g, ' ').trim()
/** White space within a tag's value means nothing, and the order of tags neither. */
const tags = (text = ''): string =>
  text
    .split(';')
    .map((tag) => tag.replace(/\s+/g, ''))
    .filter((tag) => tag !== '')
    .sort()
    .join('; ')
