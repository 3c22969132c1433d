/** A password, from a file or from the terminal, where it is not shown. Never from the command line, which every process can read. */
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { messageOf } from '../../lib/thrown.js'
import { CommandError, EXIT } from './command.js'

/** @param isAsked false in a script, which has nobody to ask */
export async function readPassword(file: string | undefined, question: string, isAsked: boolean): Promise<string> {
  if (file !== undefined) return firstLine(file)
  if (!isAsked)
    throw new CommandError(EXIT.usage, 'There is no terminal to ask for the password: give --password-file.')
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  // From here on the terminal shows nothing of what is typed.
  const lines = createInterface({ input: process.stdin, output: nowhere, terminal: true })
  process.stderr.write(question)
  try {
    return await lines.question('')
  } finally {
    lines.close()
    process.stderr.write('\n')
  }
}

function firstLine(file: string): string {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    throw new CommandError(EXIT.failed, `The password can't be read: ${messageOf(error)}`)
  }
  const [line = ''] = text.split(/\r?\n/)
  if (line === '') throw new CommandError(EXIT.failed, `${file} has no password in its first line.`)
  return line
}
