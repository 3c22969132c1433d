/**
 * The checks of the public suffix list, as organizational domains of DMARC. RFC 9989 finds them by records in the DNS and not by the list; so
 * the list is published as it would be (`psd=y` at each public suffix, §4.7), and the walk up the tree has to end where the list does.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { domainToASCII } from 'node:url'
import { judgeDmarc } from '../../../src/authentication/dmarc.js'
import { libraryResolver } from '../../../src/authentication/library-resolver.js'
import { fakeResolver } from '../../support/peers/fake-resolver.js'
import type { Difference, Suite } from '../suite.js'

export const pslSuite: Suite = {
  folder: 'psl',
  title: 'Organizational domains: the checks of the public suffix list, published as DMARC records',
  rule: 'RFC 9989 §4.10',
  size: 78,
  explanations: Object.fromEntries(
    ['.com', '.example', '.example.com', '.example.example'].map((name) => [
      name,
      'No domain has an empty label, so the list finds none. We still apply the policy of the parent, so that a leading dot does not escape it.',
    ]),
  ),
  async run(dir) {
    const isPublicSuffix = publicSuffixes(readFileSync(join(dir, 'public_suffix_list.dat'), 'utf8'))
    const resolver = fakeResolver((name, rrtype) => {
      const domain = /^_dmarc\.(.+)$/.exec(name)?.[1]
      if (domain === undefined || rrtype !== 'TXT') return 'no_data'
      return isPublicSuffix(domain) ? ['v=DMARC1; p=none; psd=y'] : 'not_found'
    })
    const lookup = libraryResolver(resolver)

    async function organizationalDomain(name: string): Promise<string | null> {
      const labels = name.split('.')
      for (let from = labels.length - 1; from >= 0; from--) {
        const domain = labels.slice(from).join('.')
        const { result } = await judgeDmarc(
          {
            addresses: [`a@${name}`],
            fields: 1,
            addressCount: 1,
            spf: { domain: '', result: 'none' },
            dkim: [{ domain, result: 'pass' }],
          },
          lookup,
        )
        // A public suffix is aligned with itself; it belongs to nobody.
        if (result === 'pass') return isPublicSuffix(domain) ? null : domain
      }
      return null
    }

    const differences: Difference[] = []
    const text = readFileSync(join(dir, 'tests/test_psl.txt'), 'utf8')
    const cases = [...text.matchAll(/^checkPublicSuffix\((null|'[^']*'), (null|'[^']*')\);/gm)]
    for (const [, input = 'null', output = 'null'] of cases) {
      const wanted = ascii(output)
      const got = await organizationalDomain(ascii(input) ?? '')
      if (got !== wanted) differences.push({ case: input.slice(1, -1), got: String(got), wanted: String(wanted) })
    }
    return { total: cases.length, differences }
  },
}

function ascii(quoted: string): string | null {
  if (quoted === 'null') return null
  const name = quoted.slice(1, -1).toLowerCase()
  return domainToASCII(name) || name
}

/** The algorithm of publicsuffix.org/list: the longest rule wins, an exception before all others, and `*` where none is. */
function publicSuffixes(list: string): (domain: string) => boolean {
  const rules = new Set(
    list.split('\n').flatMap((line) => {
      const rule = line.trim().split(/\s/)[0] ?? ''
      if (rule === '' || rule.startsWith('//')) return []
      const [, mark = '', name = ''] = /^(!|\*\.)?(.*)$/.exec(rule) ?? []
      return [mark + domainToASCII(name)]
    }),
  )
  // `!city.kobe.jp` says that the suffix of that name is `kobe.jp`.
  const parentsOfExceptions = new Set([...rules].flatMap((rule) => /^![^.]+\.(.+)$/.exec(rule)?.[1] ?? []))
  return (domain) => {
    if (rules.has(`!${domain}`)) return false
    if (parentsOfExceptions.has(domain)) return true
    const dot = domain.indexOf('.')
    return rules.has(domain) || dot === -1 || rules.has(`*.${domain.slice(dot + 1)}`)
  }
}
