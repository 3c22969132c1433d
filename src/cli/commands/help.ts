/** Commands that describe the program: `restante openapi`, `completion`, `version` and `help`. */
import { nearest } from '../../config/nearest.js'
import { installedVersion } from '../../config/version.js'
import { defineCommand, type Command } from '../terminal/command.js'
import { json } from '../terminal/output.js'

// Each loads the rest of its files when it runs, so that the others start without them.

const openapi = defineCommand({
  usage: 'openapi',
  options: ['json'],
  summary: 'print the API description (OpenAPI 3.1, YAML or JSON)',
  about: 'The same as GET /v1/openapi.yaml of the daemon with these settings; with --json the same as JSON.',
  examples: ['restante openapi > openapi.yaml'],
  async run({ config, options, print }) {
    const { base_url: baseUrl } = config().server
    const [{ openapiDocument, openapiYaml }, { routes }] = await Promise.all([
      import('../../http/routing/openapi.js'),
      import('../../api/v1-routes.js'),
    ])
    const info = { version: installedVersion(), baseUrl }
    print(options.json ? json(openapiDocument(routes, info)) : openapiYaml(routes, info).trimEnd())
  },
})

const completion = defineCommand({
  usage: 'completion SHELL',
  options: [],
  summary: 'print what bash, zsh or fish needs to complete commands',
  about:
    'SHELL is bash, zsh or fish. The script completes commands, their options, the names of the settings for --set, and file names. It is fixed text: print it\nagain after an upgrade. For the current shell: source <(restante completion bash). For all later ones, write it where the shell looks for such files.',
  examples: [
    'restante completion bash > /usr/share/bash-completion/completions/restante',
    'restante completion bash > ~/.local/share/bash-completion/completions/restante',
    'restante completion zsh > /usr/local/share/zsh/site-functions/_restante',
    'restante completion fish > ~/.config/fish/completions/restante.fish',
  ],
  async run({ args: [name = ''], commands, print, usage }) {
    const { completionScript, SHELLS } = await import('../terminal/completion.js')
    const shell = SHELLS.find((known) => known === name)
    const guess = nearest(name, SHELLS)
    const hint = guess === undefined ? `It takes ${SHELLS.join(', ')}` : `Did you mean ${guess}?`
    if (shell === undefined) throw usage(`there is no completion for "${name}". ${hint}`)
    print(completionScript(shell, await commands()))
  },
})

const version = defineCommand({
  usage: 'version',
  options: ['json'],
  summary: 'print the version',
  about: 'Prints the version of Restante, of Node, and the platform.',
  examples: ['restante version'],
  async run({ options, print }) {
    const { version: node, platform, arch } = process
    const restante = installedVersion()
    print(
      options.json
        ? json({ restante, node, platform, arch })
        : `restante ${restante} (Node ${node}, ${platform}-${arch})`,
    )
  },
})

const help = defineCommand({
  usage: 'help',
  options: [],
  summary: 'show this',
  about: 'Lists the commands. Each explains itself with -h.',
  examples: ['restante help', 'restante claim approve -h'],
  async run({ print }) {
    const [{ overview }, { OVERVIEW }] = await Promise.all([
      import('../terminal/help.js'),
      import('../terminal/overview.js'),
    ])
    print(overview(OVERVIEW))
  },
})

export const commands: readonly Command[] = [openapi, completion, version, help]
