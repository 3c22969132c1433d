/** The two challenges: a response over HTTP (RFC 8555 §8.3), or a TXT record published by a program of the operator (§8.4). */
import { execFile } from 'node:child_process'
import { type Resolver, LookupError } from '../dns/types.js'
import { MINUTE } from '../lib/clock.js'
import { AcmeError } from './errors.js'
import type { OpenChallenges } from './challenges.js'

export interface Proof {
  type: 'http-01' | 'dns-01'
  /** Checks before the order. @throws AcmeError if it cannot work */
  check(name: string): Promise<void>
  /** @param answer expected by the authority @returns a function that removes it */
  show(challenge: { name: string; token: string; answer: string }, signal: AbortSignal): Promise<() => Promise<void>>
}

export function proofOverHttp(challenges: Pick<OpenChallenges, 'open'>, resolver: Pick<Resolver, 'a' | 'aaaa'>): Proof {
  return {
    type: 'http-01',
    async check(name) {
      const lookups = await Promise.allSettled([resolver.a(name), resolver.aaaa(name)])
      // The authority may get an answer that we do not get now.
      if (
        lookups.every(({ status, ...result }) => status === 'rejected' && 'reason' in result && saysNo(result.reason))
      )
        throw new AcmeError('no_address', `DNS has no address for ${name}`)
    },
    show: ({ token, answer }) => challenges.open(token, answer),
  }
}

function saysNo(error: unknown): boolean {
  return error instanceof LookupError && error.failure !== 'temporary'
}

const PRESENT_MS = 10 * MINUTE
const CLEANUP_MS = MINUTE
const MAX_OUTPUT_BYTES = 64 * 1024

/** @param program full path; run without a shell, and with only PATH of our environment */
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
        // Half of it may be published. The first error is reported.
        const gone = run('cleanup', record, answer).catch(() => undefined)
        if (!signal.aborted) await gone
        throw error
      }
      return () => run('cleanup', record, answer)
    },
  }
}

/** Reason of a failure, with the last line of its output. */
function reasonOf(error: Error & { code?: unknown; killed?: boolean }, complaint: string): string {
  const last = complaint.trim().split('\n').at(-1) ?? ''
  if (error.killed === true) return 'it took too long, or printed too much'
  if (typeof error.code === 'number') return `it exited with ${error.code}${last === '' ? '' : ` (${last})`}`
  return error.message
}
