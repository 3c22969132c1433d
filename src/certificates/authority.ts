/** The authority of the settings, for renewals. */
import { setTimeout as wait } from 'node:timers/promises'
import { readEabKey, readAcmeCa } from '../config/files.js'
import type { Config } from '../config/schema.js'
import { installedVersion } from '../config/version.js'
import type { Resolver } from '../dns/types.js'
import type { SecretFiles } from '../lib/secret-files.js'
import { messageOf } from '../lib/thrown.js'
import type { Log } from '../observe/log.js'
import { createAccountFile } from './account.js'
import type { OpenChallenges } from './challenges.js'
import type { KeeperDeps } from './renewal.js'
import { orderCertificate } from './order.js'
import { proofInDns, proofOverHttp } from './proofs.js'
import { withTransport } from './transport.js'

export interface AuthorityDeps {
  config: Config
  /** The certificates and the account key, as stored. */
  files: SecretFiles
  challenges: Pick<OpenChallenges, 'open'>
  resolver: Pick<Resolver, 'a' | 'aaaa'>
  log: Pick<Log, 'warn'>
}

/** @throws Error when a file that the settings name can't be used */
export async function createAuthority(deps: AuthorityDeps): Promise<Pick<KeeperDeps, 'directory' | 'order'>> {
  const { config, files, log } = deps
  const { acme: directory, acme_contact: contact, acme_challenge: challenge, acme_dns_program: program } = config.tls
  const [ca, binding] = await Promise.all([readAcmeCa(config), readEabKey(config)])
  const order = {
    directory,
    contact,
    binding,
    account: createAccountFile(files, directory),
    proof: challenge === 'dns-01' ? proofInDns(program) : proofOverHttp(deps.challenges, deps.resolver),
    wait: (ms: number, signal: AbortSignal) => wait(ms, undefined, { signal }).catch(() => signal.throwIfAborted()),
    onLeftover: (err: unknown, name: string) =>
      log.warn({ name, problem: messageOf(err) }, 'the proof of the name could not be removed; this is harmless'),
  }
  const userAgent = `restante/${installedVersion()}`
  return {
    directory,
    async order(name, key, signal) {
      return withTransport({ ca, userAgent, signal }, (transport) =>
        orderCertificate({ ...order, transport }, name, key, signal),
      )
    },
  }
}
