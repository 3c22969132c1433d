import t from 'tap'
import { matchesPattern, parsePattern, patternsOf } from '../../../src/mailbox/settings/address-pattern.js'
import { senderOf } from '../../../src/mailbox/delivery/admission.js'
import type { AuthenticationResults } from '../../../src/authentication/types.js'
import { onEveryEngine } from '../world.js'

const NONE: AuthenticationResults = {
  spf: { result: 'none', domain: null },
  dkim: { result: 'none', domain: null, selector: null },
  dmarc: { result: 'none', domain: null, policy: null },
  arc: { result: 'none' },
}

const author = (address: string) => ({ from: { address, name: '' }, fromCount: 1 })

t.test('lists take addresses beyond ASCII, and no look-alike for one within it', async (t) => {
  t.equal(parsePattern('ПРИМЕР@Example.org'), 'пример@example.org')
  t.ok(matchesPattern(parsePattern('jos\u00e9@example.org') ?? '', 'Jose\u0301+list@example.org'))
  t.notOk(matchesPattern('ada@example.org', '\u0430da@example.org'), 'the first letter is Cyrillic')
  t.notOk(matchesPattern('kate@example.org', '\u212aate@example.org'), 'the Kelvin sign')
})

t.test('an address is looked up under few patterns, whoever wrote it', async (t) => {
  t.strictSame(patternsOf('Ada+x@Mail.Example.ORG'), [
    'ada+x@mail.example.org',
    'ada@mail.example.org',
    'mail.example.org',
    '*.mail.example.org',
    '*.example.org',
    '*.org',
  ])
  t.strictSame(patternsOf(''), [])
  t.strictSame(patternsOf(`a@${'x.'.repeat(500)}org`), [])
  t.ok(patternsOf(`a@${'x.'.repeat(150)}org`).length < 25)
})

t.test('what a domain disowns is not believed, and only what it vouches for is proven', async (t) => {
  const { from, fromCount } = author('ada@example.org')
  const by = (dmarc: 'none' | 'pass' | 'fail', spf: 'none' | 'fail' = 'none'): AuthenticationResults => ({
    ...NONE,
    dmarc: { ...NONE.dmarc, result: dmarc },
    spf: { ...NONE.spf, result: spf },
  })
  const of = (results: AuthenticationResults) => senderOf('ada@example.org', { from, fromCount }, results)
  t.match(of(NONE), { named: { length: 2 }, believed: { length: 2 }, proven: { length: 0 } })
  t.match(of(by('pass')), { proven: ['ada@example.org'] })
  t.strictSame(of(by('fail', 'fail')).believed, [])
  t.strictSame(senderOf('', { from, fromCount: 2 }, by('pass')).proven, [])
})

onEveryEngine('mail is refused, taken or favoured by the lists of a mailbox', async (t, w) => {
  const sender = (address: string, proven = false) => ({
    named: [address],
    believed: [address],
    proven: proven ? [address] : [],
  })
  const ask = (address: string, proven?: boolean) => w.mailboxes.delivery.admission(w.id, sender(address, proven))
  t.equal(await ask('ada@example.org', true), 'usual')
  await w.mailboxes.lists.add(w.id, { direction: 'receive', type: 'block' }, { entry: '*.bad.example' })
  await w.mailboxes.lists.add(w.id, { direction: 'receive', type: 'allow' }, { entry: 'example.org' })
  await w.mailboxes.lists.add(w.id, { direction: 'receive', type: 'allow' }, { entry: 'good.bad.example' })
  t.equal(await ask('x@deep.bad.example'), 'refused')
  t.equal(await ask('x@good.bad.example', true), 'refused', 'what is blocked stays so')
  t.equal(await ask('ada@example.org'), 'usual', 'anybody can write that name')
  t.equal(await ask('ada@example.org', true), 'allowed')
  await w.mailboxes.settings.change(w.id, { receiveOnlyAllowed: true })
  t.equal(await ask('eve@example.net', true), 'refused')
  t.equal(await ask('ada@example.org'), 'usual')
  t.equal(
    await w.mailboxes.delivery.admission(w.id, { named: ['ada@example.org'], believed: [] }),
    'refused',
    'disowned',
  )
  t.equal(
    await w.mailboxes.delivery.admission(w.id, { named: ['eve@example.net'] }),
    'usual',
    'the author is not known yet',
  )
})
