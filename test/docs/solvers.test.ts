/** The solvers of docs/claims.md, as they stand there, against the real daemon. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import ts from 'typescript'
import { run, startDaemon } from '../support/daemon.js'

const doc = await readFile(join(process.cwd(), 'docs/claims.md'), 'utf8')

function solver(language: string): string {
  const found = new RegExp(`<!-- solver: ${language} -->\\s+\`\`\`\\w+\\n([\\s\\S]*?)\`\`\``).exec(doc)?.[1]
  if (found === undefined) throw new Error(`docs/claims.md has no solver in ${language}`)
  return found
}

// Not a multiple of 4: the digit after the zeros counts too.
const DIFFICULTY = '10'

t.test('each solver of the documentation claims a mailbox', async (t) => {
  const daemon = await startDaemon({ 'limits.claim_difficulty': DIFFICULTY })
  t.teardown(() => daemon.remove())
  const dir = t.testdir({})
  const options = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 }
  const programs = [
    { name: 'in-python', file: 'claim.py', text: solver('python'), command: '/usr/bin/python3' },
    {
      name: 'in-typescript',
      file: 'claim.mjs',
      text: ts.transpileModule(solver('typescript'), { compilerOptions: options }).outputText,
      command: process.execPath,
    },
    { name: 'in-shell', file: 'claim.sh', text: solver('shell'), command: '/bin/sh' },
  ]
  for (const { name, file, text, command } of programs) {
    const path = join(dir, file)
    await writeFile(path, text)
    const { code, stdout, stderr } = await run(command, [path, daemon.url, name])
    t.equal(code, 0, `${file}: ${stderr}`)
    t.match(stdout, `${name}@agents.test`)
    t.match(stdout, 'rst_pending_')
  }
  const { stdout } = await daemon.cli('claim', 'list')
  for (const { name } of programs) t.match(stdout, `${name}@agents.test`)
})
