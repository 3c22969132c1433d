/**
 * Step-up (MCP, authorization: scope challenge; RFC 6750 §3.1): a connection by OAuth that calls for what it was not allowed is told what to ask its
 * human for. The holder of an API key can't ask in this way: it reads of it in the result of the call.
 */
import { bearerAuthChallengeResponse, OAuthError, OAuthErrorCode } from '@modelcontextprotocol/server'
import type { Caller, Scope } from '../../../accounts/types.js'

/** @param needed of all that the request asks for */
export function stepUp(caller: Caller, needed: readonly Scope[], resourceMetadataUrl: string): Response | undefined {
  if (caller.audience === undefined) return undefined
  const missing = [...new Set(needed)].filter((each) => !caller.scopes.includes(each))
  if (missing.length === 0) return undefined
  const says = `This call needs ${missing.join(' and ')}, which this connection was not allowed.`
  return bearerAuthChallengeResponse(new OAuthError(OAuthErrorCode.InsufficientScope, says), {
    // With what it has: a client asks for what the challenge names, and nothing else.
    requiredScopes: [...caller.scopes, ...missing],
    resourceMetadataUrl,
  })
}
