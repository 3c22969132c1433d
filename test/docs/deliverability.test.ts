/** The commands of docs/deliverability.md are commands, with arguments that they take; what it says of the server's own numbers is so. */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { EXIT } from '../../src/cli/terminal/command.js'
import { configReference } from '../../src/config/reference.js'
import { run } from '../support/daemon.js'
import { freePort } from '../support/ports.js'

const text = await readFile(join(process.cwd(), 'docs/deliverability.md'), 'utf8')

t.test('each command of its blocks runs, as far as it can without a daemon and without DNS', async (t) => {
  const etc = t.testdir()
  await mkdir(join(etc, 'data'))
  const nobody = async (): Promise<string> => `127.0.0.1:${await freePort()}`
  await writeFile(
    join(etc, 'server.toml'),
    `data_dir = "${etc}/data"\nhttp = "${await nobody()}"\nadmin = "${await nobody()}"\ndns = ["${await nobody()}"]\n`,
  )
  let ran = 0
  for (const [, block = ''] of text.matchAll(/^```sh\n([^]*?)^```$/gm))
    for (const line of block.trim().split('\n')) {
      const [program, ...words] = line.replace('/etc/restante', etc).split(' ')
      t.equal(program, 'restante')
      const { code, stdout, stderr } = await run(join(process.cwd(), 'bin/restante'), words)
      const asksTheDaemon = !/^(dns|doctor)$/.test(words[0] ?? '')
      t.ok(
        asksTheDaemon ? code === EXIT.unreachable : code === EXIT.failed || code === EXIT.ok,
        `${line}: ${code}${stderr}`,
      )
      t.ok(stdout + stderr !== '')
      ran++
    }
  t.equal(ran, 7, 'none was left out')
})

t.test('commands and settings it names are there', async (t) => {
  const cli = await readFile(join(process.cwd(), 'docs/cli.md'), 'utf8')
  for (const [, words = ''] of text.matchAll(/`restante ([a-z][a-z -]*[a-z])`/g)) {
    const command = words.replace(/ --?[a-z]+.*/, '')
    t.match(cli, `## restante ${command}\n`, command)
  }
  for (const [, setting = ''] of text.matchAll(/`((?:limits|relay)\.[a-z_]+)`/g))
    t.match(configReference(), `### ${setting}`)
  const docs = new Set([...text.matchAll(/\]\(([a-z]+\.md)\)/g)].map(([, file]) => file ?? ''))
  for (const file of docs) t.ok((await readFile(join(process.cwd(), 'docs', file), 'utf8')).length > 0, file)
})
