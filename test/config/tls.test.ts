/** Settings for certificates from an authority: each wrong combination is refused, with what to do. */
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { ConfigError } from '../../src/config/errors.js'
import { loadConfig } from '../../src/config/load.js'

const ACME = [
  'tls.acme=https://authority.example/directory',
  'tls.acme_terms_agreed=true',
  'domains.hostname=mx.agents.example',
]

function problems(...set: string[]): string[] {
  try {
    loadConfig({ set })
  } catch (error) {
    if (error instanceof ConfigError) return error.problems.map(({ problem }) => problem)
    throw error
  }
  return []
}

t.test('an authority with consent, over HTTP', async (t) => {
  t.same(problems(...ACME), [])
  t.same(problems(...ACME, 'tls.acme=http://127.0.0.1:14000/dir'), [], 'one on this machine may go without TLS')
  t.same(
    problems(...ACME, 'tls.names=Mail.Agents.Example,imap.agents.example', 'tls.acme_contact=me@agents.example'),
    [],
  )
})

const wrong: [what: string, set: string[], expected: RegExp[]][] = [
  [
    'no consent',
    ['tls.acme=https://authority.example/directory', 'domains.hostname=mx.agents.example'],
    [/^tls\.acme_terms_agreed: has to be true: authority\.example issues nothing without your consent$/],
  ],
  [
    'a directory that anybody in between can forge',
    [...ACME, 'tls.acme=http://authority.example/directory'],
    [/^tls\.acme is "http:.*"; it takes an https address .*loopback/],
  ],
  [
    'settings of an authority that is not named',
    [
      'tls.acme_terms_agreed=true',
      'tls.acme_contact=me@agents.example',
      'tls.names=a.example',
      'tls.acme_eab_key_id=kid',
    ],
    [
      /acme_terms_agreed: has no effect/,
      /acme_contact: has no/,
      /acme_eab_key_id: has no/,
      /^tls\.names: has no effect without tls\.acme/,
    ],
  ],
  [
    'records that nobody publishes',
    [...ACME, 'tls.acme_challenge=dns-01'],
    [/^tls\.acme_dns_program: has to be set for tls\.acme_challenge = "dns-01"/],
  ],
  [
    'a program that nobody runs',
    [...ACME, 'tls.acme_dns_program=/bin/true'],
    [/^tls\.acme_dns_program: has no effect with tls\.acme_challenge = "http-01"/],
  ],
  [
    'a program that is not there',
    [...ACME, 'tls.acme_challenge=dns-01', 'tls.acme_dns_program=/none/program'],
    [/^tls\.acme_dns_program: this program can't be run: ENOENT/],
  ],
  [
    'a program without its folder',
    [...ACME, 'tls.acme_challenge=dns-01', 'tls.acme_dns_program=acme-dns'],
    [/^tls\.acme_dns_program: acme-dns is not a full path/],
  ],
  [
    'a folder as program',
    [...ACME, 'tls.acme_challenge=dns-01', 'tls.acme_dns_program=/usr/bin'],
    [/^tls\.acme_dns_program: \/usr\/bin is not a file/],
  ],
  [
    'a third of an account there is',
    [...ACME, 'tls.acme_eab_key_id=kid'],
    [/^tls\.acme_eab_key_id: .* belong together/],
  ],
  [
    'a challenge that is not offered',
    [...ACME, 'tls.acme_challenge=tls-alpn-01'],
    [/^tls\.acme_challenge is "tls-alpn-01"; it takes one of "http-01", "dns-01"/],
  ],
  ['an address as name', [...ACME, 'tls.names=192.0.2.1'], [/^tls\.names is .*host name such as/]],
  ['an address of IPv6 as name', [...ACME, 'tls.names=2001:db8::1'], [/^tls\.names is .*host name such as/]],
  ['a name with a star', [...ACME, 'tls.names=*.agents.example'], [/^tls\.names is .*host name such as/]],
  ['a name without a domain', [...ACME, 'tls.names=mail'], [/^tls\.names: mail is not a full host name/]],
  ['a name twice', [...ACME, 'tls.names=a.example,A.example'], [/^tls\.names: a\.example is listed twice/]],
  [
    'a host without a domain',
    [...ACME, 'domains.hostname=mail'],
    [/^domains\.hostname: mail is not a full host name, and gets no certificate by tls\.acme/],
  ],
  [
    'a file that is not there',
    [...ACME, 'tls.acme_ca_file=/none/ca.pem'],
    [/^tls\.acme_ca_file: this file can't be read: ENOENT/],
  ],
]
for (const [what, set, expected] of wrong)
  t.test(what, async (t) => {
    const found = problems(...set)
    t.equal(found.length, expected.length, found.join('\n'))
    expected.forEach((words, index) => t.match(found[index], words))
  })

t.test(
  'a program that may not be run',
  { skip: process.getuid?.() === 0 && 'root may run all that anybody may' },
  async (t) => {
    const program = join(t.testdir(), 'program')
    writeFileSync(program, '#!/bin/sh\n')
    chmodSync(program, 0o600)
    t.match(problems(...ACME, 'tls.acme_challenge=dns-01', `tls.acme_dns_program=${program}`), [/can't be run: EACCES/])
  },
)
