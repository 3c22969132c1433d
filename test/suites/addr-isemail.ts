/**
 * Addresses with diagnoses, in two columns: what an API caller may write (`mime/address.ts`, strict: what SMTP can carry, to a fully qualified
 * name) and what we read in a received header (`mime/addresses.ts`, lenient: anything that can be answered or shown).
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAddress } from '../../src/mime/address.js'
import { readAddresses } from '../../src/mime/addresses.js'
import type { Difference, Suite, SuiteRun } from './suite.js'

/** Diagnoses, by what comes behind `ISEMAIL_`, that an API caller's address may have. */
const STRICT = /^(?:VALID|DNSWARN_NO_RECORD|DNSWARN_NO_MX_RECORD|RFC5321_QUOTEDSTRING)$/
/** Those that a header's address may not have: there has to be something on both sides of the `@`. What can't be mailed to is shown all the same. */
const UNREADABLE = /^ERR_(?:NODOMAIN|NOLOCALPART|UNCLOSEDCOMMENT)$/

const NOTHING_LEFT = 'one side of the @ is only a control character'

export const addressSuite: Suite = {
  folder: 'addr-isemail',
  title: 'isemail: addresses from a caller, and addresses in a header',
  rule: 'RFC 5321 §4.1.2, RFC 5322 §3.4',
  size: 328,
  explanations: {
    'API 5 VALID': 'a bare top-level domain: a caller must give a fully qualified name (RFC 5321 §2.3.5)',
    'API 43 RFC5321_QUOTEDSTRING': 'an empty local part: unused, and usually a typo',
    'header 17 ERR_CONSECUTIVEDOTS': 'has no @ at all',
    'header 109 ERR_UNCLOSEDCOMMENT': 'the address is complete before the comment',
    'header 122 ERR_EXPECTING_ATEXT': 'nothing before the @',
    'header 123 ERR_EXPECTING_ATEXT': NOTHING_LEFT,
    'header 124 DEPREC_QTEXT': NOTHING_LEFT,
    'header 125 DEPREC_QP': NOTHING_LEFT,
    'header 136 ERR_EXPECTING_ATEXT': NOTHING_LEFT,
    'API 157 CFWS_FWS': 'spaces around an address are trimmed',
    'API 158 CFWS_FWS': 'spaces around an address are trimmed',
  },
  run: (dir): Promise<SuiteRun> => {
    const xml = readFileSync(join(dir, 'test/tests.xml'), 'utf8')
    const differences: Difference[] = []
    let total = 0
    for (const [, id = '', body = ''] of xml.matchAll(/<test id="(\d+)">(.*?)<\/test>/gs)) {
      const address = unescape(/<address>(.*?)<\/address>/s.exec(body)?.[1] ?? '')
      const diagnosis = /<diagnosis>ISEMAIL_(\w+)</.exec(body)?.[1] ?? ''
      total += 2
      const compare = (column: string, taken: boolean, wanted: boolean): void => {
        if (taken === wanted) return
        const word = (yes: boolean) => (yes ? 'taken' : 'refused')
        differences.push({
          case: `${column} ${id} ${diagnosis}`,
          got: `${word(taken)} ${address}`,
          wanted: word(wanted),
        })
      }
      compare('API', parseAddress(address) !== undefined, STRICT.test(diagnosis))
      const read = readAddresses([address.replace(/\r?\n[ \t]?/g, ' ').trim()]).addresses[0]?.address
      compare('header', read !== undefined, !UNREADABLE.test(diagnosis))
      if (/\p{Cc}/u.test(read ?? ''))
        differences.push({ case: `header ${id}`, got: 'a control character', wanted: 'none' })
    }
    return Promise.resolve({ total, differences })
  },
}

/** References, and control characters as the suite writes them (its note 1). */
function unescape(text: string): string {
  const names: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
  return text
    .replace(/&(?:#x([\da-f]+)|#(\d+)|(\w+));/gi, (whole, hex, decimal, name) =>
      name === undefined
        ? String.fromCodePoint(Number.parseInt(hex ?? decimal, hex === undefined ? 10 : 16))
        : (names[name] ?? whole),
    )
    .replace(/[\u2400-\u241f]/g, (symbol) => String.fromCharCode(symbol.charCodeAt(0) - 0x2400))
}
