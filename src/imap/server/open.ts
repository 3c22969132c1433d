/** The IMAP server with its search: one module for the daemon to load where programs may read mail. */
import type { Clock } from '../../lib/clock.js'
import { createRawStore } from '../../mailbox/raw.js'
import type { Indexer } from '../../mailbox/search/indexer.js'
import { createMessageReads } from '../../mailbox/search/message-reads.js'
import type { Blobs, Store } from '../../store/types.js'
import { createSearching } from '../searching/searching.js'
import { createImapServer, type ImapServerDeps } from './server.js'

export interface SearchDeps {
  store: Store
  blobs: Blobs
  indexer: Pick<Indexer, 'indexMailbox'>
  clock: Clock
}

/** SEARCH, SORT and THREAD over a store. */
export function searchingOver({ store, blobs, indexer, clock }: SearchDeps) {
  return createSearching({
    searched: createMessageReads({ store, raws: createRawStore({ store, blobs }), indexer, clock }),
  })
}

export const openImapServer = ({ store, blobs, indexer, ...deps }: Omit<ImapServerDeps, 'searching'> & SearchDeps) =>
  createImapServer({ ...deps, searching: searchingOver({ store, blobs, indexer, clock: deps.clock }) })
