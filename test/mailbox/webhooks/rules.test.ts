/** What is decided without a request: the schedule, secrets and signatures, which URLs are taken, and how many webhooks there may be. */
import { createHmac, createPublicKey, verify } from 'node:crypto'
import { readFileSync } from 'node:fs'
import t from 'tap'
import { DAY } from '../../../src/lib/clock.js'
import { ServiceError } from '../../../src/lib/errors.js'
import { mailboxPartition, webhooksPartition } from '../../../src/mailbox/keys.js'
import { clearPartition, dropMailbox } from '../../../src/mailbox/record.js'
import {
  DISABLED_AFTER_MS,
  nextWebhookWait,
  WEBHOOK_WAITS_MS,
  webhookScheduleWords,
} from '../../../src/mailbox/webhooks/schedule.js'
import { createSecretBox, signatureOf } from '../../../src/mailbox/webhooks/secrets.js'
import { checkWebhookUrl } from '../../../src/mailbox/webhooks/url.js'
import { onEveryEngine, makeWebhook } from '../../webhooks/world.js'

t.test('the waits grow for more than the days after which a webhook is disabled, and docs name them', async (t) => {
  t.equal(nextWebhookWait(1, 0), 5000)
  t.equal(nextWebhookWait(1, -1), 4500)
  t.equal(nextWebhookWait(WEBHOOK_WAITS_MS.length, 0), DAY)
  t.equal(nextWebhookWait(WEBHOOK_WAITS_MS.length + 1, 0), undefined)
  t.same(
    [...WEBHOOK_WAITS_MS].sort((a, b) => a - b),
    WEBHOOK_WAITS_MS,
  )
  t.ok(WEBHOOK_WAITS_MS.reduce((sum, wait) => sum + wait, 0) > DISABLED_AFTER_MS)
  t.equal(webhookScheduleWords(), '5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h')
  t.match(readFileSync('docs/webhooks.md', 'utf8'), webhookScheduleWords())
})

t.test('signatures are those of Standard Webhooks: id, time and body, by HMAC and by Ed25519', async (t) => {
  const box = createSecretBox(Buffer.alloc(32, 1))
  const { text, stored } = box.make('whk_1', 0)
  const opened = box.open('whk_1', stored)
  if (!opened) throw new Error('it cannot be read')
  t.match(text, /^whsec_[A-Za-z0-9+/]{43}=$/)
  t.match(stored.publicKey, /^whpk_[A-Za-z0-9+/]{43}=$/)
  const body = Buffer.from('{"text":"Grüße"}')
  const [v1 = '', v1a = ''] = signatureOf([opened], 'evt_1', 1700000000, body).split(' ')
  const signed = Buffer.concat([Buffer.from('evt_1.1700000000.'), body])
  const key = Buffer.from(text.slice('whsec_'.length), 'base64')
  t.equal(v1, `v1,${createHmac('sha256', key).update(signed).digest('base64')}`)
  const x = Buffer.from(stored.publicKey.slice('whpk_'.length), 'base64').toString('base64url')
  const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  t.match(v1a, /^v1a,/)
  t.equal(verify(null, signed, publicKey, Buffer.from(v1a.slice(4), 'base64')), true)
  t.equal(verify(null, Buffer.from('other'), publicKey, Buffer.from(v1a.slice(4), 'base64')), false)
})

