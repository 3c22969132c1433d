/** The versions of Node.js that the product runs on: the one of the tests, and those of test/nodes. */
import { join } from 'node:path'
import { peer } from './peers.js'

const FOLDER = join(process.cwd(), 'test/nodes/node_modules')

export interface NodeVersion {
  /** As in `process.versions.node`, up to the first point. */
  major: number
  program: string
  /** For the options of a test. */
  options: { skip: string | false }
}

/** @throws Error when one is missing and `REQUIRE_PEERS=1` */
export function nodeVersions(): NodeVersion[] {
  const own = Number.parseInt(process.versions.node, 10)
  const others = [22, 24].filter((major) => major !== own)
  return [
    { major: own, program: process.execPath, options: { skip: false } },
    ...others.map((major) => {
      const program = join(FOLDER, `node${major}/bin/node`)
      return { major, program, options: peer(`Node.js ${major} (npm ci --prefix test/nodes)`, program) }
    }),
  ]
}
