/** Orders from a real authority, which refuses one request of ten for its nonce: over HTTP, and by a program that publishes records. */
import { X509Certificate } from 'node:crypto'
import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { newKey } from '../../src/certificates/account.js'
import { createAuthority } from '../../src/certificates/authority.js'
import { loadConfig } from '../../src/config/load.js'
import { createResolver } from '../../src/dns/resolver.js'
import { systemClock } from '../../src/lib/clock.js'
import { startApi } from '../api/support/api-server.js'
import { createPebble, pebblePeer, type PebbleOptions } from '../support/peers/pebble.js'
import { secretFolder } from '../../src/lib/secret-files.js'
import { ownChallenges } from '../support/challenges.js'

/** @param wanted of the error, its advice included */
async function failsWith(t: Test, order: Promise<string>, wanted: object): Promise<void> {
  t.match(await order.catch((error: unknown) => error), wanted)
}

const never = new AbortController().signal

async function world(t: Test, options: PebbleOptions = {}) {
  const dir = t.testdir()
  const challenges = ownChallenges()
  const api = await startApi(t, { challenges })
  const pebble = await createPebble(dir, options)
  t.teardown(() => pebble.stop())
  const resolver = createResolver({ servers: [pebble.dns], validates: 'off', clock: systemClock })
  t.teardown(() => resolver.close())
  const warned: object[] = []
  const authority = (...set: string[]) =>
    createAuthority({
      config: loadConfig({
        set: [
          'domains.hostname=mx.agents.example',
          `tls.acme=${pebble.directory}`,
          `tls.acme_ca_file=${pebble.caFile}`,
          'tls.acme_terms_agreed=true',
          ...set,
        ],
      }),
      files: secretFolder(join(dir, 'certificates')),
      challenges,
      resolver,
      log: { warn: (fields) => void warned.push(fields) },
    })
  return { dir, pebble, authority, warned, api }
}

t.test('over HTTP, with one account for all orders', pebblePeer(), async (t) => {
  const { dir, pebble, authority, warned, api } = await world(t)
  const { order } = await authority('tls.acme_contact=postmaster@agents.example')
  await failsWith(t, order('mx.agents.example', newKey(), never), {
    kind: 'unreachable',
    message: /^localhost:\d+ gives no answer \(.*ECONNREFUSED/,
  })
  await pebble.start(api.server.port)
  const key = newKey()
  for (const name of ['mx.agents.example', 'mta-sts.agents.example']) {
    const leaf = new X509Certificate(await order(name, key, never))
    t.equal(leaf.subjectAltName, `DNS:${name}`)
    t.ok(leaf.verify(leaf.publicKey) === false, 'somebody else signed it')
  }
  const [account = ''] = readdirSync(join(dir, 'certificates/accounts'))
  const file = join(dir, 'certificates/accounts', account)
  t.equal(statSync(file).mode & 0o777, 0o600)
  const saved = JSON.parse(readFileSync(file, 'utf8'))
  t.match(saved, { directory: pebble.directory, contact: 'postmaster@agents.example', url: /^https:\/\/localhost/ })

  const again = await authority('tls.acme_contact=hostmaster@agents.example')
  await again.order('mx.agents.example', key, never)
  t.match(
    JSON.parse(readFileSync(file, 'utf8')),
    { ...saved, contact: 'hostmaster@agents.example' },
    'the same account',
  )
  t.same(warned, [])

  await t.test('what goes wrong has a name', async (t) => {
    await pebble.setAddress('elsewhere.agents.example', '127.0.0.2')
    await failsWith(t, order('elsewhere.agents.example', key, never), { kind: 'connection', advice: /Port 80/ })
    await failsWith(t, order('blocked.example', key, never), {
      kind: 'rejectedIdentifier',
      advice: /another authority/,
    })
    const gone = AbortSignal.abort(new Error('the daemon ends'))
    await t.rejects(order('mx.agents.example', key, gone), { message: 'the daemon ends' })
  })

  await t.test('an account that the authority does not know any more is had anew', async (t) => {
    writeFileSync(file, JSON.stringify({ ...saved, contact: 'hostmaster@agents.example', url: `${saved.url}0` }))
    t.ok(new X509Certificate(await again.order('mx.agents.example', key, never)))
    t.equal(JSON.parse(readFileSync(file, 'utf8')).url, saved.url, 'the key is the account')
  })
})

t.test('by a record, and bound to an account there is', pebblePeer(), async (t) => {
  const hmacKey = 'zWNDZM6eQGHWpSRTPal5eIUYFTu7EajVIoguysqZ9wG44nMEtx3MUAsUDkMTQ12W'
  const { dir, pebble, authority, warned, api } = await world(t, { binding: { kid: 'kid-1', hmacKey } })
  await pebble.start(api.server.port)
  const [program, said, keyFile] = [join(dir, 'publish'), join(dir, 'said'), join(dir, 'eab')]
  writeFileSync(
    program,
    `#!/bin/sh
echo "$# $1 $2 $HOME" >> ${said}
case "$1" in
  present) exec /usr/bin/curl -sf ${pebble.management}/set-txt -d "{\\"host\\":\\"$2.\\",\\"value\\":\\"$3\\"}" ;;
  cleanup) exec /usr/bin/curl -sf ${pebble.management}/clear-txt -d "{\\"host\\":\\"$2.\\"}" ;;
esac
`,
  )
  chmodSync(program, 0o700)
  writeFileSync(keyFile, `${hmacKey}\n`)
  const byRecord = ['tls.acme_challenge=dns-01', `tls.acme_dns_program=${program}`]
  const stranger = await authority(...byRecord)
  await failsWith(t, stranger.order('mx.agents.example', newKey(), never), {
    kind: 'externalAccountRequired',
    advice: /tls\.acme_eab_key_id/,
  })
  const bound = [...byRecord, 'tls.acme_eab_key_id=kid-1', `tls.acme_eab_key_file=${keyFile}`]
  const { order } = await authority(...bound)
  t.equal(
    new X509Certificate(await order('mx.agents.example', newKey(), never)).subjectAltName,
    'DNS:mx.agents.example',
  )
  t.equal(
    readFileSync(said, 'utf8'),
    '3 present _acme-challenge.mx.agents.example \n3 cleanup _acme-challenge.mx.agents.example \n',
    'three words, and no environment of ours',
  )
  t.same(warned, [])

  writeFileSync(program, '#!/bin/sh\necho "$1" >> ' + said + '\necho "no such zone" >&2\nexit 3\n')
  // Another name: the authority sometimes takes the proof of the first for as good.
  await failsWith(t, order('other.agents.example', newKey(), never), {
    kind: 'program',
    message: `${program} present _acme-challenge.other.agents.example failed: it exited with 3 (no such zone)`,
  })
  t.match(readFileSync(said, 'utf8'), /present\ncleanup\n$/, 'what may be there is taken back')
})
