/** DEBIAN/: what dpkg has to know, and the scripts that it runs. */
import { createHash } from 'node:crypto'
import { chmodSync, lstatSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { copy, put } from './files.js'
import type { Target } from './target.js'
import { maintainer } from './tree.js'

export interface Described {
  clone: string
  tree: string
  version: string
  target: Target
  /** Packages of Debian that its binaries need. */
  libraries: readonly string[]
}

export function writeControl({ clone, tree, version, target, libraries }: Described): void {
  const files = readdirSync(tree, { recursive: true, encoding: 'utf8' })
    .filter((name) => name !== 'DEBIAN' && !name.startsWith('DEBIAN/'))
    .sort()
    .map((name) => ({ name, found: lstatSync(join(tree, name)) }))
  const kib = files.reduce((sum, { found }) => sum + (found.isFile() ? Math.ceil(found.size / 1024) : 1), 0)
  const fields = [
    ['Package', 'restante'],
    ['Version', version],
    ['Architecture', target.architecture],
    ['Maintainer', maintainer()],
    ['Installed-Size', String(kib)],
    // And perl-base for the launcher, which is essential and so not named.
    ['Depends', ['adduser', ...libraries].join(', ')],
    // The scanner takes more than a gigabyte of memory: on a small server it is in the way.
    ['Recommends', 'ca-certificates, unbound'],
    ['Suggests', 'clamav-daemon'],
    ['Section', 'mail'],
    ['Priority', 'optional'],
    [
      'Description',
      [
        'mailbox service for software agents',
        'Agents claim an address by proof of work, a human approves it, and mail',
        'comes and goes over REST, webhooks and MCP. The daemon receives and sends',
        'mail itself (SMTP, DKIM, SPF, DMARC, MTA-STS), with a guard in front of',
        'what agents read and send.',
        '.',
        'The Node.js that it runs on is part of this package.',
      ].join('\n '),
    ],
  ]
  put(join(tree, 'DEBIAN/control'), `${fields.map(([name, value]) => `${name}: ${value}`).join('\n')}\n`)
  put(
    join(tree, 'DEBIAN/md5sums'),
    files
      .filter(({ found }) => found.isFile())
      .map(
        ({ name }) =>
          `${createHash('md5')
            .update(readFileSync(join(tree, name)))
            .digest('hex')}  ${name}\n`,
      )
      .join(''),
  )
  for (const script of ['postinst', 'prerm', 'postrm']) {
    const path = join(tree, 'DEBIAN', script)
    copy(join(clone, 'systemd/debian', script), path)
    chmodSync(path, 0o755)
  }
}
