import type { Store } from '../../../src/store/types.js'

/** The methods of a store, for one that behaves differently in some. */
export function over(store: Store): Store {
  return {
    read: (partition, fn) => store.read(partition, fn),
    write: (named, fn) => store.write(named, fn),
    version: (partition) => store.version(partition),
    versions: (partitions) => store.versions(partitions),
    known: (partition) => store.known(partition),
    newest: () => store.newest(),
    partitions: (after, limit) => store.partitions(after, limit),
    wait: (partition, after, signal) => store.wait(partition, after, signal),
    onCommit: (fn) => store.onCommit(fn),
    follow: (partitions) => store.follow(partitions),
    settled: () => store.settled(),
    close: () => store.close(),
  }
}
