/** An engine as a process sees it that dies at one of its commits; nothing is written after that. */
import type { Engine } from '../../../src/store/engine.js'

/** @param at which commit it is, counted from `arm` */
export function mortal(
  engine: Engine,
  at: number,
  moment: 'before' | 'after',
): { engine: Engine; arm(): void; died(): boolean } {
  let left = Infinity
  const dead = (): Error => new Error('The process died')
  return {
    arm: () => (left = at),
    died: () => left <= 0,
    engine: {
      ...engine,
      async commit(checks, ops, mark) {
        if (left <= 0) throw dead()
        const last = --left <= 0
        if (last && moment === 'before') throw dead()
        const done = await engine.commit(checks, ops, mark)
        if (last) throw dead()
        return done
      },
      close: async () => undefined,
    },
  }
}

/** Runs something that dies at each of its commits in turn, before it and after it, and lets `check` look at what each death leaves. */
export async function dyingAtEachCommit<T>(
  openEngine: () => Engine,
  how: {
    /** Contents beforehand. */
    prepare(engine: Engine): Promise<T>
    run(engine: Engine): Promise<void>
    check(engine: Engine, prepared: T): Promise<void>
  },
): Promise<void> {
  for (const moment of ['before', 'after'] as const) {
    for (let at = 1; ; at++) {
      const engine = openEngine()
      const prepared = await how.prepare(engine)
      const { engine: dying, arm, died } = mortal(engine, at, moment)
      arm()
      await how.run(dying).catch((error: unknown) => {
        if (!died()) throw error
      })
      if (!died()) break
      await how.check(engine, prepared)
    }
  }
}
