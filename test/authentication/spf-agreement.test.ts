/** Our evaluation of SPF records agrees with that of mailauth, by its documented interface. */
import { spf } from 'mailauth/lib/spf/index.js'
import t from 'tap'
import { evaluateSpf } from '../../src/authentication/spf-evaluation.js'

const absent = (): Error => Object.assign(new Error('absent'), { code: 'ENOTFOUND' })
const many = (term: (i: number) => string): string => Array.from({ length: 11 }, (_, i) => term(i)).join(' ')

const RECORDS = [
  'ip4:198.51.100.0/24 -all',
  'ip4:198.51.100.7/31 ip6:2001:db8::/33 ?all',
  'ip4:198.51.100.07 -all',
  'ip6:2001:db8::1 ~all',
  'a mx:two.example/25//64 -all',
  'a:one.example -all',
  'a:one.example/33 -all',
  'include:pass.example -all',
  'include:missing.example -all',
  'include:broken.example -all',
  'redirect=pass.example',
  'redirect=missing.example',
  'redirect=pass.example redirect=pass.example',
  'exists:%{ir}.%{l1r-}.%{d2}.example -all',
  'exists:%{i}.list.example ~all',
  'exists:%{d0}.example -all',
  'exists:%{c}.example -all',
  'exists:%{p}.names.example -all',
  'ptr ?all',
  'ptr:other.example -all',
  'unknown=%{d} -all',
  'unknown=% -all',
  'unknown:x -all',
  '-all exp=why.%{d} exp=why.%{d}',
  '+all:x',
  `${many((i) => `include:fail${i}.example`)} -all`,
  `${many((i) => `a:none${i}.example`)} -all`,
  'a:none1.example a:none2.example mx:none3.example +all',
]

const TXT: Record<string, string> = {
  'pass.example': 'v=spf1 ip4:198.51.100.7 ip6:2001:db8::1 -all',
  'broken.example': 'v=spf1 ip4:198.51.100.7 nonsense',
}

async function answer(record: string, name: string, type: string): Promise<string[]> {
  if (type === 'TXT') {
    const text = name === 'sender.example' ? `v=spf1 ${record}` : name.startsWith('fail') ? 'v=spf1 -all' : TXT[name]
    if (text !== undefined) return [text]
  }
  if (type === 'A' && /^(?:one|host|198\.51\.100\.7\.list)\./.test(name)) return ['198.51.100.7']
  if (type === 'A' && name === 'host.sender.example.names.example') return ['127.0.0.2']
  if (type === 'AAAA' && /^(?:host|mx)\./.test(name)) return ['2001:db8::1']
  if (type === 'PTR') return ['host.sender.example']
  throw absent()
}

for (const record of RECORDS) {
  t.test(record.slice(0, 60), async (t) => {
    for (const ip of ['198.51.100.7', '198.51.100.6', '203.0.113.9', '2001:db8::1', '2001:db8:8000::1']) {
      const resolver = (name: string, type: string): Promise<string[]> => answer(record, name.toLowerCase(), type)
      const session = { ip, helo: 'mail.sender.example', local: 'ann-b', domain: 'sender.example' }
      const theirs = await spf({ ...session, sender: 'ann-b@sender.example', mta: 'mx.test', strict: true, resolver })
      t.equal(await evaluateSpf(session, resolver), theirs.status.result, ip)
    }
  })
}
