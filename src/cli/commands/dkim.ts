/** `restante dkim …`: signing keys and the DNS records that go with them. Works without a daemon. */
import { chown, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { z } from 'zod'
import { openDkimKeys } from '../../authentication/keys.js'
import type { DkimKeyInfo } from '../../authentication/keys.js'
import { normalizeDomain } from '../../config/address.js'
import type { Config } from '../../config/schema.js'
import { hasCode } from '../../lib/caught.js'
import { systemClock } from '../../lib/clock.js'
import { askDaemon } from '../admin.js'
import { CommandError, EXIT } from '../command.js'
import type { Command, Invocation } from '../command.js'
import { json, table } from '../output.js'

const create: Command = {
  name: 'dkim new',
  args: ['DOMAIN'],
  options: ['json'],
  summary: 'make DKIM keys for a domain and print their DNS records',
  about:
    'Makes an RSA-2048 and an Ed25519 key and prints both records as lines of a zone file. A running daemon takes them into use at once, so publish the\nrecords right away. Older keys stay until you remove their files: mail signed with them may still be on its way.',
  examples: ['restante dkim new agents.example.com', 'restante dkim new agents.example.com --config /etc/restante'],
  async run(invocation) {
    const { args, config, flags, print, note } = invocation
    const domain = normalizeDomain(args[0] ?? '')
    if (domain === undefined)
      throw new CommandError(EXIT.usage, `"${args[0]}" is no domain; it takes one such as agents.example.com`)
    const settings = config()
    const keys = await openDkimKeys({ dir: settings.domains.dkim_dir, clock: systemClock })
    const made = await keys.generate(domain)
    await giveToOwner(settings.server.data_dir, [
      settings.domains.dkim_dir,
      ...made.flatMap(({ path }) => [dirname(path), path]),
    ])
    if (flags.json) print(json(made.map(view)))
    else print(made.map(({ zoneLine }) => zoneLine).join('\n'))
    if (!settings.domains.names.includes(domain))
      note(
        `Note: ${domain} is not in domains.names (${settings.domains.names.join(', ')}), so nothing is signed with these keys yet.`,
      )
    await tellDaemon(settings, note)
    return EXIT.ok
  },
}

const list: Command = {
  name: 'dkim list',
  args: [],
  options: ['json'],
  summary: 'list the DKIM keys',
  about:
    'Lists the keys on disk. Of several with one algorithm the newest signs. With --json the DNS records are there too.',
  examples: ['restante dkim list', "restante dkim list --json | jq -r '.[].zone_line'"],
  async run({ config, flags, print, note }) {
    const { dkim_dir: dir } = config().domains
    const keys = (await openDkimKeys({ dir, clock: systemClock })).list()
    if (flags.json) print(json(keys.map(view)))
    else if (keys.length === 0) note(`There is no key in ${dir}. Make some with: restante dkim new DOMAIN`)
    else
      print(
        table(
          ['RECORD', 'ALGORITHM', 'SIGNS', 'FILE'],
          keys.map((key) => [key.recordName, key.algorithm, key.signs ? 'yes' : 'no', key.path]),
        ),
      )
    return EXIT.ok
  },
}

function view(key: DkimKeyInfo) {
  return {
    domain: key.domain,
    selector: key.selector,
    algorithm: key.algorithm,
    signs: key.signs,
    record_name: key.recordName,
    record_value: key.recordValue,
    zone_line: key.zoneLine,
    path: key.path,
  }
}

/** Keys that root makes for a daemon with its own user would be unreadable to that daemon. */
async function giveToOwner(dataDir: string, paths: string[]): Promise<void> {
  if (process.getuid?.() !== 0) return
  let owner: { uid: number; gid: number }
  try {
    owner = await stat(dataDir)
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return
    throw error
  }
  for (const path of new Set(paths)) await chown(path, owner.uid, owner.gid)
}

async function tellDaemon(config: Config, note: Invocation['note']): Promise<void> {
  try {
    await askDaemon(config, 'POST', '/reload', z.unknown())
    note('The running daemon signs with them now.')
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    if (error.exitCode === EXIT.unreachable)
      note('No daemon was told: one that starts later uses them; one that runs elsewhere needs a SIGHUP.')
    else note(`The running daemon did not take them over: ${error.message}`)
  }
}

export const dkimCommands: readonly Command[] = [create, list]
