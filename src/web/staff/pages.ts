/** All staff pages. */
import type { PageSpec } from '../page/page.js'
import type { StaffDeps } from './frame.js'
import { dayPages } from './day.js'
import { listPages } from './lists.js'
import { messagePages } from './message.js'
import { partsPage } from './parts.js'

export const staffPages: readonly PageSpec<StaffDeps>[] = [...listPages, ...messagePages, ...dayPages, partsPage]
