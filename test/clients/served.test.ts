/** The clients as a daemon serves them: installed from its URL, with types, and the same bytes at each build. */
import { execFile } from 'node:child_process'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { copy, isInstalled } from '../../systemd/debian/files.js'
import { startDaemon } from '../support/daemon.js'

const run = promisify(execFile)

t.test('the clients come from the server', async (t) => {
  const daemon = await startDaemon()
  t.teardown(() => daemon.remove())

  await t.test('they have a tag, and are not sent again to who has them', async (t) => {
    for (const [name, type] of [
      ['restante.py', 'text/x-python; charset="utf-8"'],
      ['restante-client.tgz', 'application/gzip'],
    ]) {
      const url = `${daemon.url}/clients/${name}`
      const answer = await fetch(url)
      t.equal(answer.status, 200)
      t.equal(answer.headers.get('content-type'), type)
      t.match(answer.headers.get('content-disposition'), `filename="${name}"`)
      t.ok(Buffer.from(await answer.arrayBuffer()).equals(await readFile(`dist/clients/${name}`)))
      const again = await fetch(url, { headers: { 'if-none-match': answer.headers.get('etag') ?? '' } })
      t.equal(again.status, 304)
      t.equal((await fetch(url, { headers: { 'if-none-match': 'W/"other"' } })).status, 200)
    }
    const python = await (await fetch(`${daemon.url}/clients/restante.py`)).text()
    t.equal(python, await readFile('clients/python/restante.py', 'utf8'))
  })

  await t.test('they are named where agents and people start', async (t) => {
    for (const path of ['/llms.txt', '/docs', '/docs/start.md']) {
      const text = await (await fetch(daemon.url + path, { headers: { accept: 'text/html' } })).text()
      for (const name of ['restante.py', 'restante-client.tgz']) t.match(text, `/clients/${name}`, path)
    }
  })

  await t.test('npm installs it from the URL, and TypeScript knows its types', async (t) => {
    const dir = t.testdir({ 'package.json': '{"name":"agent","private":true,"type":"module"}' })
    const env = { ...process.env, npm_config_cache: join(dir, '.npm'), npm_config_registry: 'http://127.0.0.1:9/' }
    const tgz = `${daemon.url}/clients/restante-client.tgz`
    await run('npm', ['install', '--no-audit', '--no-fund', '--fetch-retries=0', tgz], { cwd: dir, env })
    const program = (method: string): string => `import { Restante, type Message } from 'restante-client'
const message: Message = await new Restante({ baseUrl: 'http://127.0.0.1:9' }).${method}('msg_1')
console.log(message.subject)\n`
    await writeFile(join(dir, 'good.ts'), program('getMessage'))
    await writeFile(join(dir, 'wrong.ts'), program('getMesage'))
    const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022', '--typeRoots']
    const { stdout: problems } = await run(process.execPath, [
      'node_modules/typescript/bin/tsc',
      ...options,
      join(process.cwd(), 'node_modules/@types'),
      '--types',
      'node',
      join(dir, 'good.ts'),
      join(dir, 'wrong.ts'),
    ]).catch((error: { stdout: string }) => error)
    const lines = problems.trim().split('\n')
    t.match(lines[0], /wrong\.ts.* Property 'getMesage' does not exist/)
    t.equal(lines.length, 1, 'nothing else is wrong')
    await writeFile(
      join(dir, 'run.js'),
      `import { Restante } from 'restante-client'
console.log((await new Restante().getHealth()).status)\n`,
    )
    const { stdout } = await run(process.execPath, ['run.js'], { cwd: dir, env: { ...env, RESTANTE_URL: daemon.url } })
    t.equal(stdout, 'ready\n')
  })
})

t.test('a build of the same files has the same bytes', async (t) => {
  const before = await readFile('dist/clients/restante-client.tgz')
  await run(process.execPath, ['.ci/clients.mjs'])
  t.ok((await readFile('dist/clients/restante-client.tgz')).equals(before))
  const { stdout } = await run('tar', ['-tzf', 'dist/clients/restante-client.tgz'])
  t.same(stdout.trim().split('\n').sort(), [
    'package/LICENSE',
    'package/README.md',
    'package/dist/attachments.d.ts',
    'package/dist/attachments.js',
    'package/dist/calls.d.ts',
    'package/dist/calls.js',
    'package/dist/claim.d.ts',
    'package/dist/claim.js',
    'package/dist/client.d.ts',
    'package/dist/client.js',
    'package/dist/errors.d.ts',
    'package/dist/errors.js',
    'package/dist/index.d.ts',
    'package/dist/index.js',
    'package/dist/methods.d.ts',
    'package/dist/methods.js',
    'package/dist/operations.d.ts',
    'package/dist/operations.js',
    'package/dist/pages.d.ts',
    'package/dist/pages.js',
    'package/dist/webhook.d.ts',
    'package/dist/webhook.js',
    'package/package.json',
  ])
})

t.test('the Debian package has them beside the program', async (t) => {
  const tree = t.testdir()
  copy('dist/clients', join(tree, 'dist/clients'), isInstalled)
  t.same((await readdir(join(tree, 'dist/clients'))).sort(), ['restante-client.tgz', 'restante.py'])
})
