/** Turns zod issues into sentences. */
import type { z } from 'zod'
import type { FieldProblem } from '../../lib/errors.js'

type Issue = z.core.$ZodIssue

/** Max problems listed in one error. */
const MAX_PROBLEMS = 20

/**
 * @param where name of the input for problems without a field: `body`, `query`
 * @param known existing fields
 */
export function fieldProblems(issues: readonly Issue[], where: string, known: readonly string[]): FieldProblem[] {
  return issues.flatMap((issue) => describe(issue, where, known)).slice(0, MAX_PROBLEMS)
}

function describe(issue: Issue, where: string, known: readonly string[]): FieldProblem[] {
  const field = issue.path.map(String).join('.') || where
  if (issue.code === 'unrecognized_keys') {
    const prefix = issue.path.length ? `${issue.path.map(String).join('.')}.` : ''
    const right = issue.path.length === 0 && known.length ? ` Known are: ${known.join(', ')}.` : ''
    const kind = where === 'query' ? 'query parameter' : 'field'
    return issue.keys.map((name) => ({
      field: `${prefix}${name.slice(0, 100)}`,
      problem: `There is no such ${kind}.${right}`,
    }))
  }
  if (issue.code === 'invalid_union') {
    const branches = alternatives(issue.errors)
    // A branch of the right type that failed inside is more helpful than "none of these".
    const nearest = branches.find((issues) => !issues.some(isTopType))
    if (nearest)
      return nearest.flatMap((inner) => describe({ ...inner, path: [...issue.path, ...inner.path] }, where, known))
    const expected = orList(branches.flatMap((errors) => errors.filter(isTopType).map(expectedType)))
    return [{ field, problem: `It must be ${expected}.` }]
  }
  return [{ field, problem: sentence(issue) }]
}

/** The issues of each alternative of a union, nested unions flattened. */
function alternatives(branches: readonly Issue[][]): Issue[][] {
  return branches.flatMap((issues) => {
    const [only] = issues
    return only?.code === 'invalid_union' && only.path.length === 0 ? alternatives(only.errors) : [issues]
  })
}

function isTopType(issue: Issue): boolean {
  return issue.code === 'invalid_type' && issue.path.length === 0
}

function expectedType(issue: Issue): string {
  return issue.code === 'invalid_type' ? typeName(issue.expected) : 'something else'
}

function sentence(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined && issue.message.endsWith('received undefined')
        ? `It is missing; give ${typeName(issue.expected)}.`
        : `It must be ${typeName(issue.expected)}.`
    case 'invalid_value':
      return issue.values.length === 1
        ? `It must be ${JSON.stringify(issue.values[0])}.`
        : `It must be one of ${issue.values.map((value) => JSON.stringify(value)).join(', ')}.`
    case 'too_big':
      return `It must ${verb(issue.origin)} at most ${issue.maximum}${unit(issue.origin)}.`
    case 'too_small':
      return `It must ${verb(issue.origin)} at least ${issue.minimum}${unit(issue.origin)}.`
    case 'invalid_format':
      return issue.message.startsWith('Invalid ') ? 'It does not have the right form.' : issue.message
    default:
      return issue.message
  }
}

function verb(origin: string): string {
  return origin === 'string' || origin === 'array' ? 'have' : 'be'
}

function unit(origin: string): string {
  if (origin === 'string') return ' characters'
  return origin === 'array' ? ' entries' : ''
}

const TYPE_NAMES: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
}

const typeName = (expected: string): string => TYPE_NAMES[expected] ?? expected

function orList(names: string[]): string {
  const distinct = [...new Set(names)]
  return distinct.length > 1
    ? `${distinct.slice(0, -1).join(', ')} or ${distinct.at(-1)}`
    : (distinct[0] ?? 'something else')
}
