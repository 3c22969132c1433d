/** The listeners of the web and their certificates: what fits together, and the words for what does not. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { namesByAcme } from '../../src/certificates/names.js'
import { listeners, webOrigins } from '../../src/config/derived.js'
import { ConfigError } from '../../src/config/errors.js'
import { loadConfig } from '../../src/config/load.js'
import { createAuthority, EXPIRED, opensslPeer } from '../support/peers/certificates.js'

const BASE = ['domains.names=agents.example', 'domains.hostname=mx.agents.example', 'smtp.mta_sts=testing']
const HTTPS = [...BASE, 'server.https=0.0.0.0:443']
const ACME = ['tls.acme=https://acme.example/directory', 'tls.acme_terms_agreed=true']

function problems(set: string[]): string[] {
  try {
    loadConfig({ set })
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.problems.map(({ problem }) => problem)
    throw error
  }
}

t.test(
  'HTTPS with ACME takes two lines: its address is that of the host, and all names get certificates',
  async (t) => {
    const config = loadConfig({ set: [...HTTPS, ...ACME, 'server.redirect=0.0.0.0:80'] })
    t.equal(config.server.base_url, 'https://mx.agents.example')
    t.same(namesByAcme(config), ['mx.agents.example', 'mta-sts.agents.example'])
    t.same(
      [...webOrigins(config)],
      [
        ['mx.agents.example', 'https://mx.agents.example'],
        ['mta-sts.agents.example', 'https://mta-sts.agents.example'],
      ],
    )
    t.same(
      listeners(config).map(({ setting }) => setting),
      ['server.http', 'server.https', 'server.redirect', 'server.admin', 'smtp.listen'],
    )
    const other = loadConfig({
      set: [...HTTPS, ...ACME, 'server.base_url=https://api.example:8443', 'smtp.mta_sts=off'],
    })
    t.same(namesByAcme(other), ['mx.agents.example', 'api.example'])
    t.equal(webOrigins(other).get('mx.agents.example'), 'https://mx.agents.example:8443')
    const odd = loadConfig({ set: [...BASE, ...ACME, 'server.https=0.0.0.0:8443'] })
    t.equal(odd.server.base_url, 'https://mx.agents.example:8443')
    t.same(namesByAcme(loadConfig({ set: [...BASE, ...ACME] })), ['mx.agents.example'], 'without HTTPS only mail')
  },
)

t.test('listeners of which one has no use are refused', async (t) => {
  t.same(problems(HTTPS), ['server.https: has no certificate. Set tls.acme, or server.tls_cert and server.tls_key'])
  t.same(problems([...HTTPS, ...ACME, 'server.base_url=http://mx.agents.example']), [
    'server.base_url: http://mx.agents.example does not lead to server.https. Set the https address of this server',
  ])
  t.same(problems([...HTTPS, ...ACME, 'server.base_url=https://192.0.2.1']), [
    'server.base_url: 192.0.2.1 is not a full host name, and gets no certificate by tls.acme',
  ])
  t.same(problems([...BASE, 'server.redirect=0.0.0.0:80']), [
    'server.redirect: redirects to server.base_url, and http://127.0.0.1:8080 has no TLS. Set the https address there',
  ])
})

t.test('no two listeners have one port', async (t) => {
  const taken = (...set: string[]): string[] => problems([...BASE, ...ACME, ...set])
  t.same(taken('server.https=0.0.0.0:8081'), [
    'server.admin: 127.0.0.1:8081 is also taken by server.https (0.0.0.0:8081). Give each its own port',
  ])
  t.same(taken('server.https=0.0.0.0:443', 'server.redirect=[::]:443'), [
    'server.redirect: [::]:443 is also taken by server.https (0.0.0.0:443). Give each its own port',
  ])
  t.same(taken('server.https=[::]:443,0.0.0.0:443'), [
    'server.https: 0.0.0.0:443 is also taken by server.https ([::]:443). Remove one: [::]:443 takes both',
  ])
})

t.test(
  "a certificate of one's own is for the name that it is shown for, and has its key",
  opensslPeer(),
  async (t: Test) => {
    const dir = t.testdir()
    const authority = createAuthority(dir)
    const [web, mail, other] = [
      authority.issue(['api.example', '*.wild.example']),
      authority.issue(['mx.agents.example']),
      authority.issue(['mx.agents.example']),
    ]
    const withWeb = (pair: typeof web, ...set: string[]): string[] =>
      problems([
        ...HTTPS,
        'server.base_url=https://api.example',
        `server.tls_cert=${pair.certFile}`,
        `server.tls_key=${pair.keyFile}`,
        ...set,
      ])
    t.same(withWeb(web), [])
    t.same(withWeb(web, 'server.base_url=https://a.wild.example'), [])
    t.same(withWeb(mail), [
      `server.tls_cert: ${mail.certFile} is for DNS:mx.agents.example, and not for api.example (server.base_url). Set a certificate for that name`,
    ])
    t.same(withWeb({ ...web, keyFile: mail.keyFile }), [
      `server.tls_key: ${mail.keyFile} is not the key of the certificate in server.tls_cert (${web.certFile}). Set a key and a certificate that match`,
    ])
    t.match(withWeb(web, `server.tls_key=${join(dir, 'none.pem')}`), [
      /^server\.tls_key: this file can't be read: ENOENT/,
    ])
    t.same(withWeb(web, 'server.tls_key='), ['server.tls_cert: server.tls_key has to be set too'])
    const smtp = [`smtp.tls_cert=${mail.certFile}`, `smtp.tls_key=${mail.keyFile}`]
    t.same(problems([...HTTPS, ...smtp]), [], 'that of mail will do for its name')
    t.same(problems([...HTTPS, ...smtp, 'server.base_url=https://api.example']), [
      'server.https: no certificate is for api.example (server.base_url): that of smtp.tls_cert is for DNS:mx.agents.example. Set server.tls_cert and server.tls_key, or tls.acme',
    ])
    const ended = authority.issue(['api.example'], EXPIRED)
    t.same(withWeb(ended), [], 'mail goes on with one that has expired')
    writeFileSync(other.certFile, 'nonsense')
    t.match(withWeb(other), [/^server\.tls_cert: .* is not a certificate in PEM form/])
  },
)
