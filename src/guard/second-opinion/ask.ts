/**
 * A guard that asks others where the embedded classifier lets a message go and is not sure of it. What they say can bring it before a person, and
 * nothing else: they never release what is held or blocked, never block, and when none of them has an answer the verdict stands as it was, with
 * a reason that tells so.
 */
import { messageOf } from '../../lib/thrown.js'
import type { Log } from '../../observe/log.js'
import { DURATION_BUCKETS } from '../../observe/metrics.js'
import type { Metrics } from '../../observe/metrics.js'
import type { Guard, GuardReason, GuardVerdict } from '../types.js'
import type { Adviser, Answer, Opinion, Question } from './types.js'

export interface SecondOpinionOptions {
  /** Risk from which others are asked. */
  askAt: number
  /** Risk from which their word holds a message. */
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
      log?.warn({ adviser: adviser.name, reason: messageOf(error) }, 'a second opinion could not be had')
      return { state: 'no_answer', why: 'gave no answer' }
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

/** How likely it is to be anything but legitimate. */
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

/** The verdict with the greater risk of the two. */
export function raised(verdict: GuardVerdict, { category, risk, reasons }: Opinion, holdAt: number): GuardVerdict {
  const told = { ...verdict, reasons: [...verdict.reasons, ...reasons] }
  if (category === 'legitimate' || !(risk > 0)) return told
  const { legitimate } = verdict.scores
  const scores = {
    ...verdict.scores,
    ...(legitimate === undefined ? {} : { legitimate: Math.min(legitimate, rounded(1 - risk)) }),
    [category]: Math.max(verdict.scores[category] ?? 0, rounded(risk)),
  }
  if (verdict.decision !== 'send' || risk < holdAt) return { ...told, scores }
  // What holds it comes first: it is what a person reads, and what the sender is told.
  return { category, scores, decision: 'hold', reasons: [...reasons, ...verdict.reasons] }
}

const rounded = (score: number): number => Math.round(score * 1000) / 1000

function adviserMetrics(metrics: Metrics | undefined): (name: string, answer: Answer, ms: number) => void {
  if (!metrics) return () => undefined
  const answers = metrics.counter('guard_second_opinions_total', 'Second opinions asked for, by whom and what came.', [
    'adviser',
    'result',
  ])
  const seconds = metrics.histogram(
    'guard_second_opinion_seconds',
    'From asking for a second opinion to its answer.',
    DURATION_BUCKETS,
    ['adviser'],
  )
  return (adviser, answer, ms) => {
    if (answer.state === 'not_asked') return
    answers.inc({ adviser, result: answer.state === 'opinion' ? answer.opinion.category : answer.state })
    seconds.observe({ adviser }, ms / 1000)
  }
}
