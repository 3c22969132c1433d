/** Settings for mail programs as they ask for them over HTTP: what each format says, to whom, and what a stranger can do with it. */
import { execFileSync } from 'node:child_process'
import t, { type Test } from 'tap'
import { loadConfig } from '../../src/config/load.js'
import { settingsAt } from '../../src/publish/program-check.js'
import { programRecords } from '../../src/publish/program-records.js'
import { programServices, type ProgramService } from '../../src/publish/programs/services.js'
import { startApi } from '../api/support/api-server.js'
import { ask } from '../http/client.js'
import { startDaemon } from '../support/daemon.js'
import { createAuthority, opensslPeer } from '../support/peers/certificates.js'
import { peer, programPath } from '../support/peers/peers.js'
import { freePort } from '../support/ports.js'

const HOST = 'mail.agents.test'
const SERVICES: ProgramService[] = [
  { protocol: 'imap', host: HOST, port: 993, security: 'tls' },
  { protocol: 'imap', host: HOST, port: 143, security: 'starttls' },
  { protocol: 'smtp', host: HOST, port: 465, security: 'tls' },
  { protocol: 'smtp', host: HOST, port: 587, security: 'starttls' },
]
const OURS = ['agents.example', 'agents.test', 'custom.test']
const REQUEST_SCHEMA = 'http://schemas.microsoft.com/exchange/autodiscover/outlook/requestschema/2006'
const RESPONSE_SCHEMA = 'http://schemas.microsoft.com/exchange/autodiscover/outlook/responseschema/2006a'

const xmllint = peer('xmllint', programPath('xmllint') ?? '/usr/bin/xmllint')

async function setUp(t: Test, services = SERVICES) {
  const api = await startApi(t, {
    baseUrl: 'https://mx.agents.test',
    programSettings: { services, isOurs: (domain) => OURS.includes(domain) },
  })
  const get = (path: string, host = 'mx.agents.test') => api.call('GET', path, { key: null, headers: { Host: host } })
  const post = (body: string | Buffer, path = '/autodiscover/autodiscover.xml', host = 'autodiscover.agents.test') =>
    api.call('POST', path, { key: null, headers: { Host: host, 'Content-Type': 'text/xml' }, body })
  return { api, get, post }
}

/** Values of an XPath expression, by a real parser that takes no document type from the network. */
function xpath(document: string, expression: string): string[] {
  const text = execFileSync('xmllint', ['--nonet', '--xpath', expression, '-'], { input: document }).toString()
  return text.trim().split('\n')
}

const asked = (address: string, schema = RESPONSE_SCHEMA): string =>
  `<?xml version="1.0" encoding="utf-8"?>
<Autodiscover xmlns="${REQUEST_SCHEMA}">
  <Request>
    <EMailAddress>${address}</EMailAddress>
    <AcceptableResponseSchema>${schema}</AcceptableResponseSchema>
  </Request>
</Autodiscover>`

t.test('autoconfig names every port, best first, under each name that programs ask', xmllint, async (t) => {
  const { get } = await setUp(t)
  const answer = await get('/mail/config-v1.1.xml?emailaddress=ada@agents.test', 'autoconfig.agents.test')
  t.equal(answer.status, 200)
  t.equal(answer.headers['content-type'], 'text/xml; charset=utf-8')
  t.match(answer.headers['cache-control'], /^public, max-age=/)
  const has = (expression: string) => xpath(answer.text, expression)
  t.same(has('string(/clientConfig/@version)'), ['1.1'])
  t.same(has('string(/clientConfig/emailProvider/@id)'), ['agents.test'])
  t.same(has('//emailProvider/domain/text()'), ['agents.test'])
  t.same(has('//emailProvider/displayName/text()'), ['Agents Mail'])
  t.same(has('//incomingServer[@type="imap"]/hostname/text()'), [HOST, HOST])
  t.same(has('//incomingServer/port/text()'), ['993', '143'])
  t.same(has('//incomingServer/socketType/text()'), ['SSL', 'STARTTLS'])
  t.same(has('//outgoingServer[@type="smtp"]/port/text()'), ['465', '587'])
  t.same(has('//outgoingServer/socketType/text()'), ['SSL', 'STARTTLS'])
  t.same(new Set(has('//username/text()')), new Set(['%EMAILADDRESS%']))
  t.same(new Set(has('//authentication/text()')), new Set(['password-cleartext']))
  for (const path of ['/mail/config-v1.1.xml', '/.well-known/autoconfig/mail/config-v1.1.xml'])
    for (const host of ['autoconfig.agents.test', 'Autoconfig.Agents.test:443', 'agents.test', 'mx.agents.test'])
      t.equal((await get(`${path}?emailaddress=ada@agents.test`, host)).text, answer.text, `${host}${path}`)
})

