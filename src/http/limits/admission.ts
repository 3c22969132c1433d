/** Admission: authentication, authorization and rate limits, all before a body is read from the network. */
import type { Accounts, Caller, Scope } from '../../accounts/types.js'
import { ServiceError } from '../../lib/errors.js'
import { clientNetwork } from '../../lib/ip.js'
import { attempt, type Maybe } from '../../lib/maybe.js'
import type { AtWork } from './concurrency.js'
import { authenticate, bearerOf, permit, requireAudience, type Auth } from './authorize.js'
import type { Holds } from './long-polls.js'
import type { RateLimits, RateState } from './limits.js'
import type { HttpRequest } from '../message.js'

export interface AdmissionDeps {
  accounts: Pick<Accounts, 'authenticate'>
  /** Undefined: no limits. */
  rates: RateLimits | undefined
  /** Undefined: no limit. */
  atWork?: AtWork | undefined
  holds?: Pick<Holds, 'heldBy'> | undefined
}

interface AdmissionRules {
  auth: Auth
  /** Resources of accepted OAuth tokens. */
  audiences: readonly string[]
  scopes: readonly Scope[]
  rateLimited: boolean
}

type Report = (state: RateState) => void

export function createAdmission({ accounts, rates, atWork, holds }: AdmissionDeps) {
  /** Counts a request to an unknown path. */
  function countUnknown(request: HttpRequest, report: Report): void {
    if (rates) report(rates.countClient(request.remoteAddress))
  }

  return {
    countUnknown,
    /**
     * Counts against key and account, or against the network without a valid key.
     *
     * @param report gets the remaining requests
     * @throws ServiceError, or rejects with it
     */
    admit(
      request: HttpRequest,
      { auth, audiences, scopes, rateLimited }: AdmissionRules,
      report: Report,
    ): Maybe<Caller | undefined> {
      if (auth === 'none') {
        if (!rateLimited) return undefined
        countUnknown(request, report)
        atWork?.enter(clientNetwork(request.remoteAddress), request, 0)
        return undefined
      }
      const bearer = bearerOf(request.headers)
      if (bearer === undefined) countUnknown(request, report)
      return attempt(
        () => authenticate(accounts, bearer),
        (caller) => {
          if (rates) report(rates.countCaller(caller))
          atWork?.enter(caller.keyId, request, holds?.heldBy(caller.keyId) ?? 0)
          requireAudience(caller, audiences)
          permit(caller, auth, scopes)
          return caller
        },
        (error) => {
          // Valid keys keep working from a network that tries bad ones: 256 random bits cannot be guessed, and shared addresses are common.
          if (error instanceof ServiceError && bearer !== undefined) countUnknown(request, report)
          throw error
        },
      )
    },
  }
}
