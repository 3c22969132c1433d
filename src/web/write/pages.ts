/** Pages on which a human writes. */
import type { InboxPage } from '../inbox/deps.js'
import { composePage } from './compose.js'
import { submitPage } from './submit.js'

export const writePages: readonly InboxPage[] = [composePage, submitPage]
