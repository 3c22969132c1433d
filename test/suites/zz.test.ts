import { readFileSync } from 'node:fs'
import t from 'tap'
import { relative } from 'node:path'
import { parseMessage } from '../../src/mime/parse.js'
import { readStructure, type Entity } from '../../src/mime/structure.js'
import { limits } from '../mime/support.js'
import { filesIn } from './mime-cost.js'
t.test('x', async (t) => {
  const outline = (e: Entity): string =>
    e.children.length
      ? `${e.contentType}[${e.children.map(outline).join(', ')}]`
      : e.contentType + (e.charset ? `;${e.charset}` : '')
  for (const f of filesIn('../shared/suites/mime-enmime')) {
    if (f.endsWith('.png')) continue
    const raw = readFileSync(f)
    const m = await parseMessage(raw, limits)
    console.error(
      '##',
      relative('../shared/suites/mime-enmime', f),
      '|',
      outline(await readStructure(raw, limits)),
      '|',
      JSON.stringify(m.subject),
      JSON.stringify(m.text.slice(0, 150)),
      m.html ? JSON.stringify(m.html.slice(0, 100)) : '',
      m.attachments
        .map((a) => `${a.filename}:${a.contentType}:${a.sizeBytes}:${a.disposition}:${a.contentId}`)
        .join(' '),
      JSON.stringify([m.from, ...m.to]),
    )
  }
})
