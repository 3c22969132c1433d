/** RFC 7208 suite of openspf.org, through the authenticator and a resolver that answers from the suite's zones. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAllDocuments } from 'yaml'
import { createAuthenticator } from '../../../src/authentication/verify.js'
import type { MxRecord } from '../../../src/dns/types.js'
import { fakeResolver, type Found } from '../../support/peers/fake-resolver.js'
import type { Difference, Suite } from '../suite.js'

interface Case {
  helo: string
  host: string
  mailfrom: string
  result: string | string[]
}

interface Scenario {
  description: string
  tests: Record<string, Case>
  zonedata: Record<string, (string | Record<string, unknown>)[]>
}

export const spfSuite: Suite = {
  folder: 'spf-rfc7208-pyspf',
  title: 'SPF: the suite of openspf.org',
  rule: 'RFC 7208',
  size: 203,
  explanations: {},
  async run(dir) {
    const text = readFileSync(join(dir, 'test/rfc7208-tests.yml'), 'utf8')
    const differences: Difference[] = []
    let total = 0
    for (const document of parseAllDocuments(text)) {
      const { tests, zonedata }: Scenario = document.toJS()
      for (const [name, { helo, host, mailfrom, result }] of Object.entries(tests)) {
        const authenticator = createAuthenticator({ resolver: fakeResolver(zone(zonedata)), authservId: 'mx.example' })
        const raw = Buffer.from('From: a@from.example\r\n\r\n')
        const { results } = await authenticator.verify({ raw, ip: host, helo, mailFrom: mailfrom, fromCount: 1 })
        total++
        const wanted = [result].flat()
        const got = results.spf.result
        if (!wanted.includes(got)) differences.push({ case: name, got, wanted: wanted.join(' or ') })
      }
    }
    return { total, differences }
  },
}

function zone(data: Scenario['zonedata']) {
  const names = new Map(Object.entries(data).map(([name, records]) => [name.toLowerCase(), records]))
  return (name: string, rrtype: string): Found => {
    const records = names.get(name)
    if (!records) return 'not_found'
    const ofType = (type: string): unknown[] =>
      records.flatMap((record) => (typeof record === 'object' && type in record ? [record[type]] : []))
    const alias = ofType('CNAME')[0]
    if (typeof alias === 'string') return zone(data)(alias.toLowerCase().replace(/\.$/, ''), rrtype)
    // The suite writes SPF records once: they stand for TXT where the name has no TXT of its own.
    const own = ofType(rrtype)
    const found = (rrtype === 'TXT' && own.length === 0 ? ofType('SPF') : own).filter((value) => value !== 'NONE')
    if (found.length === 0) return records.includes('TIMEOUT') ? 'temporary' : 'no_data'
    if (rrtype === 'MX') return found.flatMap(mx)
    return found.map((value) => (Array.isArray(value) ? value.join('') : String(value)))
  }
}

function mx(value: unknown): MxRecord[] {
  return Array.isArray(value) ? [{ priority: Number(value[0]), exchange: String(value[1]) }] : []
}