t.test('without an address it is for the domain of the host name, and else for the first one', async (t) => {
  const { get } = await setUp(t)
  const idOf = async (host: string) =>
    /emailProvider id="([^"]*)"/.exec((await get('/mail/config-v1.1.xml', host)).text)?.[1]
  t.equal(await idOf('autoconfig.agents.test'), 'agents.test')
  t.equal(await idOf('autodiscover.custom.test'), 'custom.test')
  t.equal(await idOf('custom.test'), 'custom.test')
  t.equal(await idOf('mx.agents.test'), 'agents.example')
})

t.test('a custom domain is found under the name of the server, where its MX leads', async (t) => {
  const { get } = await setUp(t)
  const { text } = await get('/mail/config-v1.1.xml?emailaddress=ada@custom.test', 'autoconfig.agents.test')
  t.match(text, 'emailProvider id="custom.test"')
})

t.test('nothing tells whether an address exists, and another domain has no settings', async (t) => {
  const { get, post } = await setUp(t)
  const config = async (address: string) => {
    const { status, text } = await get(`/mail/config-v1.1.xml?emailaddress=${encodeURIComponent(address)}`)
    return `${status} ${text}`
  }
  const one = await config('ada@agents.test')
  for (const address of ['nobody@agents.test', 'a+b@AGENTS.test', '@agents.test', `${'x'.repeat(500)}@agents.test`])
    t.equal(await config(address), one, address)
  for (const address of ['ada@other.test', 'ada', 'ada@', 'ada@agents.test.other.test', 'ada@xagents.test', '\0@\0'])
    t.match(await config(address), /^404 /, address)
  t.equal((await get('/mail/config-v1.1.xml', 'autoconfig.other.test')).status, 404)
  t.equal((await get('/mail/config-v1.1.xml', 'autoconfig.')).status, 200, 'that is no name of a domain')
  t.match(await post(asked('ada@other.test')), { status: 404, json: { error: { code: 'not_found' } } })
  const answer = async (name: string) => (await post(asked(`${name}@agents.test`))).text.replaceAll(name, 'NAME')
  t.equal(await answer('ada'), await answer('nobody'))
})

t.test('only what is offered is listed; where nothing is, there are no settings', async (t) => {
  const sends = await setUp(t, SERVICES.slice(2, 3))
  const { text } = await sends.get('/mail/config-v1.1.xml')
  t.match(text, '<port>465</port>')
  t.notMatch(text, /incomingServer|587/)
  t.match((await sends.post(asked('ada@agents.test'))).text, /<Type>SMTP<\/Type>[^]*<Port>465</)
  const profile = '/mail/profile.mobileconfig?emailaddress=ada@agents.test'
  t.equal((await sends.get(profile)).status, 404, 'a profile has a server for reading')
  const nothing = await setUp(t, [])
  for (const path of [
    '/mail/config-v1.1.xml',
    '/.well-known/autoconfig/mail/config-v1.1.xml',
    '/autodiscover/autodiscover.json?Email=ada@agents.test&Protocol=AutodiscoverV1',
    profile,
  ])
    t.equal((await nothing.get(path)).status, 404, path)
  t.equal((await nothing.post(asked('ada@agents.test'))).status, 404)
})

t.test('autodiscover answers Outlook with IMAP and SMTP', xmllint, async (t) => {
  const { post } = await setUp(t)
  for (const path of [
    '/autodiscover/autodiscover.xml',
    '/Autodiscover/Autodiscover.xml',
    '/AutoDiscover/AutoDiscover.xml',
  ]) {
    const answer = await post(asked("o'ada&amp;b@Agents.TEST"), path)
    t.equal(answer.status, 200, path)
    t.equal(answer.headers['content-type'], 'text/xml; charset=utf-8')
    const at = (name: string) => xpath(answer.text, `//*[local-name()="Protocol"]/*[local-name()="${name}"]/text()`)
    t.same(xpath(answer.text, `namespace-uri(//*[local-name()="Account"])`), [RESPONSE_SCHEMA])
    t.same(xpath(answer.text, 'string(//*[local-name()="AccountType"])'), ['email'])
    t.same(xpath(answer.text, 'string(//*[local-name()="Action"])'), ['settings'])
    t.same(at('Type'), ['IMAP', 'IMAP', 'SMTP', 'SMTP'])
    t.same(at('Port'), ['993', '143', '465', '587'])
    t.same(at('Encryption'), ['SSL', 'TLS', 'SSL', 'TLS'])
    t.same(new Set(at('Server')), new Set([HOST]))
    t.same(xpath(answer.text, 'string(//*[local-name()="LoginName"])'), ["o'ada&b@Agents.TEST"])
  }
})

