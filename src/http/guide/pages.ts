/** What the guide is made of, in the order of reading. */
import type { GuidePage, Place } from './blocks.js'
import { errorsPage } from './errors.js'
import { mcpPage } from './mcp.js'
import { readingPage } from './reading.js'
import { safetyPage } from './safety.js'
import { sendingPage } from './sending.js'
import { startPage } from './start.js'

export function guidePages(place: Place): GuidePage[] {
  return [startPage(place), readingPage(place), sendingPage(place), safetyPage(), errorsPage(place), mcpPage(place)]
}
