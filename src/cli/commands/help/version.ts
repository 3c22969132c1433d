/** `restante version`. */
import { installedVersion } from '../../../config/version.js'
import { EXIT, type Command } from '../../terminal/command.js'
import { json } from '../../terminal/output.js'

export const version: Command = {
  name: 'version',
  args: [],
  options: ['json'],
  summary: 'print the version',
  about: 'Prints the version of Restante, of Node, and the platform.',
  examples: ['restante version'],
  async run({ flags, print }) {
    if (flags.json)
      print(
        json({ restante: installedVersion(), node: process.version, platform: process.platform, arch: process.arch }),
      )
    else print(`restante ${installedVersion()} (Node ${process.version}, ${process.platform}-${process.arch})`)
    return EXIT.ok
  },
}