t.test('another schema, as phones with ActiveSync want it, is refused in the words of Exchange', xmllint, async (t) => {
  const { post } = await setUp(t)
  const schema = 'http://schemas.microsoft.com/exchange/autodiscover/mobilesync/responseschema/2006'
  const { status, text } = await post(asked('ada@agents.test', schema))
  t.equal(status, 200)
  t.same(xpath(text, 'string(//*[local-name()="Error"]/*[local-name()="ErrorCode"])'), ['601'])
})

t.test('hostile requests of autodiscover are refused at once', async (t) => {
  const { post } = await setUp(t)
  const good = asked('ada@agents.test')
  const deep = `${'<a>'.repeat(500)}${'</a>'.repeat(500)}`
  const hostile: Record<string, string | Buffer> = {
    nothing: '',
    'not XML': 'ada@agents.test',
    'a document type': good.replace('?>', '?><!DOCTYPE x SYSTEM "http://127.0.0.1/x.dtd">'),
    'an entity of its own': good.replace('?>', '?><!DOCTYPE x [<!ENTITY e "ada">]>').replace('ada@', '&e;@'),
    'an unknown entity': good.replace('ada@', '&e;@'),
    'a character by number': good.replace('ada@', '&#97;@'),
    'a bare ampersand': good.replace('ada@', 'a&da@'),
    CDATA: good.replace('ada@agents.test', '<![CDATA[ada@agents.test]]>'),
    'a comment': good.replace('ada@', '<!-- x -->ada@'),
    'an instruction': good.replace('<Request>', '<?php x ?><Request>'),
    'deep nesting': good.replace('<Request>', `${deep}<Request>`),
    NUL: good.replace('ada@', 'a\0da@'),
    'a control character': good.replace('ada@', 'a\u0001da@'),
    'UTF-16': Buffer.from(`\uFEFF${good}`, 'utf16le'),
    'broken UTF-8': Buffer.concat([Buffer.from(good), Buffer.from([0xff])]),
    'no end': good.replace('</Autodiscover>', ''),
    'crossed tags': good.replace('</Request>\n</Autodiscover>', '</Autodiscover></Request>'),
    'two roots': `${good}${good.slice(good.indexOf('<Autodiscover'))}`,
    'a second root': `${good}<x/>`,
    'two addresses': good.replace('</EMailAddress>', '</EMailAddress><EMailAddress>b@agents.test</EMailAddress>'),
    'no address': good.replace(/<EMailAddress>.*<\/EMailAddress>/, ''),
    'another root': good.replaceAll('Autodiscover', 'Autodiscovery'),
    'blanks for an attribute': `<Autodiscover ${' '.repeat(8000)}`,
    'open attributes': `<Autodiscover ${'a="'.repeat(2500)}`,
  }
  for (const [what, body] of Object.entries(hostile)) {
    const before = performance.now()
    const answer = await post(body)
    t.match(answer, { status: 400, json: { error: { code: 'invalid_request' } } }, what)
    t.ok(performance.now() - before < 1000, `${what} takes no time`)
  }
  t.match(await post('x'.repeat(10_000_000)), { status: 413, json: { error: { code: 'payload_too_large' } } })
  t.equal((await post(good)).status, 200, 'and then a good one is answered')
})

t.test('the second version of autodiscover leads to the first, and has nothing of Exchange', async (t) => {
  const { get } = await setUp(t)
  const json = async (query: string, path = '/autodiscover/autodiscover.json') => {
    const { status, json: body, headers } = await get(`${path}${query}`, 'autodiscover.agents.test')
    t.match(headers['content-type'], 'application/json')
    return [status, body]
  }
  const first = { Protocol: 'AutodiscoverV1', Url: 'https://mx.agents.test/autodiscover/autodiscover.xml' }
  t.same(await json('?Email=ada@agents.test&Protocol=AutodiscoverV1'), [200, first])
  t.same(await json('?email=ada%40agents.test&protocol=autodiscoverv1&RedirectCount=1'), [200, first])
  t.same(await json('/v1.0/ada%40agents.test?Protocol=AutodiscoverV1'), [200, first])
  for (const protocol of ['ActiveSync', 'Ews', 'Rest', '%00'])
    t.match(await json(`?Email=ada@agents.test&Protocol=${protocol}`), [400, { ErrorCode: 'ProtocolNotSupported' }])
  t.match(await json('?Email=ada@agents.test'), [400, { ErrorCode: 'MandatoryParameterMissing' }])
  t.match(await json('?Protocol=AutodiscoverV1'), [400, { ErrorCode: 'InvalidUserId' }])
  t.match(await json('?Email=ada@other.test&Protocol=AutodiscoverV1'), [404, { ErrorCode: 'UserNotFound' }])
})

