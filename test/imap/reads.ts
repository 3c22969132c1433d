/** What a search reads of the mailboxes of a test, with an index of its own over the same store. */
import { createRawStore } from '../../src/mailbox/raw.js'
import { createIndexer } from '../../src/mailbox/search/indexer.js'
import { createMessageReads } from '../../src/mailbox/search/message-reads.js'
import * as fields from '../../src/mime/fields.js'
import type { World } from '../mailbox/world.js'

export const readsOf = ({ store, blobs, clock }: World) =>
  createMessageReads({
    store,
    raws: createRawStore({ store, blobs }),
    indexer: createIndexer({ store }),
    clock,
    fields,
  })
