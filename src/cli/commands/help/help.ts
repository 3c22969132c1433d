/** `restante help`: all commands, a line each. */
import { EXIT, type Command } from '../../terminal/command.js'
import { overview } from '../../terminal/help.js'

export function createHelp(commands: () => Promise<readonly Command[]>): Command {
  return {
    name: 'help',
    args: [],
    options: [],
    summary: 'show this',
    about: 'Lists the commands. Each explains itself with -h.',
    examples: ['restante help', 'restante claim approve -h'],
    async run({ print }) {
      print(overview(await commands()))
      return EXIT.ok
    },
  }
}