t.test('the profile for Apple’s devices has what their Mail needs, and no password', async (t) => {
  const { get } = await setUp(t)
  const path = '/mail/profile.mobileconfig?emailaddress='
  const answer = await get(`${path}o'ada%26b@agents.test`)
  t.equal(answer.status, 200)
  t.equal(answer.headers['content-type'], 'application/x-apple-aspen-config')
  t.match(answer.headers['content-disposition'], /^attachment; filename="[\w.]+\.mobileconfig"$/)
  const profile = plist(answer.text)
  t.match(profile, {
    PayloadType: 'Configuration',
    PayloadVersion: 1,
    PayloadContent: [
      {
        PayloadType: 'com.apple.mail.managed',
        EmailAccountType: 'EmailTypeIMAP',
        EmailAddress: "o'ada&b@agents.test",
        IncomingMailServerHostName: HOST,
        IncomingMailServerPortNumber: 993,
        IncomingMailServerUseSSL: true,
        IncomingMailServerUsername: "o'ada&b@agents.test",
        IncomingMailServerAuthentication: 'EmailAuthPassword',
        OutgoingMailServerHostName: HOST,
        OutgoingMailServerPortNumber: 465,
        OutgoingMailServerUseSSL: true,
        OutgoingPasswordSameAsIncomingPassword: true,
      },
    ],
  })
  t.notMatch(answer.text, /<key>IncomingPassword/)
  const ids = answer.text.match(/[0-9A-F]{8}(?:-[0-9A-F]{4}){3}-[0-9A-F]{12}/g)
  t.equal(new Set(ids).size, 2, 'each payload has an id of its own')
  t.equal((await get(`${path}o'ada%26b@agents.test`)).text, answer.text, 'which stays')
  t.equal((await get(`${path}ada@other.test`)).status, 404)
  t.equal((await get('/mail/profile.mobileconfig')).status, 400)
})

t.test('a daemon tells programs the ports at which it listens', opensslPeer(), async (t) => {
  const { keyFile, certFile } = createAuthority(t.testdir({})).issue([HOST])
  const [imap, submission] = [await freePort(), await freePort()]
  const daemon = await startDaemon({
    ...{ 'domains.hostname': HOST, 'smtp.tls_key': keyFile, 'smtp.tls_cert': certFile },
    ...{ 'imap.listen_tls': `127.0.0.1:${imap}`, 'submission.listen': `127.0.0.1:${submission}` },
  })
  t.teardown(() => daemon.remove())
  const port = Number(new URL(daemon.url).port)
  const { status, text } = await ask(port, '/mail/config-v1.1.xml?emailaddress=nobody@agents.test')
  t.equal(status, 200)
  t.match(
    text,
    new RegExp(
      `<incomingServer[^]*<hostname>${HOST}<[^]*<port>${imap}<[^]*SSL[^]*<outgoingServer[^]*<port>${submission}<[^]*STARTTLS`,
    ),
  )
  t.equal((await ask(port, '/mail/config-v1.1.xml?emailaddress=nobody@elsewhere.test')).status, 404)
  const refused = await ask(port, '/autodiscover/autodiscover.xml', { method: 'POST', body: '<!DOCTYPE x>' })
  t.equal(refused.status, 400)
})

t.test('what is served is what "restante dns --check" looks for', async (t) => {
  const config = loadConfig({
    set: [
      ...['domains.names=agents.test', 'domains.hostname=mx.agents.test', 'server.base_url=https://mx.agents.test'],
      ...['server.name=Agents Mail', 'imap.listen_tls=[::]:993', 'submission.listen=[::]:587'],
      ...['tls.acme=https://ca.example/dir', 'tls.acme_terms_agreed=true'],
    ],
  })
  const { get } = await setUp(t, programServices(config))
  const hosts = programRecords(config, 'agents.test').filter(({ kind }) => kind === 'settings-host')
  t.same(
    hosts.map(({ name }) => name),
    ['autoconfig.agents.test', 'autodiscover.agents.test'],
  )
  for (const record of hosts) {
    const { url, isRight } = await settingsAt(config, record)
    t.equal(url.hostname, record.name)
    const { text } = await get(`${url.pathname}${url.search}`, url.hostname)
    t.ok(isRight(text), record.name)
    t.notOk(isRight(text.replace('mx.agents.test', 'mx2.agents.test')), 'another is told')
  }
})

t.test('one who asks too often is told to wait', async (t) => {
  const api = await startApi(t, {
    programSettings: { services: SERVICES, isOurs: () => true },
    limits: { requestsPerMinute: 3 },
  })
  const statuses: number[] = []
  for (let i = 0; i < 5; i++) statuses.push((await api.call('GET', '/mail/config-v1.1.xml', { key: null })).status)
  t.same(statuses, [200, 200, 200, 429, 429])
})

/** As Python reads it, which knows the format. */
function plist(text: string): unknown {
  const program = 'import json, plistlib, sys; print(json.dumps(plistlib.loads(sys.stdin.buffer.read())))'
  return JSON.parse(execFileSync('python3', ['-c', program], { input: text }).toString())
}
