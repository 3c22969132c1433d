/** Certificates made by openssl when a test needs them: an authority of its own, and servers' certificates that are good, expired or for another name. */
import { execFileSync } from 'node:child_process'
import { createHash, X509Certificate } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { peer } from './peers.js'

const OPENSSL = '/usr/bin/openssl'

export const opensslPeer = (): { skip: string | false } => peer('openssl', OPENSSL)

export interface Certificate {
  key: string
  /** With what vouches for it behind it. */
  cert: string
  keyFile: string
  certFile: string
}

export interface Authority {
  /** PEM. */
  ca: string
  /** SHA-256 of its certificate, as a TLSA record `2 0 1` has it. */
  sha256: Buffer
  /** @param dates first and last moment, as openssl takes them; a day from now when not given */
  issue(names: string[], dates?: { from: string; to: string }): Certificate
}

/** @param dir a folder of the test */
export function createAuthority(dir: string): Authority {
  let count = 0
  const openssl = (...args: string[]): void => void execFileSync(OPENSSL, args, { stdio: 'ignore' })
  const file = (name: string): string => join(dir, name)
  const newKey = ['-nodes', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1']
  openssl(
    'req',
    '-x509',
    ...newKey,
    '-days',
    '10',
    '-subj',
    '/CN=Test CA',
    '-keyout',
    file('ca.key'),
    '-out',
    file('ca.pem'),
  )
  const ca = readFileSync(file('ca.pem'), 'utf8')
  writeFileSync(file('index.txt'), '')
  writeFileSync(
    file('ca.conf'),
    `[ca]\ndefault_ca = own\n[own]\ndatabase = ${file('index.txt')}\nnew_certs_dir = ${dir}\nrand_serial = yes\ndefault_md = sha256\npolicy = any\nunique_subject = no\ncopy_extensions = copy\nx509_extensions = leaf\n[any]\ncommonName = supplied\n[leaf]\nbasicConstraints = CA:false\n`,
  )
  return {
    ca,
    sha256: createHash('sha256').update(new X509Certificate(ca).raw).digest(),
    issue(names, dates) {
      const base = file(`server-${++count}`)
      const alternatives = `subjectAltName=${names.map((name) => `DNS:${name}`).join(',')}`
      openssl(
        'req',
        '-new',
        ...newKey,
        '-subj',
        `/CN=${names[0] ?? ''}`,
        '-addext',
        alternatives,
        '-keyout',
        `${base}.key`,
        '-out',
        `${base}.csr`,
      )
      const when = dates ? ['-startdate', dates.from, '-enddate', dates.to] : ['-days', '5']
      const by = ['-config', file('ca.conf'), '-cert', file('ca.pem'), '-keyfile', file('ca.key')]
      openssl('ca', '-batch', '-notext', ...by, ...when, '-in', `${base}.csr`, '-out', `${base}.pem`)
      const cert = readFileSync(`${base}.pem`, 'utf8') + ca
      writeFileSync(`${base}.pem`, cert)
      return { key: readFileSync(`${base}.key`, 'utf8'), cert, keyFile: `${base}.key`, certFile: `${base}.pem` }
    },
  }
}

export const EXPIRED = { from: '20200101000000Z', to: '20200201000000Z' }
