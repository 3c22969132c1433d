/** A server of HTTP that was asked for and can't be had. */
import { spawnSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'

t.test(
  'server.http_driver = "uws" without a binary for this Node ends the start with 78, and says what to do',
  async (t) => {
    const dir = t.testdir()
    // As on a version of Node for which there is none.
    const otherNode = join(dir, 'other-node.mjs')
    writeFileSync(
      otherNode,
      "Object.defineProperty(process, 'versions', { value: { ...process.versions, modules: '999' } })",
    )
    const data = join(dir, 'var')
    const settings = ['server.http_driver=uws', `server.data_dir=${data}`].flatMap((each) => ['--set', each])
    const { status, stderr } = spawnSync(
      process.execPath,
      ['--import', otherNode, 'bin/restante', 'start', ...settings],
      {
        encoding: 'utf8',
      },
    )
    t.equal(status, 78)
    t.match(stderr, /server\.http_driver: "uws" cannot be used: .*\(ABI 999\).*Set it to "auto" or "node"/)
    t.equal(existsSync(data), false, 'nothing was made')
  },
)
