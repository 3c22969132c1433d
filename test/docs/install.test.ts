/** Every command of docs/install.md that a test can run is run as it stands, in a root of its own: what is here writes nothing of this machine. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { allCommands } from '../../src/cli/catalogue.js'
import { parseCommandLine, readWords } from '../../src/cli/command.js'
import { loadConfig } from '../../src/config/load.js'
import { run } from '../support/daemon.js'

const COMMANDS = await allCommands()

const page = readFileSync('docs/install.md', 'utf8')
const runnable = [...page.matchAll(/```sh\n([\s\S]*?)\n```/g)].map(([, text]) => text ?? '')

t.test('every command of restante on the page is one that there is', async (t) => {
  const lines = [...page.matchAll(/(?:^|`)((?:bin\/)?restante [a-z][^`\n]*)/gm)].map(([, text]) => text ?? '')
  t.ok(lines.length >= 10, `${lines.length} commands`)
  for (const line of lines) {
    const words = line.replaceAll('"$PWD/', '"/srv/').replaceAll('"', '').trim().split(/\s+/).slice(1)
    t.ok(parseCommandLine(readWords(words), COMMANDS).command, line)
  }
})

t.test(
  'the commands of the page, in their order, in a root of their own',
  { skip: process.getuid?.() !== 0 && 'takes root' },
  async (t) => {
    const root = t.testdir({ etc: { passwd: '', group: '', shadow: '', gshadow: '' }, bin: {} })
    mkdirSync(join(root, 'home'))
    // As the link in /usr/local/bin; what stands on the page goes to the root of this test, and asks no name server but a silent one.
    const wrapper = [
      '#!/bin/sh',
      'case "$1" in',
      `setup) case "$*" in *--no-systemd*) set -- "$@" --set server.dns=127.0.0.1:9 --set doctor.outward=127.0.0.1:9;; *) set -- "$@" --root ${root};; esac;;`,
      `*) set -- $(echo "$*" | sed "s#--config /etc#--config ${root}/etc#") --set server.data_dir=${root}/var/lib/restante --set server.dns=127.0.0.1:9;;`,
      'esac',
      `exec ${process.execPath} ${process.cwd()}/bin/restante "$@"`,
    ]
    writeFileSync(join(root, 'bin/restante'), `${wrapper.join('\n')}\n`, { mode: 0o755 })
    const shell = (script: string) => run('/bin/sh', ['-euc', `cd ${root}/home; PATH=${root}/bin:$PATH; ${script}`])
    const codes: Record<string, number> = {}
    for (const script of runnable) {
      const { code, stdout, stderr } = await shell(script)
      const name = script.replace(/^restante (\w+).*?( --yes)?$/s, '$1$2')
      codes[name] = code
      t.notMatch(
        stderr,
        /the settings are wrong|takes no|there is no command|nothing was changed:/,
        `${script}\n${stderr}`,
      )
      if (name === 'setup --yes') t.match(stdout, 'Next:', script)
    }
    t.same(codes, {
      setup: 0,
      'setup --yes': 0,
      // Nothing is published, and no daemon runs.
      dns: 1,
      doctor: 1,
      claim: 69,
    })
    t.match(loadConfig({ dir: join(root, 'etc/restante') }).domains.names, ['agents.example.com'])
    t.match(loadConfig({ dir: join(root, 'home/config') }).server.data_dir, join(root, 'home/var'))
  },
)
