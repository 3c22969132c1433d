import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import t from 'tap'
import { parseMessage } from '../../src/mime/parse.js'
import { readPart } from '../../src/mime/part.js'
import { leaves, readStructure } from '../../src/mime/structure.js'
import { MessageFormatError } from '../../src/mime/types.js'
import { limits } from '../mime/support.js'

const suites = '../shared/suites'
const skip = existsSync(suites) ? false : `${suites} is not there`

function files(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}

t.test(
  'every message of the public suites is parsed or refused, and its parts are as large as they are said to be',
  { skip },
  async (t) => {
    for (const suite of readdirSync(suites).filter((name) => name.startsWith('mime-'))) {
      let parsed = 0
      let refused = 0
      for (const file of files(join(suites, suite))) {
        const raw = readFileSync(file)
        try {
          const message = await parseMessage(raw, limits)
          parsed++
          const texts = message.text.length + (message.html?.length ?? 0) + message.extractedText.length
          // Decoding can't make text longer than the bytes it came from, but for tags and marks that stand for line breaks.
          if (texts > 4 * raw.length + 1000) t.fail(`${file}: ${texts} characters from ${raw.length} bytes`)
          for (const { part, sizeBytes } of message.attachments) {
            if ((await readPart(raw, part, limits)).length !== sizeBytes) t.fail(`${file}: part ${part}`)
          }
        } catch (error) {
          if (!(error instanceof MessageFormatError)) throw error
          refused++
        }
      }
      t.ok(parsed > 0, `${suite}: ${parsed} parsed, ${refused} refused`)
      t.equal(refused, 0, `${suite}: none breaks a limit`)
    }
  },
)

t.test('messages have the parts that mime4j finds in them', { skip }, async (t) => {
  let same = 0
  let compared = 0
  for (const file of files(join(suites, 'mime-mime4j')).filter((name) => name.endsWith('.msg'))) {
    const expected = file.replace(/\.msg$/, '.xml')
    if (!existsSync(expected)) continue
    const xml = readFileSync(expected, 'latin1')
    // mime4j opens messages in messages; here they are one part.
    if (xml.match(/<message>/g)?.length !== 1) continue
    compared++
    const parts = [...leaves(await readStructure(readFileSync(file), limits))].length
    if (parts === (xml.match(/<body>/g)?.length ?? 0)) same++
    else t.comment(`${basename(file)}: ${parts} parts here`)
  }
  // The others have no usable boundary, which mime4j shows as nothing and we show as text, or parts without header and content.
  t.ok(same >= 56 && compared === 64, `${same} of ${compared}`)
})
