/** Which names can be claimed, and why one can't. */
import { ServiceError, invalidRequest } from '../lib/errors.js'

const MIN_LENGTH = 5
const MAX_LENGTH = 32
const MAX_AGENT_NAME_LENGTH = 100
const FRESH = 'Then fetch a fresh challenge with GET /v1/claim/challenge and call POST /v1/claim again.'

/** @throws ServiceError `invalid_request` when the name breaks the rules that every name has to keep */
export function checkNameForm(name: string, next = 'Call POST /v1/claim again with the same challenge.'): void {
  const problem = nameProblem(name)
  if (problem === undefined) return
  throw invalidRequest(
    `The name can't be used: ${problem}.`,
    `Choose 5 to 32 characters of a-z, 0-9 and single ".", "-" or "_" between them. ${next}`,
    [{ field: 'name', problem }],
  )
}

function nameProblem(name: string): string | undefined {
  if (name.length < MIN_LENGTH || name.length > MAX_LENGTH)
    return `it has ${name.length} characters, 5 to 32 are allowed`
  if (!/^[a-z0-9._-]*$/.test(name)) return 'it may hold only a-z (lower case), 0-9, ".", "-" and "_"'
  if (!/^[a-z0-9].*[a-z0-9]$/.test(name)) return 'it must start and end with a letter or digit'
  if (/[._-]{2}/.test(name)) return 'two of ".", "-" and "_" may not follow one another'
  return undefined
}

/** A name as a reader takes it: `post.master` and `post-master` are as misleading as `postmaster`. */
const withoutSeparators = (name: string): string => name.toLowerCase().replace(/[._-]/g, '')

/** @returns a check that throws `name_reserved` for a name on the list, however it is separated */
export function reservedNames(names: string[], next = FRESH): (name: string) => void {
  const reserved = new Set(names.map(withoutSeparators))
  return (name) => {
    if (!reserved.has(withoutSeparators(name))) return
    throw new ServiceError(
      'name_reserved',
      `The name "${name}" is reserved for the operator.`,
      `Choose another name. ${next}`,
    )
  }
}

export function nameTaken(address: string): ServiceError {
  return new ServiceError('name_taken', `The address ${address} is in use.`, `Choose another name. ${FRESH}`)
}

/**
 * An agent's name for itself, as it is shown to the human who approves: one short line.
 *
 * @returns null when there is none
 * @throws ServiceError `invalid_request`
 */
export function checkAgentName(agentName: string | undefined): string | null {
  const trimmed = agentName?.trim() ?? ''
  if (trimmed === '') return null
  const problem =
    [...trimmed].length > MAX_AGENT_NAME_LENGTH
      ? `it has more than ${MAX_AGENT_NAME_LENGTH} characters`
      : // Control, format (zero-width, direction) and line characters could dress the name up as other words on the page.
        /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u.test(trimmed)
        ? 'it holds control or invisible characters'
        : undefined
  if (problem === undefined) return trimmed
  throw invalidRequest(
    `The agent_name can't be used: ${problem}.`,
    'Call POST /v1/claim again with the same challenge and a plain short name.',
    [{ field: 'agent_name', problem }],
  )
}
