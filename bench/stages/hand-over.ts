/** A message to a judging thread and its judgement back: both threads, without the judging. */
import { createLogger } from '../../src/observe/log.js'
import { startJudges } from '../../src/mx/judging/judges.js'
import { DEFAULT_LINES } from '../../src/guard/verdict/spam.js'
import { PARSE_LIMITS } from '../support/mail-parts.js'
import { CLIENT, ENVELOPE, judgementOf } from './incoming.js'
import { each, mailAt, type StartStage } from './stage.js'

const AT_ONCE = 50
/** Judgements that the thread has to give, which it takes in turn. */
const JUDGEMENTS = 100

export const handOver: StartStage = async (file) => {
  const ready = file.mails.slice(0, JUDGEMENTS)
  process.env['BENCH_JUDGEMENTS'] = JSON.stringify(
    await Promise.all(ready.map(({ raw }) => judgementOf(raw, file.record))),
  )
  const judges = await startJudges({
    count: 1,
    options: {
      dnsServers: [],
      authservId: 'mx.agents.test',
      parseLimits: PARSE_LIMITS,
      spamLines: DEFAULT_LINES,
    },
    log: createLogger({ level: 'silent' }),
    worker: new URL('../processes/ready-judge.js', import.meta.url),
  })
  return {
    run: (from, to) =>
      each(from, to, AT_ONCE, async (n) => {
        const judgement = await judges.judge({ ...ENVELOPE, raw: mailAt(file, n).raw, client: CLIENT })
        if (judgement.kind !== 'judged') throw new Error(judgement.problem)
      }),
    close: judges.close,
  }
}
