/** What real shells offer, with the script that `restante completion` prints. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import t from 'tap'
import { allCommands } from '../../../src/cli/catalogue.js'
import { main } from '../../../src/cli/main.js'
import { optionsOf } from '../../../src/cli/terminal/command.js'
import { sectionNames, settingsOf } from '../../../src/config/schema.js'
import { peer, programPath } from '../../support/peers/peers.js'

const COMMANDS = await allCommands()

async function script(shell: string) {
  const out: string[] = []
  const err: string[] = []
  const code = await main(['completion', shell], {
    env: {},
    print: (text) => out.push(text),
    note: (text) => err.push(text),
  })
  return { code, out: out.join('\n'), err: err.join('\n') }
}

/** Runs a program of `shell` and gives its lines, sorted; anything on standard error is a failure. */
function lines(program: string, args: string[], cwd: string): Promise<string[]> {
  return new Promise((resolve, reject) => {
    execFile(program, args, { cwd, env: { PATH: process.env.PATH } }, (error, out, err) => {
      if (error || err !== '') reject(new Error(`${error?.message ?? ''} ${err}`))
      else resolve(out.split('\n').filter(Boolean).sort())
    })
  })
}

const names = (option: string): string[] =>
  sectionNames
    .flatMap((section) => [...settingsOf(section).keys()].map((name) => `${section}.${name}=`))
    .filter((name) => name.startsWith(option))
    .sort()
const own = (name: string): string[] => {
  const command = COMMANDS.find((each) => each.name === name)
  if (!command) throw new Error(`no ${name}`)
  return optionsOf(command)
    .map((option) => `--${option}`)
    .sort()
}

/** The words as they stand after `restante`, the last of them the one that is completed. */
const CASES: [words: string[], offered: string[]][] = [
  [['acc'], ['account']],
  [
    ['queue', ''],
    ['delete', 'hold', 'holds', 'list', 'release', 'retry', 'show', 'stats'],
  ],
  [
    ['queue', 'ho'],
    ['hold', 'holds'],
  ],
  [
    ['guard', 'correction', ''],
    ['reset', 'show'],
  ],
  [['account', 'list', '-'], own('account list')],
  [
    ['account', 'list', '--json', '--set', 'smtp.listen=0.0.0.0:25', '--'],
    own('account list').filter((name) => name !== '--json'),
  ],
  [
    ['account', '-'],
    ['--config', '--help', '--set'],
  ],
  [['--json', 'account', 'sus'], ['suspend']],
  [['account', 'show', 'bob@example.com', '--j'], ['--json']],
  [['account', 'show', ''], []],
  [['account', 'list', '--limit', ''], []],
  [['nonsense', ''], []],
  [['start', '--set', 'backup.'], names('backup.')],
  [['start', '--set', 'smtp.listen='], []],
  [['--config', 'con', 'dns', '--z'], ['--zone']],
  [
    ['start', '--config', 'con'],
    ['conf dir', 'config'],
  ],
  [
    ['restore', 'con'],
    ['conf dir', 'config', 'con.tar.gz'],
  ],
  [['restore', 'con.tar.gz', 'con'], []],
  [['restore', 'con.tar.gz', '--key', 'con.t'], ['con.tar.gz']],
  [
    ['queue', 'list', '--state', ''],
    ['deferred', 'held', 'queued', 'sending'],
  ],
  [['config', 'reference', '--file', 'ba'], ['backup']],
  [
    ['completion', ''],
    ['bash', 'fish', 'zsh'],
  ],
]
const FILES = { 'con.tar.gz': '', 'at:noon': '', config: { 'a.toml': '' }, 'conf dir': {}, other: {} }

t.test('bash offers commands, options, settings and files', async (t) => {
  const dir = t.testdir({ ...FILES, 'script.bash': (await script('bash')).out })
  const offered = (words: string[]): Promise<string[]> =>
    lines(
      'bash',
      [
        '--norc',
        '-c',
        `source ./script.bash; complete -p restante >/dev/null || exit 1; COMP_WORDS=(restante "$@"); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _restante; printf '%s\\n' "\${COMPREPLY[@]}"`,
        'bash',
        ...words,
      ],
      dir,
    )
  for (const [words, wanted] of CASES) {
    // As readline breaks the words of a line.
    const pieces = words.flatMap((word) => (word === '' ? [''] : word.split(/([=:@]+)/).filter((each) => each !== '')))
    t.same(await offered(pieces), [...wanted].sort(), words.join(' '))
  }
  t.same(await offered(['start', '--set', '=', 'backup.f']), names('backup.f'), '--set=backup.f')
  t.same(await offered(['restore', 'at', ':', 'n']), ['noon'], 'at:n, of which the first part stands already')
  t.same(await offered(['start', '--config', '=']), ['conf dir', 'config', 'other'], '--config=')
})

t.test('bash has the script by source <(…), as its help says', async (t) => {
  const bin = join(process.cwd(), 'bin/restante')
  const line = `source <(${process.execPath} ${bin} completion bash); COMP_WORDS=(restante compl); COMP_CWORD=1; _restante; echo "\${COMPREPLY[@]}"`
  t.same(await lines('bash', ['--norc', '-c', line], process.cwd()), ['completion'])
})

// The functions by which zsh takes what is offered work in its line editor only: those that are called are written down instead.
const STANDINS = `
compdef() { :; }
compset() { part_only=yes; }
compadd() { local -a offered; offered=("\${@[\${@[(i)--]}+1,-1]}"); print -rl -- \${(M)offered:#\${part}*}; }
_files() { if [[ "$1" = -/ ]]; then print -rl -- \${part}*(N/); else print -rl -- \${part}*(N); fi; }
`
t.test('zsh offers the same', peer('zsh', programPath('zsh') ?? '/usr/bin/zsh'), async (t) => {
  const dir = t.testdir({ ...FILES, 'standins.zsh': STANDINS, 'script.zsh': (await script('zsh')).out })
  const offered = (words: string[]): Promise<string[]> =>
    lines(
      'zsh',
      [
        '-f',
        '-c',
        'source ./standins.zsh; source ./script.zsh; words=(restante "$@"); CURRENT=$#words; _restante',
        'zsh',
        ...words,
      ],
      dir,
    )
  for (const [words, wanted] of CASES) t.same(await offered(words), [...wanted].sort(), words.join(' '))
  t.same(await offered(['start', '--set=backup.f']), names('backup.f'))
})

t.test('fish offers the same', peer('fish', programPath('fish') ?? '/usr/bin/fish'), async (t) => {
  const dir = t.testdir({ ...FILES, 'script.fish': (await script('fish')).out })
  const offered = async (words: string[]): Promise<string[]> => {
    const args = ['--no-config', '-c', 'source script.fish; complete -C "$argv"', 'restante', ...words]
    // Each has its description after a tab, and a folder ends with a slash.
    return (await lines('fish', args, dir)).map((each) => each.replace(/\t.*/, '').replace(/\/$/, ''))
  }
  for (const [words, wanted] of CASES) t.same(await offered(words), [...wanted].sort(), words.join(' '))
  t.same(
    await offered(['start', '--set=backup.f']),
    names('backup.f').map((name) => `--set=${name}`),
  )
})

t.test('another shell is refused with what there is, exit code 64', async (t) => {
  t.match(await script('nushell'), { code: 64, out: '', err: /there is no completion for "nushell"/ })
  t.match(await script('bsh'), { code: 64, out: '', err: /Did you mean bash\?/ })
})
