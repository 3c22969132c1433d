/** rspamd's opinion of a message that is about to leave. Its operator has set its lines; what it says about them counts here, not its points. */
import type { Filter, FilterOpinion } from '../../scan/types.js'
import type { Adviser, Opinion } from './types.js'

/** What its verdicts are worth: over its line for spam is over every line to hold that makes sense here. */
const RISKS = { ham: 0, spam: 0.75, reject: 0.95 } as const satisfies Record<FilterOpinion['verdict'], number>
const MAX_REASONS = 5

export function createRspamdAdviser(filter: Filter & { close(): void }): Adviser {
  return {
    name: 'rspamd',
    async ask({ message }) {
      if (!message) return { state: 'not_asked' }
      const opinion = await filter.rate({
        raw: await message.read(),
        id: message.id,
        // As programs of this machine hand mail in: rules about who connects have nothing to say.
        clientAddress: '127.0.0.1',
        clientName: null,
        helo: 'localhost',
        from: message.from,
        user: message.from,
        recipients: [],
      })
      return opinion === undefined
        ? { state: 'no_answer', why: 'gave no answer' }
        : { state: 'opinion', opinion: opinionOf(opinion) }
    },
    close: () => filter.close(),
  }
}

function opinionOf({ verdict, score, reasons }: FilterOpinion): Opinion {
  const summary = {
    code: 'second_opinion',
    detail: `rspamd calls it ${verdict} (${Math.round(score * 10) / 10} points)`,
  }
  const theirs = verdict === 'ham' ? [] : reasons.slice(0, MAX_REASONS)
  return {
    category: verdict === 'ham' ? 'legitimate' : 'spam',
    risk: RISKS[verdict],
    reasons: [summary, ...theirs.map(({ code, detail }) => ({ code: `rspamd:${code}`, detail }))],
  }
}