t.test('the example of the specification is signed as it is printed there', async (t) => {
  const hmacKey = Buffer.from('MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'base64')
  const opened = createSecretBox(Buffer.alloc(32, 1))
  const { privateKey } = opened.open('whk_1', opened.make('whk_1', 0).stored) ?? {}
  if (!privateKey) throw new Error('it cannot be read')
  const signature = signatureOf(
    [{ hmacKey, privateKey }],
    'msg_p5jXN8AQM9LWM0D4loKWxJek',
    1614265330,
    Buffer.from('{"test": 2432232314}'),
  )
  t.match(signature, 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE= v1a,')
})

t.test(
  'a stored secret tells nothing, and can be read with the key of the data folder for its webhook only',
  async (t) => {
    const box = createSecretBox(Buffer.alloc(32, 1))
    const { text, stored } = box.make('whk_1', 0)
    const secret = Buffer.from(text.slice('whsec_'.length), 'base64')
    t.notOk(Buffer.from(stored.sealed, 'base64').includes(secret.subarray(0, 8)))
    t.equal(box.open('whk_2', stored), undefined)
    t.equal(createSecretBox(Buffer.alloc(32, 2)).open('whk_1', stored), undefined)
    t.equal(box.open('whk_1', { ...stored, sealed: stored.sealed.slice(4) }), undefined)
    t.same(box.open('whk_1', stored)?.hmacKey, secret)
  },
)

const RULES = { ports: [443, 8443], allowHttp: false, allowPrivateAddresses: false, own: 'mail.example.org:443' }

t.test('a URL leads to a host of the public Internet, by https, to an allowed port', async (t) => {
  for (const url of [
    'https://hooks.example.com/a?b=c',
    'https://hooks.example.com:8443/',
    'https://93.184.216.34/',
    'https://[2606:2800:220:1:248:1893:25c8:1946]/',
    'https://MAIL.example.org:8443/',
  ])
    t.ok(checkWebhookUrl(url, RULES) instanceof URL, url)
  for (const [url, problem] of [
    ['http://hooks.example.com/', /begin with https/],
    ['ftp://hooks.example.com/', /begin with https/],
    ['https://user@hooks.example.com/', /user name/],
    ['https://user:secret@hooks.example.com/', /user name/],
    ['https://hooks.example.com/#there', /fragment/],
    ['https://hooks.example.com:25/', /port 443 or 8443/],
    ['https://mail.example.org/v1/send', /back to this server/],
    ['https://localhost/', /public Internet/],
    ['https://printer/', /public Internet/],
    ['https://db.internal/', /public Internet/],
    ['https://a.localhost./', /public Internet/],
    ['https://127.0.0.1/', /public Internet/],
    ['https://0x7f.1/', /public Internet/],
    ['https://2130706433/', /public Internet/],
    ['https://017700000001/', /public Internet/],
    ['https://10.0.0.1/', /public Internet/],
    ['https://169.254.169.254/latest', /public Internet/],
    ['https://[::1]/', /public Internet/],
    ['https://[::ffff:127.0.0.1]/', /public Internet/],
    ['https://[64:ff9b::7f00:1]/', /public Internet/],
    ['https://[fd00::1]/', /public Internet/],
    ['https://hooks_example/', /must/],
    ['not a url', /must be a URL/],
    ['https://hooks.example.com/\r\nX: y', /must be a URL/],
    [`https://hooks.example.com/${'x'.repeat(2000)}`, /2000 characters/],
    ['', /must be a URL/],
  ] as const) {
    const checked = checkWebhookUrl(url, RULES)
    t.match(typeof checked === 'string' ? checked : `taken: ${checked.href}`, problem, url)
  }
  const inside = { ...RULES, allowHttp: true, allowPrivateAddresses: true, ports: [80] }
  t.ok(checkWebhookUrl('http://127.0.0.1/', inside) instanceof URL)
  t.ok(checkWebhookUrl('http://receiver/', inside) instanceof URL)
})

onEveryEngine('a mailbox has so many webhooks and no more', async (t, world) => {
  for (let n = 0; n < 3; n++) await makeWebhook(world, 'http://127.0.0.1:9/')
  await t.rejects(makeWebhook(world, 'http://127.0.0.1:9/'), { code: 'invalid_request', message: /3 webhooks/ })
  const [first] = await world.webhooks.list(world.mailboxId)
  await world.webhooks.remove(world.mailboxId, first?.id ?? '')
  await makeWebhook(world, 'http://127.0.0.1:9/')
  t.equal((await world.webhooks.list(world.mailboxId)).length, 3)
  await t.rejects(world.webhooks.get('mbx_other', first?.id ?? ''), { code: 'not_found' })
})

onEveryEngine('a creation that nobody was answered gets a new secret when it is repeated', async (t, world) => {
  const wanted = { url: 'http://127.0.0.1:9/', events: null, description: '' }
  const id = 'whk_01K7E8GQ5M1T9Q4Y7RZV3B2XNA'
  const first = await world.webhooks.create(world.mailboxId, wanted, 'key_1', id)
  const again = await world.webhooks.create(world.mailboxId, wanted, 'key_1', id)
  t.not(first.secret, again.secret)
  t.equal((await world.webhooks.list(world.mailboxId)).length, 1)
})

onEveryEngine('a mailbox that is removed meanwhile keeps no webhook', async (t, { store, webhooks, mailboxId }) => {
  const wanted = { url: 'http://127.0.0.1:9/', events: null, description: '' }
  const create = webhooks.create(mailboxId, wanted, 'key_1', 'whk_01K7E8GQ5M1T9Q4Y7RZV3B2XNA').catch(unlessNotFound)
  await store.write(mailboxPartition(mailboxId), dropMailbox)
  await clearPartition(store, webhooksPartition(mailboxId))
  await create
  t.same(await webhooks.list(mailboxId), [])
  await t.rejects(webhooks.create(mailboxId, wanted, 'key_1', 'whk_01K7E8GQ5M1T9Q4Y7RZV3B2XNB'), { code: 'not_found' })
})

function unlessNotFound(error: unknown): void {
  if (!(error instanceof ServiceError && error.code === 'not_found')) throw error
}
