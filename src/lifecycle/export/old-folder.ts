/** Archives that earlier versions kept as files of the data folder, `<account>.<export>.zip`: moved to the blob store, where every node reaches them. */
import { createReadStream } from 'node:fs'
import { readdir, rm, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { hasCode } from '../../lib/thrown.js'
import { ifExists } from '../../lib/files.js'
import type { Blobs, Store } from '../../store/types.js'
import { createPieceWriter, discardPieces } from './pieces.js'
import { changeExport, readExport } from './record.js'

const NAME = /^(acc_[0-9A-Z]{26})\.(exp_[0-9A-Z]{26})\.(zip|draft)$/
/** The same at each try, so that an interrupted one leaves no pieces of its own. */
const BUILD = 'file'

export interface AdoptDeps {
  store: Store
  blobs: Pick<Blobs, 'put' | 'size' | 'discard'>
  /** The folder; removed when it is empty. */
  dir: string
}

/** Interrupted anywhere, it goes on with the next call. @throws the signal's reason */
export async function adoptFiles({ store, blobs, dir }: AdoptDeps, signal: AbortSignal): Promise<void> {
  const names = await ifExists(readdir(dir))
  if (!names) return
  for (const name of names) {
    const [, accountId, id, kind] = NAME.exec(name) ?? []
    if (accountId === undefined || id === undefined) continue
    const record = await readExport(store, accountId, id)
    if (kind === 'zip' && record?.state === 'ready' && !record.archive) {
      const pieces = createPieceWriter(blobs, record, BUILD)
      for await (const bytes of createReadStream(join(dir, name), { signal })) await pieces.write(bytes)
      const archive = await pieces.end()
      if (!(await changeExport(store, record, { archive }, ({ state }) => state === 'ready')))
        await discardPieces(blobs, record, archive)
    }
    signal.throwIfAborted()
    await rm(join(dir, name), { force: true })
  }
  await rmdir(dir).catch((error: unknown) => {
    // Something of somebody else lies there.
    if (!hasCode(error, 'ENOTEMPTY')) throw error
  })
}
