/** One key pair in PEM: read, held against each other, and told apart. */
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createSecureContext } from 'node:tls'
import { messageOf } from '../lib/thrown.js'
import type { HeldCertificate } from './types.js'

/** What stands in front of each name in node's text of a subjectAltName; what is no host name has another word there. */
const HOST = 'DNS:'

/** @throws Error that says which file is unusable, and why */
export async function readPair(
  keyFile: string,
  certFile: string,
  source: HeldCertificate['source'],
): Promise<HeldCertificate> {
  const [key, cert] = await Promise.all([readFile(keyFile, 'utf8'), readFile(certFile, 'utf8')])
  return { keyFile, certFile, source, ...checkedPair(key, cert, { keyFile, certFile }) }
}

/**
 * A pair that both listeners can show.
 *
 * @param files for the error's words
 * @throws Error when it is none
 */
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

/** The organisation and the name of the authority, such as "Let's Encrypt R11"; all that is there when it has neither. */
function issuerOf({ issuer }: X509Certificate): string {
  const field = (name: string): string[] => {
    const line = issuer.split('\n').find((each) => each.startsWith(`${name}=`))
    return line === undefined ? [] : [line.slice(name.length + 1)]
  }
  return [...field('O'), ...field('CN')].join(' ') || issuer.replaceAll('\n', ', ')
}
