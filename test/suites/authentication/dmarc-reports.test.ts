/** Reports that parsedmarc's authors collected: each is read, also those with text that is no XML. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { parseMessage } from '../../../src/mime/parse/parse.js'
import { readReport, readReportMail } from '../../../src/reporting/received/read.js'
import { reportParts } from '../../../src/reporting/received/recognise.js'
import { Refused, type Reading } from '../../../src/reporting/received/types.js'
import { suiteDir } from '../suite.js'

const DIR = join(suiteDir({ folder: 'dmarc-parsedmarc-reports' }), 'samples')
const LIMITS = { maxHeaderBytes: 262_144, maxParts: 1000, maxDepth: 30 }

async function readFileOf(path: string): Promise<Reading> {
  const file = readFileSync(path)
  if (path.endsWith('.eml')) {
    return readReportMail(file, reportParts(await parseMessage(file, LIMITS), true), LIMITS)
  }
  try {
    return { kind: 'read', report: readReport(file) }
  } catch (error) {
    if (error instanceof Refused) return { kind: 'refused', refusal: error.refusal }
    throw error
  }
}

t.test('collected reports are read', { skip: existsSync(DIR) ? false : `${DIR} is not there` }, async (t) => {
  for (const folder of ['aggregate', 'aggregate_invalid', 'smtp_tls']) {
    for (const name of readdirSync(join(DIR, folder))) {
      const reading = await readFileOf(join(DIR, folder, name))
      t.match(reading, { kind: 'read', report: { domain: /\./, rows: Array } }, name)
    }
  }
})
