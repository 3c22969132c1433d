/** Checks names of claims. */
import { lookKey } from '../../guard/text/confusables.js'
import { ServiceError, invalidRequest } from '../../lib/errors.js'
import { displayNameProblem } from '../../mime/display-name.js'

const MIN_LENGTH = 5
const MAX_LENGTH = 32
/** Always reserved, whatever the operator's list: mail to `…@simulator.DOMAIN` has outcomes on demand. */
const ALWAYS_RESERVED = ['simulator']
const FRESH = 'Then fetch a fresh challenge with GET /v1/claim/challenge and call POST /v1/claim again.'

/** @throws ServiceError `invalid_request` for a name of invalid form */
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
  if (!/^[a-z0-9._-]*$/.test(name)) return 'it may contain only a-z (lower case), 0-9, ".", "-" and "_"'
  if (!/^[a-z0-9].*[a-z0-9]$/.test(name)) return 'it must start and end with a letter or digit'
  if (/[._-]{2}/.test(name)) return 'two of ".", "-" and "_" may not follow one another'
  return undefined
}

/** Form for comparing look-alikes: `post.master`, `post-master` and `p0stmaster` are as misleading as `postmaster`. */
const asRead = (name: string): string => lookKey(name.toLowerCase().replace(/[._-]/g, ''))

/** @returns a check that throws `name_reserved` for names on the list and look-alikes */
export function reservedNames(names: string[], next = FRESH): (name: string) => void {
  const reserved = new Map([...ALWAYS_RESERVED, ...names].map((name) => [asRead(name), name]))
  return (name) => {
    const like = reserved.get(asRead(name))
    if (like === undefined) return
    throw new ServiceError(
      'name_reserved',
      like === name
        ? `The name "${name}" is reserved for the operator.`
        : `The name "${name}" looks like "${like}", which is reserved for the operator.`,
      `Choose another name. ${next}`,
    )
  }
}

export function nameTaken(address: string, next = FRESH): ServiceError {
  return new ServiceError('name_taken', `The address ${address} is in use.`, `Choose another name. ${next}`)
}

/** The agent's name on one short line, shown to the human who approves; null if there is none. @throws ServiceError `invalid_request` */
export function checkAgentName(agentName: string | undefined): string | null {
  const trimmed = agentName?.trim() ?? ''
  if (trimmed === '') return null
  const problem = displayNameProblem(trimmed)
  if (problem === undefined) return trimmed
  throw invalidRequest(
    `The agent_name can't be used: it ${problem}.`,
    'Call POST /v1/claim again with the same challenge and a plain short name.',
    [{ field: 'agent_name', problem: `It ${problem}` }],
  )
}
