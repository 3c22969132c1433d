/**
 * Step-up authorization (MCP, scope challenge; RFC 6750 §3.1): an OAuth connection without the needed scopes is told which to request. For API keys the tool
 * result says so.
 */
import { bearerAuthChallengeResponse, OAuthError, OAuthErrorCode } from '@modelcontextprotocol/server'
import type { Caller } from '../../../accounts/types.js'
import { neededScopes } from './incoming.js'

/**
 * @param messages of the whole request
 * @param url of the endpoint
 */
export function stepUp(caller: Caller, messages: readonly unknown[], url: string): Response | undefined {
  if (caller.audience === undefined) return undefined
  const missing = [...new Set(neededScopes(messages))].filter((each) => !caller.scopes.includes(each))
  if (missing.length === 0) return undefined
  const says = `This call needs ${missing.join(' and ')}, which this connection was not allowed.`
  return bearerAuthChallengeResponse(new OAuthError(OAuthErrorCode.InsufficientScope, says), {
    // Includes its current scopes: clients request exactly what the challenge names.
    requiredScopes: [...caller.scopes, ...missing],
    resourceMetadataUrl: new URL('/.well-known/oauth-protected-resource/mcp', url).href,
  })
}
