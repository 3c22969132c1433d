/**
 * A guard that requests second opinions where the embedded classifier would send a message but is not sure. They can only raise the verdict to
 * *hold*: they never release held or blocked mail and never block. When none of them responds, the verdict stays, with a reason that says so.
 */
import { messageOf } from '../../lib/thrown.js'
import type { Log } from '../../observe/log.js'
import { DURATION_BUCKETS, type Metrics } from '../../observe/metrics.js'
import type { Guard, GuardReason, GuardVerdict } from '../types.js'
import type { Adviser, Answer, Opinion, Question } from './types.js'

export interface SecondOpinionOptions {
  /** Risk from which second opinions are requested. */
  askAt: number
  /** Risk of a second opinion from which a message is held. */
  holdAt: number
  log?: Pick<Log, 'warn'> | undefined
  metrics?: Metrics | undefined
}

export function withSecondOpinions(guard: Guard, advisers: Adviser[], options: SecondOpinionOptions): Guard {
  if (advisers.length === 0) return guard
  const { askAt, holdAt, log } = options
  const count = adviserMetrics(options.metrics)

  async function answerOf(adviser: Adviser, question: Question): Promise<Answer> {
    const startedAt = performance.now()
    const answer = await adviser.ask(question).catch((error: unknown): Answer => {
      log?.warn({ adviser: adviser.name, reason: messageOf(error) }, 'no second opinion available')
      return { state: 'no_answer', why: 'did not respond' }
    })
    count(adviser.name, answer, performance.now() - startedAt)
    return answer
  }

  return {
    check: (subject) => guard.check(subject),
    isDoubtful: (verdict) => verdict.decision === 'send' && riskOf(verdict) >= askAt,
    async ask(subject, verdict, message) {
      const question = { subject, message }
      const answers = await Promise.all(advisers.map((adviser) => answerOf(adviser, question)))
      return answers.reduce(
        (sofar, answer, index) => heard(sofar, advisers[index]?.name ?? '', answer, holdAt),
        verdict,
      )
    },
  }
}

/** Probability of any category but legitimate. */
function riskOf({ scores }: GuardVerdict): number {
  const { legitimate, ...others } = scores
  return Math.max(0, legitimate === undefined ? 0 : 1 - legitimate, ...Object.values(others))
}

function heard(verdict: GuardVerdict, name: string, answer: Answer, holdAt: number): GuardVerdict {
  switch (answer.state) {
    case 'not_asked':
      return verdict
    case 'no_answer': {
      const reason: GuardReason = { code: 'second_opinion_unavailable', detail: `${name} ${answer.why}` }
      return { ...verdict, reasons: [...verdict.reasons, reason] }
    }
    case 'opinion':
      return raised(verdict, answer.opinion, holdAt)
  }
}

/** The verdict with the greater risk. */
export function raised(verdict: GuardVerdict, { category, risk, reasons }: Opinion, holdAt: number): GuardVerdict {
  const withReasons = { ...verdict, reasons: [...verdict.reasons, ...reasons] }
  if (category === 'legitimate' || !(risk > 0)) return withReasons
  const { legitimate } = verdict.scores
  const scores = {
    ...verdict.scores,
    ...(legitimate === undefined ? {} : { legitimate: Math.min(legitimate, rounded(1 - risk)) }),
    [category]: Math.max(verdict.scores[category] ?? 0, rounded(risk)),
  }
  if (verdict.decision !== 'send' || risk < holdAt) return { ...withReasons, scores }
  // The reason for the hold comes first: staff read it, and the sender is given it.
  return { category, scores, decision: 'hold', reasons: [...reasons, ...verdict.reasons] }
}

const rounded = (score: number): number => Math.round(score * 1000) / 1000

function adviserMetrics(metrics: Metrics | undefined): (name: string, answer: Answer, ms: number) => void {
  if (!metrics) return () => undefined
  const answers = metrics.counter('guard_second_opinions_total', 'Second opinions requested, by adviser and outcome.', [
    'adviser',
    'result',
  ])
  const seconds = metrics.histogram(
    'guard_second_opinion_seconds',
    'Time from requesting a second opinion to its response.',
    DURATION_BUCKETS,
    ['adviser'],
  )
  return (adviser, answer, ms) => {
    if (answer.state === 'not_asked') return
    answers.inc({ adviser, result: answer.state === 'opinion' ? answer.opinion.category : answer.state })
    seconds.observe({ adviser }, ms / 1000)
  }
}
