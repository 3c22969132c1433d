/** The tree as it will be installed, DEBIAN/ aside. */
import { existsSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { completionScript } from '../../src/cli/terminal/completion.js'
import { allCommands } from '../../src/cli/catalogue.js'
import { unitFor } from '../../src/ops/setup/unit.js'
import { copy, isInstalled, put, putCompressed } from './files.js'
import { manual } from './manual.js'
import { fetchModule } from './fetch.js'
import { nativesIn, productionModules, stageModules, strip } from './modules.js'
import { NODE_VERSION, type Target } from './target.js'

const COMMANDS = await allCommands()

/** Where it is on a machine. */
export const INSTALLATION = '/usr/lib/restante'
const NODE = `${INSTALLATION}/node/bin/node`

const packageSchema = z.object({
  name: z.string(),
  license: z.string(),
  type: z.string(),
  engines: z.record(z.string(), z.string()),
  imports: z.record(z.string(), z.string()),
})

export interface Stage {
  clone: string
  tree: string
  /** Where packages of npm that the clone does not have are unpacked. */
  cache: string
  target: Target
  version: string
  /** Seconds since 1970. */
  epoch: number
}

/** @returns the native binaries */
export function stageTree({ clone, tree, cache, target, version, epoch }: Stage): string[] {
  const below = (path: string): string => join(tree, path)
  if (!existsSync(below(NODE))) stageProgram(clone, tree, cache, target)
  const { name, type, engines, imports, license } = packageSchema.parse(
    JSON.parse(readFileSync(join(clone, 'package.json'), 'utf8')),
  )
  const described = JSON.stringify({ name, version, license, private: true, type, engines, imports }, undefined, 2)
  put(below(`${INSTALLATION}/package.json`), `${described}\n`)
  put(
    below('/usr/bin/restante'),
    `#!/bin/sh\n: "\${RESTANTE_CONFIG=/etc/restante}"\nexport RESTANTE_CONFIG\nexec ${NODE} ${INSTALLATION}/bin/restante "$@"\n`,
    0o755,
  )
  stageUnit(clone, tree)
  stageDocs(clone, tree, { target, version, epoch })
  for (const [shell, path] of [
    ['bash', '/usr/share/bash-completion/completions/restante'],
    ['zsh', '/usr/share/zsh/vendor-completions/_restante'],
    ['fish', '/usr/share/fish/vendor_completions.d/restante.fish'],
  ] as const)
    put(below(path), `${completionScript(shell, COMMANDS)}\n`)
  putCompressed(below('/usr/share/man/man1/restante.1.gz'), manual(COMMANDS, version))
  put(below('/usr/share/lintian/overrides/restante'), readFileSync(join(clone, 'systemd/debian/lintian-overrides')))
  return [below(NODE), ...nativesIn(below(`${INSTALLATION}/node_modules`))]
}

/** What does not follow from the version. */
function stageProgram(clone: string, tree: string, cache: string, target: Target): void {
  const installation = join(tree, INSTALLATION)
  for (const folder of ['dist', 'clients/typescript/dist'])
    copy(join(clone, folder), join(installation, folder), isInstalled)
  for (const file of ['bin', 'systemd/launch']) copy(join(clone, file), join(installation, file))
  const runtime = nodeFor(target, cache)
  const node = join(tree, NODE)
  copy(join(runtime, 'bin/node'), node)
  copy(join(runtime, 'LICENSE'), join(installation, 'node/LICENSE'))
  stageModules(clone, installation, target, cache)
  strip([node], target)
}

/** @returns the folder with its files */
export function nodeFor({ node }: Target, cache: string): string {
  return fetchModule({ ...node, version: NODE_VERSION }, cache)
}

function stageUnit(clone: string, tree: string): void {
  const places = { installation: INSTALLATION, node: NODE, configDir: '/etc/restante', dataDir: '/var/lib/restante' }
  for (const name of ['restante.service', 'restante@.service']) {
    const unit = unitFor(readFileSync(join(clone, 'systemd', name), 'utf8'), places)
      .replace(
        /^(?:#.*\n)+/,
        `# Restante under systemd. Changes of yours: systemctl edit ${name.replace('.service', '')}\n`,
      )
      .replace(/^Documentation=.*$/m, 'Documentation=man:restante(1) file:///usr/share/doc/restante/docs/operations.md')
    put(join(tree, '/usr/lib/systemd/system', name), unit)
  }
  // Below /usr/lib, what journald@restante.conf says is a default that a file in /etc/systemd overrides.
  const journal = readFileSync(join(clone, 'systemd/journald@restante.conf'), 'utf8')
  put(
    join(tree, '/usr/lib/systemd/journald@restante.conf.d/restante.conf'),
    journal.replace(/ To \/etc\/systemd\/journald@restante\.conf\.$/m, ''),
  )
  // With what the doctor compares the unit.
  link(join(tree, INSTALLATION, 'systemd/restante.service'), '../../systemd/system/restante.service')
}

function stageDocs(
  clone: string,
  tree: string,
  { target, version, epoch }: Pick<Stage, 'target' | 'version' | 'epoch'>,
): void {
  const docs = join(tree, '/usr/share/doc/restante')
  copy(join(clone, 'docs'), join(docs, 'docs'))
  for (const name of ['README.md', 'CHANGELOG.md', 'SECURITY.md']) copy(join(clone, name), join(docs, name))
  put(join(docs, 'copyright'), copyright(clone, target))
  const date = new Date(epoch * 1000).toUTCString().replace('GMT', '+0000')
  putCompressed(
    join(docs, 'changelog.gz'),
    `restante (${version}) stable; urgency=medium\n\n  * What changed is in CHANGELOG.md beside this.\n\n -- ${maintainer()}  ${date}\n`,
  )
}

/** As Debian's own tools take it. */
export function maintainer(): string {
  const { DEBFULLNAME: name = 'Restante', DEBEMAIL: address = 'maintainers@restante.example' } = process.env
  return `${name} <${address}>`
}

function copyright(clone: string, target: Target): string {
  const modules = productionModules(clone, target).map(
    ({ path, licence }) => `${path.replace(/^node_modules\//, '')}: ${licence}`,
  )
  return `Restante is under the Apache License, version 2.0; on Debian systems it is in /usr/share/common-licenses/Apache-2.0.

Copyright: 2026 the authors of Restante

With it come, each under a licence of its own:

Node.js ${NODE_VERSION}, in ${INSTALLATION}/node, with the libraries that are part of it: see ${INSTALLATION}/node/LICENSE

Packages of npm, in ${INSTALLATION}/node_modules, where each has its licence beside it:

${modules.map((line) => `  ${line}`).join('\n')}
`
}

function link(path: string, target: string): void {
  rmSync(path, { force: true })
  symlinkSync(target, path)
}
