/** Connections to the primary of a cluster: opened when needed, kept, and looked for anew after a failover. */
import { setTimeout as pause } from 'node:timers/promises'
import { DatabaseError } from 'pg'
import { causesOf, messageOf } from '../../../lib/thrown.js'
import { UnreachableStoreError } from '../../errors.js'
import { connectTo, type Link, type Server } from './postgres-link.js'

/** Max time that work waits for a primary, as in a failover, the time in line for a connection included. */
const PRIMARY_MS = 15_000
const PAUSE_MS = 200

export interface Pool {
  /**
   * Runs `fn` with a connection of its own, or with the next that is free.
   *
   * @throws UnreachableStoreError when no primary is found in time
   */
  use<T>(fn: (link: Link) => Promise<T>): Promise<T>
  close(): Promise<void>
}

/** Refusals that no later try changes: a wrong name or password, no such database. */
const FINAL = /^(?:28|3D)/

/** @param max connections at once */
export function createPool(target: Server, max: number): Pool {
  const idle: Link[] = []
  const waiting: ((link: Link | undefined) => void)[] = []
  let open = 0
  let closed = false

  async function take(): Promise<Link> {
    if (closed) throw new Error('The store is closed')
    const until = performance.now() + PRIMARY_MS
    const free =
      idle.pop() ?? (open < max ? undefined : await new Promise<Link | undefined>((next) => waiting.push(next)))
    if (free?.isUsable) return free
    if (free) free.discard()
    else open++
    try {
      return await findPrimary(target, until)
    } catch (error) {
      giveUp()
      throw error
    }
  }

  /** Lets the next one try on its own. */
  function giveUp(): void {
    open--
    waiting.shift()?.(undefined)
  }

  function release(link: Link): void {
    if (!link.isUsable || closed) {
      link.discard()
      // The others most likely led to the same server.
      for (const other of idle.splice(0)) {
        other.discard()
        open--
      }
      return giveUp()
    }
    const next = waiting.shift()
    if (next) next(link)
    else idle.push(link)
  }

  return {
    async use(fn) {
      const link = await take()
      try {
        return await fn(link)
      } finally {
        release(link)
      }
    },
    async close() {
      closed = true
      await Promise.all(idle.splice(0).map((link) => link.end()))
    },
  }
}

/**
 * Tries every host at least once.
 *
 * @param until by `performance.now()`
 * @throws UnreachableStoreError when there is no primary by then
 */
export async function findPrimary(target: Server, until: number): Promise<Link> {
  for (;;) {
    const failures: string[] = []
    let isFinal = false
    for (const at of target.hosts) {
      try {
        return await connectTo(target, at)
      } catch (error) {
        failures.push(messageOf(error))
        isFinal ||= causesOf(error).some((cause) => cause instanceof DatabaseError && FINAL.test(cause.code ?? ''))
      }
    }
    if (isFinal || performance.now() > until)
      throw new UnreachableStoreError(`No PostgreSQL primary: ${failures.join('; ')}`)
    await pause(PAUSE_MS)
  }
}
