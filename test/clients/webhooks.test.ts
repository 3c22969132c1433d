/** Both clients check webhooks as Standard Webhooks says, against signatures made here from its text. */
import { createHmac, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { join } from 'node:path'
import t from 'tap'
import { verifyWebhook, type WebhookSecrets } from '#client'
import { peer } from '../support/peers/peers.js'
import { run } from '../support/daemon.js'

const key = randomBytes(32)
const secret = `whsec_${key.toString('base64')}`
const other = `whsec_${randomBytes(32).toString('base64')}`
const body = '{"id":"evt_1","type":"message.received","data":{"subject":"Grüße"}}'
const now = () => Math.floor(Date.now() / 1000)

function headers(at: number, given: string, signatures?: string) {
  const mac = createHmac('sha256', key).update(`evt_1.${at}.${given}`).digest('base64')
  return { 'webhook-id': 'evt_1', 'webhook-timestamp': String(at), 'webhook-signature': signatures ?? `v1,${mac}` }
}

const good = headers(now(), body)
const signature = good['webhook-signature']
const cases: { name: string; ok: boolean; body?: string; headers?: Record<string, string>; secret?: string }[] = [
  { name: 'as it was sent', ok: true },
  { name: 'one of several signatures', ok: true, headers: headers(now(), body, `v1,AAAA v1a,BBBB ${signature}`) },
  { name: 'other body', ok: false, body: body.replace('evt_1', 'evt_2') },
  { name: 'other id', ok: false, headers: { ...good, 'webhook-id': 'evt_2' } },
  { name: 'other secret', ok: false, secret: other },
  { name: 'too old', ok: false, headers: headers(now() - 400, body) },
  { name: 'from the future', ok: false, headers: headers(now() + 400, body) },
  { name: 'no time', ok: false, headers: { ...good, 'webhook-timestamp': 'now' } },
  { name: 'no signature', ok: false, headers: { ...good, 'webhook-signature': '' } },
  { name: 'cut signature', ok: false, headers: { ...good, 'webhook-signature': signature.slice(0, 20) } },
  { name: 'no signature field', ok: false, headers: { 'webhook-id': 'evt_1', 'webhook-timestamp': String(now()) } },
]

t.test('TypeScript', async (t) => {
  for (const each of cases) {
    const check = () => verifyWebhook(each.body ?? body, each.headers ?? good, { secret: each.secret ?? secret })
    if (each.ok) t.match(check(), { data: { subject: 'Grüße' } }, each.name)
    else t.throws(check, { name: 'WebhookError' }, each.name)
  }
  t.match(verifyWebhook(Buffer.from(body), new Headers(good), { secret }), { id: 'evt_1' })
  t.throws(() => verifyWebhook(body, good, { secret: key.toString('base64') }), { name: 'TypeError' })
})

t.test('TypeScript with the public key', async (t) => {
  const pair = generateKeyPairSync('ed25519')
  const raw = pair.publicKey.export({ format: 'der', type: 'spki' }).subarray(-32)
  const publicKey: WebhookSecrets = { publicKey: `whpk_${raw.toString('base64')}` }
  const at = now()
  const made = sign(null, Buffer.from(`evt_1.${at}.${body}`), pair.privateKey).toString('base64')
  t.match(verifyWebhook(body, headers(at, body, `v1a,${made}`), publicKey), { id: 'evt_1' })
  t.throws(() => verifyWebhook(`${body} `, headers(at, body, `v1a,${made}`), publicKey), { name: 'WebhookError' })
  t.throws(() => verifyWebhook(body, good, publicKey), { name: 'WebhookError' }, 'a MAC is no proof for it')
})

const PYTHON = '/usr/bin/python3'

t.test('Python with the public key', peer('python3', PYTHON), async (t) => {
  const pair = generateKeyPairSync('ed25519')
  const raw = pair.publicKey.export({ format: 'der', type: 'spki' }).subarray(-32)
  const other = generateKeyPairSync('ed25519').publicKey.export({ format: 'der', type: 'spki' }).subarray(-32)
  const at = now()
  const made = sign(null, Buffer.from(`evt_1.${at}.${body}`), pair.privateKey)
  const signed = (signature: Buffer) => headers(at, body, `v1,AAAA v1a,${signature.toString('base64')}`)
  // s plus the order of the group verifies without the check of RFC 8032 §5.1.7.
  const order = 2n ** 252n + 27742317777372353535851937790883648493n
  const s = BigInt(`0x${Buffer.from(made.subarray(32)).reverse().toString('hex')}`) + order
  const malleable = Buffer.concat([
    made.subarray(0, 32),
    Buffer.from(s.toString(16).padStart(64, '0'), 'hex').reverse(),
  ])
  const given = [
    { ok: true, key: raw, body, headers: signed(made) },
    { ok: false, key: raw, body: `${body} `, headers: signed(made) },
    { ok: false, key: other, body, headers: signed(made) },
    { ok: false, key: raw, body, headers: good },
    { ok: false, key: raw, body, headers: signed(made.subarray(0, 63)) },
    { ok: false, key: raw, body, headers: signed(malleable) },
    { ok: false, key: Buffer.alloc(32, 255), body, headers: signed(made) },
  ].map((each) => ({ ...each, key: `whpk_${each.key.toString('base64')}` }))
  const program = `
import json, sys
from restante import WebhookError, verify_webhook
for case in json.load(sys.stdin):
    try:
        print(verify_webhook(case["body"], case["headers"], public_key=case["key"])["id"])
    except WebhookError:
        print("refused")
`
  const { stdout, stderr } = await inPython(program, JSON.stringify(given))
  t.equal(stderr, '')
  t.same(
    stdout.trim().split('\n'),
    given.map(({ ok }) => (ok ? 'evt_1' : 'refused')),
  )
})

function inPython(program: string, input: string) {
  const path = join(process.cwd(), 'clients/python')
  const code = `import sys; sys.path.insert(0, ${JSON.stringify(path)}); sys.dont_write_bytecode = True${program}`
  return run(PYTHON, ['-X', 'utf8', '-c', code], input)
}

t.test('Python', peer('python3', PYTHON), async (t) => {
  const program = `
import json, sys
from restante import WebhookError, verify_webhook
for case in json.load(sys.stdin):
    try:
        event = verify_webhook(case["body"].encode(), case["headers"], case["secret"])
        print(event["data"]["subject"])
    except WebhookError:
        print("refused")
`
  const given = cases.map((each) => ({ body, headers: good, secret, ...each }))
  const { stdout, stderr } = await inPython(program, JSON.stringify(given))
  t.equal(stderr, '')
  t.same(
    stdout.trim().split('\n'),
    cases.map(({ ok }) => (ok ? 'Grüße' : 'refused')),
  )
})
