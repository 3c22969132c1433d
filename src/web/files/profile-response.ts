/** A configuration profile as iPhone, iPad and Mac take it. */
import type { HttpResponse } from '../../http/message.js'
import { APPLE_PROFILE_TYPE } from '../../publish/programs/apple-profile.js'

/** @param headers on caching; without them it is not stored */
export function profileResponse(body: string, headers: Record<string, string> = {}): HttpResponse {
  return {
    status: 200,
    headers: {
      'Content-Type': APPLE_PROFILE_TYPE,
      'Content-Disposition': 'attachment; filename="mail.mobileconfig"',
      ...headers,
    },
    body,
  }
}
