/** An engine as a process sees it that dies at one of its commits; nothing is written after that. */
import type { Engine } from '../../src/store/engine.js'

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
