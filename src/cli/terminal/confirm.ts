/** Confirmation before irreversible changes: a question on a terminal, `--yes` in scripts. */
import type { Invocation } from './command.js'

type Ask = NonNullable<Invocation['ask']>

/**
 * @param what describes the change; not called with `--yes`
 * @returns false if refused; the command then ends with EXIT.failed
 */
export async function isAgreed(
  { options, ask, note }: Pick<Invocation, 'options' | 'ask' | 'note'>,
  what: () => string | Promise<string>,
): Promise<boolean> {
  if (options.yes) return true
  const words = await what()
  if (!ask) {
    note(`${words} Nothing was done; repeat it with --yes.`)
    return false
  }
  note(words)
  if (await isYes(ask, 'Go on?')) return true
  note('Nothing was done.')
  return false
}

export async function isYes(ask: Ask, question: string): Promise<boolean> {
  return /^y(?:es)?$/i.test((await ask(`${question} [y/N] `)).trim())
}
