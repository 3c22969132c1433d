/** `restante completion`: the script by which a shell completes commands, options and names of settings. */
import { nearest } from '../../../config/nearest.js'
import { CommandError, EXIT, type Command } from '../../terminal/command.js'
import { completionScript, isShell, SHELLS } from '../../terminal/completion.js'

export function createCompletion(commands: () => Promise<readonly Command[]>): Command {
  return {
    name: 'completion',
    args: ['SHELL'],
    options: [],
    summary: 'print what bash or zsh needs to complete commands',
    about:
      'SHELL is bash or zsh. The script has every command, its options, the names of the settings for --set, and files where a file is taken. It asks\nnobody: make it anew after an upgrade. For the shell that runs: source <(restante completion bash). For\nall to come, write it where the shell looks for such files.',
    examples: [
      'restante completion bash > /usr/share/bash-completion/completions/restante',
      'restante completion bash > ~/.local/share/bash-completion/completions/restante',
      'restante completion zsh > /usr/local/share/zsh/site-functions/_restante',
    ],
    async run({ args: [shell = ''], print }) {
      if (!isShell(shell)) {
        const guess = nearest(shell, SHELLS)
        throw new CommandError(
          EXIT.usage,
          `there is no completion for "${shell}". ${guess === undefined ? `It takes ${SHELLS.join(' or ')}` : `Did you mean ${guess}?`}\nSee: restante completion -h`,
        )
      }
      print(completionScript(shell, await commands()))
      return EXIT.ok
    },
  }
}
