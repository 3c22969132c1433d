/** The daemons at work on one store, as each of them knows the others. */
export interface Nodes {
  /** Of this one; unique among them. */
  readonly id: string
  /** Ids of the others. Empty only while none of them can commit. */
  peers(): readonly string[]
}

/** One daemon on a store of its own. */
export const ALONE: Nodes = { id: 'alone', peers: () => [] }
