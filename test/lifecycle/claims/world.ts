/** Claims with everything around them, on an engine of the test's choice, and an agent that solves challenges. */
import { join } from 'node:path'
import type { Test } from 'tap'
import { createAccounts } from '../../../src/accounts/accounts.js'
import type { Letter, Letters } from '../../../src/accounts/letters.js'
import type { Accounts } from '../../../src/accounts/types.js'
import { isSolved } from '../../../src/lifecycle/claims/challenge.js'
import { createClaims } from '../../../src/lifecycle/claims/claims.js'
import type { ClaimResult, Claims, ClaimTask } from '../../../src/lifecycle/claims/types.js'
import { createGuard } from '../../../src/guard/verdict/guard.js'
import { ManualClock } from '../../../src/lib/clock.js'
import { readMailbox } from '../../../src/mailbox/record.js'
import { openBlobs } from '../../../src/store/blobs/blobs.js'
import type { Engine } from '../../../src/store/engine.js'
import { encode, key, prefixRange } from '../../../src/store/keys.js'
import { createStore } from '../../../src/store/store.js'
import type { WorkQueue } from '../../../src/queue/types.js'
import type { Blobs, Store } from '../../../src/store/types.js'
import { createWorkQueue } from '../../../src/queue/queue.js'
import { memoryEngine } from '../../support/store/memory-engine.js'
import { tasksIn } from '../../support/store/tasks.js'

export interface World {
  engine: Engine
  store: Store
  clock: ManualClock
  queue: WorkQueue
  blobs: Blobs
  accounts: Accounts
  claims: Claims
  letters: Letters
  /** Letters as they were posted, by their ids. */
  posted: Map<string, Letter>
}

/** Where letters stand that were posted with a transaction. */
export const LETTERS = 'letters'

/** Takes letters and keeps them; the same id again changes nothing, as it is with real ones. */
export function fakeLetters(): Letters & { posted: Map<string, Letter> } {
  const posted = new Map<string, Letter>()
  return {
    posted,
    canReach: () => true,
    isRefused: async (address) => address.startsWith('bounces'),
    compose: async (id, letter) => (tx) => {
      tx.blind(LETTERS).put(key(id), encode(letter))
      tx.afterCommit(() => posted.set(id, letter))
    },
    async post(id, letter) {
      if (!posted.has(id)) posted.set(id, letter)
    },
  }
}

const LIMITS = {
  newRecipientsPerDay: 25,
  storageBytes: 1_000_000,
  requestsPerMinute: 600,
  recipientsPerMessage: 50,
  messageBytes: 1_000_000,
  attachmentsPerMessage: 20,
  longPollSeconds: 60,
}

export interface WorldOptions {
  engine?: Engine
  clock?: ManualClock
  difficulty?: number
  domains?: string[]
  reserved?: string[]
  letters?: Letters
  invitesPerHour?: number
  staff?: readonly string[]
}

/** A second world on the same engine is the same server after a restart. */
export async function world(t: Test, options: WorldOptions = {}): Promise<World> {
  const engine = options.engine ?? memoryEngine()
  const clock = options.clock ?? new ManualClock()
  const store = createStore(engine)
  const queue = createWorkQueue({ store, clock })
  const blobs = await openBlobs({ dir: join(folder(t), 'blobs'), clock })
  const accounts = createAccounts({
    store,
    clock,
    limits: LIMITS,
    mailbox: (id, view) => readMailbox(view ?? store, id),
    staff: options.staff ?? [],
  })
  const letters = fakeLetters()
  const claims: Claims = createClaims({
    store,
    blobs,
    queue,
    clock,
    accounts,
    letters: options.letters ?? letters,
    guard: createGuard(),
    secret: Buffer.alloc(32, 7),
    domains: {
      names: options.domains ?? ['agents.example', 'other.example'],
      reserved: options.reserved ?? ['admin', 'no-reply'],
      isLocal: (domain) => domain.endsWith('.example') && /^(?:agents|other)\./.test(domain),
    },
    baseUrl: 'https://mail.example',
    limits: {
      difficulty: options.difficulty ?? 4,
      invitesPerHour: options.invitesPerHour ?? 200,
    },
  })
  return { engine, store, clock, queue, blobs, accounts, claims, letters, posted: letters.posted }
}

const folders = new WeakMap<Test, string>()

/** The test's own folder, removed with it. */
export function folder(t: Test): string {
  const path = folders.get(t) ?? t.testdir()
  folders.set(t, path)
  return path
}

export function solve({ challenge, difficulty }: { challenge: string; difficulty: number }): string {
  for (let nonce = 0; ; nonce++) if (isSolved(challenge, String(nonce), difficulty)) return String(nonce)
}

export function fail({ challenge, difficulty }: { challenge: string; difficulty: number }): string {
  for (let nonce = 0; ; nonce++) if (!isSolved(challenge, String(nonce), difficulty)) return String(nonce)
}

export async function claim(
  { claims }: Pick<World, 'claims'>,
  name: string,
  client = '192.0.2.1',
): Promise<ClaimResult> {
  const challenge = await claims.challenge(client)
  return claims.claim({ name, challenge: challenge.challenge, nonce: solve(challenge), agentName: 'Tester' }, client)
}

/** What the worker of `claim` tasks does at this moment of the clock. */
export async function runClaimTasks({ claims, queue }: Pick<World, 'claims' | 'queue'>): Promise<void> {
  for (const { payload } of await tasksIn<ClaimTask>(queue, 'claim', 100)) await claims.expire(payload.claim_id)
}

/** An engine that remembers which partitions were written, and can be told to die. */
export interface Mortal extends Engine {
  commits: number
  /** Dies at this commit, counted from now: it fails, before it is applied or after it, and so does every one that follows. */
  dieAt(commit: number, when: 'before' | 'after'): void
  revive(): void
  /** Partitions that hold something. */
  holding(): Promise<string[]>
}

export function mortal(engine: Engine): Mortal {
  const written = new Set<string>()
  let last = Infinity
  let when: 'before' | 'after' = 'before'
  const self: Mortal = {
    commits: 0,
    wholeStore: engine.wholeStore,
    read: (fn) => engine.read(fn),
    versions: (partitions) => engine.versions(partitions),
    newest: () => engine.newest(),
    fate: (partition, mark) => engine.fate(partition, mark),
    onCommit: (fn) => engine.onCommit(fn),
    close: () => engine.close(),
    async commit(checks, ops, mark) {
      for (const { partition } of ops) written.add(partition)
      self.commits++
      if (self.commits > last || (self.commits === last && when === 'before')) throw new Error('the machine is off')
      const done = await engine.commit(checks, ops, mark)
      if (self.commits === last) throw new Error('the machine is off')
      return done
    },
    dieAt(commit, side) {
      last = self.commits + commit
      when = side
    },
    revive() {
      last = Infinity
    },
    async holding() {
      const found: string[] = []
      for (const partition of written) {
        const rows = await engine.read((reader) => reader.range(partition, { ...prefixRange(), limit: 1 }))
        if (rows.length > 0) found.push(partition)
      }
      return found.sort()
    },
  }
  return self
}
