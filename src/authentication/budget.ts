/** The DNS budget of one message for all checks together (RFC 7208 §11.1, RFC 6376 §8.4): strangers choose the names, and how many there are. */
import type { DNSResolver } from 'mailauth'

export interface BudgetLimits {
  /** Max look-ups for SPF, DKIM and ARC together; a repeated query counts once. */
  maxEvidenceLookups: number
  /** Max look-ups for DMARC, reserved: look-ups for evidence must not prevent the author's policy from being read. */
  maxPolicyLookups: number
  /** From the first look-up to the end of the last one. */
  maxTimeMs: number
}

/** Past a limit a look-up fails as if no server responded: what depends on it is a temporary error. */
class BudgetError extends Error {
  readonly code = 'ETIMEOUT'
}

export function createBudget(resolver: DNSResolver, limits: BudgetLimits) {
  const pending = new Set<(error: Error) => void>()
  let timer: NodeJS.Timeout | undefined
  let isOver = false

  const expire = (): void => {
    isOver = true
    for (const reject of pending) reject(new BudgetError('the time for this message is used up'))
    pending.clear()
  }

  function share(maxLookups: number): DNSResolver {
    let left = maxLookups
    const asked = new Map<string, ReturnType<DNSResolver>>()
    return (name, type) => {
      const question = `${type} ${name}`
      const answer = asked.get(question) ?? ask(name, type)
      asked.set(question, answer)
      return answer
    }

    function ask(name: string, type: string): ReturnType<DNSResolver> {
      if (isOver) return Promise.reject(new BudgetError('the time for this message is used up'))
      if (left-- <= 0) return Promise.reject(new BudgetError('the look-ups for this message are used up'))
      timer ??= setTimeout(expire, limits.maxTimeMs)
      return new Promise((resolve, reject) => {
        pending.add(reject)
        resolver(name, type).then(
          (answer) => {
            pending.delete(reject)
            resolve(answer)
          },
          (error: Error) => {
            pending.delete(reject)
            reject(error)
          },
        )
      })
    }
  }

  return {
    evidence: share(limits.maxEvidenceLookups),
    policy: share(limits.maxPolicyLookups),
    close: (): void => clearTimeout(timer),
  }
}
