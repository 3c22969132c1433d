/** Asking before what can't be undone: a question on a terminal; from a script, where nobody can be asked, `--yes`. */
import type { Invocation } from './command.js'

type Ask = NonNullable<Invocation['ask']>

/**
 * @param what says what would be done, in sentences; it is not looked up when it is agreed to already
 * @returns whether to go on. Where not, that has been said, and the command ends with EXIT.failed
 */
export async function isAgreed(
  { flags, ask, note }: Pick<Invocation, 'flags' | 'ask' | 'note'>,
  what: () => string | Promise<string>,
): Promise<boolean> {
  if (flags.yes) return true
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
