/**
 * Setup and what follows from docs/install.md for an installation that is a clone, as it stands, in a root of its own: what is here writes nothing of this
 * machine. The whole page is run for the package, on a Debian that boots: test/systemd/debian-story.ts.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { allCommands } from '../../src/cli/catalogue.js'
import { parseCommandLine, readWords } from '../../src/cli/terminal/command.js'
import { loadConfig } from '../../src/config/load.js'
import { run } from '../support/daemon.js'

const COMMANDS = await allCommands()

const page = readFileSync('docs/install.md', 'utf8')
const runnable = page
  .split(/^## /m)
  .filter((chapter) => /^(?:2\. Setup|4\. DNS|5\. Start|Without the package)/.test(chapter))
  .flatMap((chapter) => [...chapter.matchAll(/```sh\n(restante [\s\S]*?)\n```/g)])
  .flatMap(([, text = '']) => text.split('\n'))

t.test('every command of restante on the page is one that there is', async (t) => {
  const lines = [...page.matchAll(/(?:^|`)((?:bin\/)?restante [a-z][^`\n]*)/gm)].map(([, text]) => text ?? '')
  t.ok(lines.length >= 15, `${lines.length} commands`)
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
      `*) set -- "$@" --config ${root}/etc/restante --set server.data_dir=${root}/var/lib/restante --set server.dns=127.0.0.1:9;;`,
      'esac',
      `exec ${process.execPath} ${process.cwd()}/bin/restante "$@"`,
    ]
    writeFileSync(join(root, 'bin/restante'), `${wrapper.join('\n')}\n`, { mode: 0o755 })
    const shell = (script: string) => run('/bin/sh', ['-euc', `cd ${root}/home; PATH=${root}/bin:$PATH; ${script}`])
    const codes: Record<string, number> = {}
    for (const script of runnable) {
      const { code, stdout, stderr } = await shell(script)
      const name = script.replace(/^restante (\w+).*?((?: --(?:yes|remove|check|zone))?)$/s, '$1$2')
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
      'dns --zone': 0,
      // Nothing is published, and no daemon runs.
      'dns --check': 1,
      doctor: 1,
      certificate: 69,
      // From a script, what takes something away waits for --yes.
      'setup --remove': 1,
    })
    t.match(await shell('restante setup --remove --yes'), { code: 0, stdout: /Settings, mail and keys stay/ })
    t.notOk(existsSync(join(root, 'etc/systemd/system/restante.service')))
    t.match(loadConfig({ dir: join(root, 'etc/restante') }).domains.names, ['agents.example.com'])
    t.match(loadConfig({ dir: join(root, 'home/config') }).server.data_dir, join(root, 'home/var'))
  },
)
