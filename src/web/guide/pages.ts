/** Pages of the guide, in reading order. */
import { accountPage } from './account.js'
import type { GuidePage, Place } from './blocks.js'
import { errorsPage } from './errors.js'
import { mcpPage } from './mcp.js'
import { readingPage } from './reading.js'
import { safetyPage } from './safety.js'
import { sendingPage } from './sending.js'
import { startPage } from './start.js'
import { webhooksPage } from './webhooks.js'

export function guidePages(place: Place): GuidePage[] {
  return [
    startPage(place),
    readingPage(place),
    sendingPage(place),
    webhooksPage(place),
    accountPage(place),
    safetyPage(),
    errorsPage(place),
    mcpPage(place),
  ]
}
