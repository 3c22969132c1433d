/** rspamd's opinion of an outgoing message. Its verdict by its operator's thresholds counts, not its points. */
import type { Filter, FilterOpinion } from '../../scan/types.js'
import type { Adviser, Opinion } from './types.js'

/** Risk of each verdict: spam is above every sensible line for a hold. */
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
        // Pretends that a program on this machine submitted it, so that rules about the client do not apply.
        clientAddress: '127.0.0.1',
        clientName: null,
        helo: 'localhost',
        from: message.from,
        user: message.from,
        recipients: [],
      })
      return opinion === undefined
        ? { state: 'no_answer', why: 'did not respond' }
        : { state: 'opinion', opinion: opinionOf(opinion) }
    },
    close: () => filter.close(),
  }
}

function opinionOf({ verdict, score, reasons }: FilterOpinion): Opinion {
  const summary = {
    code: 'second_opinion',
    detail: `rspamd: ${verdict} (${Math.round(score * 10) / 10} points)`,
  }
  const theirs = verdict === 'ham' ? [] : reasons.slice(0, MAX_REASONS)
  return {
    category: verdict === 'ham' ? 'legitimate' : 'spam',
    risk: RISKS[verdict],
    reasons: [summary, ...theirs.map(({ code, detail }) => ({ code: `rspamd:${code}`, detail }))],
  }
}
