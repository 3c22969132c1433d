/** Reads and checks one key pair in PEM. */
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createSecureContext } from 'node:tls'
import { messageOf } from '../lib/thrown.js'
import type { HeldCertificate } from './types.js'

/** Prefix of host names in node's text of a subjectAltName; other names have other prefixes. */
const HOST = 'DNS:'

/** @throws Error with the unusable file, and the reason */
export async function readPair(
  keyFile: string,
  certFile: string,
  source: HeldCertificate['source'],
): Promise<HeldCertificate> {
  const [key, cert] = await Promise.all([readFile(keyFile, 'utf8'), readFile(certFile, 'utf8')])
  return { keyFile, certFile, source, ...checkedPair(key, cert, { keyFile, certFile }) }
}

/** Checks that both listeners can use the pair. @param files for the error message @throws Error if not */
export function checkedPair(
  key: string,
  cert: string,
  { keyFile, certFile }: { keyFile: string; certFile: string },
): Pick<HeldCertificate, 'key' | 'cert' | 'names' | 'notBefore' | 'notAfter' | 'issuer'> {
  const leaf = attempt(certFile, 'a certificate in PEM form', () => new X509Certificate(cert))
  const privateKey = attempt(keyFile, 'a private key in PEM form without a passphrase', () => createPrivateKey(key))
  if (!leaf.checkPrivateKey(privateKey)) throw new Error(`${keyFile} is not the key of the certificate in ${certFile}`)
  attempt(certFile, 'usable for TLS', () => createSecureContext({ key, cert }))
  return {
    key,
    cert,
    names: namesOf(leaf),
    notBefore: Date.parse(leaf.validFrom),
    notAfter: Date.parse(leaf.validTo),
    issuer: issuerOf(leaf),
  }
}

function attempt<T>(file: string, what: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw new Error(`${file} is not ${what} (${messageOf(error)})`, { cause: error })
  }
}

function namesOf(leaf: X509Certificate): string[] {
  return (leaf.subjectAltName ?? '')
    .split(', ')
    .filter((entry) => entry.startsWith(HOST))
    .map((entry) => entry.slice(HOST.length).toLowerCase())
}

/** Organisation and name of the authority, such as "Let's Encrypt R11"; the whole issuer if it has neither. */
function issuerOf({ issuer }: X509Certificate): string {
  const field = (name: string): string[] => {
    const line = issuer.split('\n').find((each) => each.startsWith(`${name}=`))
    return line === undefined ? [] : [line.slice(name.length + 1)]
  }
  return [...field('O'), ...field('CN')].join(' ') || issuer.replaceAll('\n', ', ')
}
