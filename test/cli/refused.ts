/** Commands that are refused, each with the words of the refusal. */
import type { Test } from 'tap'
import { main } from '../../src/cli/main.js'

export async function refuses(t: Test, words: readonly string[], code: number, problem: RegExp): Promise<void> {
  const notes: string[] = []
  const ended = await main([...words], {
    env: {},
    print: (text) => t.fail(text),
    note: (text) => notes.push(text),
  })
  t.equal(ended, code, words.join(' '))
  t.match(notes.join('\n'), problem)
}
