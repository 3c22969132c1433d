/** The resolver against NSD, which answers as servers of the Internet do. */
import t, { type Test } from 'tap'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ManualClock, SECOND } from '../../src/lib/clock.js'
import { createResolver } from '../../src/dns/resolver.js'
import type { LookupFailure } from '../../src/dns/types.js'
import { peer } from '../support/peers/peers.js'
import { freePort } from '../support/ports.js'

const NSD = '/usr/sbin/nsd'

const failure = (expected: LookupFailure) => ({ name: 'LookupError', failure: expected })

const LONG_TEXT = Array.from({ length: 12 }, (_, i) => `${i}-`.padEnd(200, 'x'))

const ZONE = `$TTL 600
$ORIGIN example.
@ SOA ns.example. hostmaster.example. 1 3600 600 86400 45
@ NS ns.example.
ns A 127.0.0.1
mail 120 A 192.0.2.1
mail AAAA 2001:db8::1
@ MX 20 backup.example.
@ MX 10 Mail.Example.
@ TXT "v=spf1 " "mx -all"
null MX 0 .
long TXT ${LONG_TEXT.map((text) => `"${text}"`).join(' ')}
alias CNAME alias2
alias2 CNAME mail
dangling CNAME nothing
*.wild TXT "anything"
xn--bcher-kva TXT "v=DMARC1; p=reject"
semi TXT "a\\;b \\"quoted\\" \\195\\188"
${Array.from({ length: 12 }, (_, i) => `c${i} CNAME c${i + 1}`).join('\n')}
c12 A 192.0.2.12
`

async function startNsd(t: Test): Promise<string> {
  const dir = t.testdir({ 'example.zone': ZONE })
  const port = await freePort()
  const config = join(dir, 'nsd.conf')
  const files = ['pidfile', 'xfrdfile', 'zonelistfile', 'cookie-secret-file'].map(
    (name) => `  ${name}: "${dir}/${name}"`,
  )
  writeFileSync(
    config,
    [
      'server:',
      `  ip-address: 127.0.0.1@${port}`,
      '  username: ""',
      '  chroot: ""',
      '  server-count: 1',
      `  zonesdir: "${dir}"`,
      `  xfrdir: "${dir}"`,
      '  verbosity: 1',
      ...files,
      'remote-control:',
      '  control-enable: no',
      'zone:',
      '  name: example',
      '  zonefile: example.zone',
      '',
    ].join('\n'),
  )
  const nsd = spawn(NSD, ['-d', '-c', config], { stdio: ['ignore', 'ignore', 'pipe'] })
  t.teardown(async () => {
    if (nsd.exitCode !== null) return
    nsd.kill()
    await once(nsd, 'exit')
  })
  let log = ''
  for await (const chunk of nsd.stderr) {
    log += String(chunk)
    if (log.includes('nsd started')) return `127.0.0.1:${port}`
  }
  throw new Error(`nsd did not start: ${log}`)
}

t.test('a zone on NSD', peer('nsd', NSD), async (t) => {
  const clock = new ManualClock()
  const resolver = createResolver({ servers: [await startNsd(t)], clock })
  t.teardown(() => resolver.close())

  t.same(await resolver.a('mail.example'), ['192.0.2.1'])
  t.same(await resolver.aaaa('MAIL.example.'), ['2001:db8::1'])
  t.same(await resolver.txt('example'), ['v=spf1 mx -all'])
  t.same(await resolver.txt('bücher.example'), ['v=DMARC1; p=reject'])
  t.same(await resolver.txt('semi.example'), ['a;b "quoted" ü'])
  t.same(await resolver.txt('what.ever.wild.example'), ['anything'])
  t.same(await resolver.mx('example'), [
    { priority: 10, exchange: 'mail.example' },
    { priority: 20, exchange: 'backup.example' },
  ])
  t.same(await resolver.mx('null.example'), [{ priority: 0, exchange: '' }])
  t.same(await resolver.txt('long.example'), [LONG_TEXT.join('')], 'an answer too long for UDP comes over TCP')
  t.same(await resolver.a('alias.example'), ['192.0.2.1'])
  await t.rejects(resolver.a('dangling.example'), failure('not_found'))
  await t.rejects(resolver.a('none.example'), failure('not_found'))
  await t.rejects(resolver.a('semi.example'), failure('no_data'))
  await t.rejects(resolver.a('c0.example'), failure('temporary'), 'a chain of twelve aliases is too long')
  await t.rejects(resolver.a('elsewhere.test'), failure('temporary'), 'a zone that it refuses to answer for')
})

t.test('answers of NSD are kept as long as they say, and no longer', peer('nsd', NSD), async (t) => {
  const clock = new ManualClock()
  const resolver = createResolver({ servers: [await startNsd(t)], clock, timeoutMs: 200, queryTimeoutMs: 50 })
  t.same(await resolver.a('mail.example'), ['192.0.2.1'])
  await t.rejects(resolver.a('none.example'), failure('not_found'))
  // Nothing more can be asked: what is answered from here on was kept.
  resolver.close()
  clock.advance(44 * SECOND)
  await t.rejects(resolver.a('none.example'), failure('not_found'))
  clock.advance(2 * SECOND)
  await t.rejects(resolver.a('none.example'), failure('temporary'), 'past the minimum of the SOA')
  clock.advance(73 * SECOND)
  t.same(await resolver.a('mail.example'), ['192.0.2.1'])
  clock.advance(2 * SECOND)
  await t.rejects(resolver.a('mail.example'), failure('temporary'), 'past its time to live')
})
