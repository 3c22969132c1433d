/** The two ways to prove that a name is ours: an answer over HTTP (RFC 8555 §8.3), or a TXT record that a program of the operator's publishes (§8.4). */
import { execFile } from 'node:child_process'
import type { Resolver } from '../dns/types.js'
import { LookupError } from '../dns/types.js'
import { MINUTE } from '../lib/clock.js'
import { AcmeError } from './errors.js'
import type { OpenChallenges } from './challenges.js'

export interface Proof {
  type: 'http-01' | 'dns-01'
  /** Before the authority is troubled. @throws AcmeError when it could not work */
  check(name: string): Promise<void>
  /**
   * @param answer what the authority wants to find
   * @returns takes it back
   */
  show(challenge: { name: string; token: string; answer: string }, signal: AbortSignal): Promise<() => Promise<void>>
}

export function proofOverHttp(challenges: Pick<OpenChallenges, 'open'>, resolver: Pick<Resolver, 'a' | 'aaaa'>): Proof {
  return {
    type: 'http-01',
    async check(name) {
      const lookups = await Promise.allSettled([resolver.a(name), resolver.aaaa(name)])
      // What is not known now, the authority may know.
      if (
        lookups.every(({ status, ...result }) => status === 'rejected' && 'reason' in result && saysNo(result.reason))
      )
        throw new AcmeError('no_address', `DNS has no address for ${name}`)
    },
    show: async ({ token, answer }) => {
      const close = challenges.open(token, answer)
      return async () => close()
    },
  }
}

function saysNo(error: unknown): boolean {
  return error instanceof LookupError && error.failure !== 'temporary'
}

const PRESENT_MS = 10 * MINUTE
const CLEANUP_MS = MINUTE
const MAX_OUTPUT_BYTES = 64 * 1024

/** @param program full path; run without a shell, and with nothing of our environment but where programs are */
export function proofInDns(program: string): Proof {
  const run = (verb: 'present' | 'cleanup', name: string, value: string, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const options = {
        cwd: '/',
        env: { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', LANG: 'C.UTF-8' },
        timeout: verb === 'present' ? PRESENT_MS : CLEANUP_MS,
        killSignal: 'SIGKILL' as const,
        maxBuffer: MAX_OUTPUT_BYTES,
        ...(signal && { signal }),
      }
      execFile(program, [verb, name, value], options, (error, _said, complaint) => {
        if (error === null) resolve()
        else if (signal?.aborted) reject(error)
        else reject(new AcmeError('program', `${program} ${verb} ${name} failed: ${reasonOf(error, complaint)}`))
      })
    })
  return {
    type: 'dns-01',
    check: async () => undefined,
    async show({ name, answer }, signal) {
      const record = `_acme-challenge.${name}`
      try {
        await run('present', record, answer, signal)
      } catch (error) {
        // Half of it may be there. What went wrong first is what is told.
        const gone = run('cleanup', record, answer).catch(() => undefined)
        if (!signal.aborted) await gone
        throw error
      }
      return () => run('cleanup', record, answer)
    },
  }
}

/** Its own last words, where it said any. */
function reasonOf(error: Error & { code?: unknown; killed?: boolean }, complaint: string): string {
  const last = complaint.trim().split('\n').at(-1) ?? ''
  if (error.killed === true) return 'it took too long, or said too much'
  if (typeof error.code === 'number') return `it ended with ${error.code}${last === '' ? '' : ` (${last})`}`
  return error.message
}
