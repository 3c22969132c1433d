/**
 * What the checks of one message may ask of the DNS, all together (RFC 7208 §11.1, RFC 6376 §8.4): each method has limits of its own, but a
 * message brings its identities, ten signatures and a chain of seals at once, and a stranger chooses what is looked up for them.
 */
import type { DNSResolver } from 'mailauth'

export interface BudgetLimits {
  /** Look-ups for SPF, DKIM and ARC together; a question that is asked again counts once. */
  maxEvidenceLookups: number
  /** Look-ups for DMARC, set aside: what a message spends on its evidence must not hide the author's policy. */
  maxPolicyLookups: number
  /** From the first look-up to the end of the last one. */
  maxTimeMs: number
}

export interface Budget {
  evidence: DNSResolver
  policy: DNSResolver
  /** Gives the timer back. */
  close(): void
}

/** Past a limit a look-up fails as it does when no server answers: what hangs on it is a temporary error. */
class BudgetError extends Error {
  readonly code = 'ETIMEOUT'
}

export function createBudget(resolver: DNSResolver, limits: BudgetLimits): Budget {
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
    close: () => clearTimeout(timer),
  }
}
