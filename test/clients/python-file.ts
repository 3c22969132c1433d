/** The Python client as one file: its parts by hand, with the types and methods that are made from the description of the API. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { methodsOf, isKeyed, type OpenApi } from './openapi.js'
import { pythonMethods } from './python-methods.js'
import { PythonTypes } from './python-types.js'

const PARTS = join(process.cwd(), 'clients/python/parts')

/** In the order of the file; `methods` is followed by AsyncRestante, which is made of it. */
const ORDER = [
  'errors',
  'steps',
  'claiming',
  'waiting',
  'transport',
  'ed25519',
  'webhooks',
  'attachments',
  'methods',
  'claims',
]
const PUBLIC = [
  'AsyncClaimed',
  'AsyncRestante',
  'Claimed',
  'Code',
  'OMITTED',
  'Restante',
  'RestanteError',
  'WebhookError',
  'attachment',
  'claim',
  'claim_async',
  'solve',
  'verify_webhook',
]

/** The whole file `restante.py`. */
export async function pythonFile(api: OpenApi): Promise<string> {
  const types = new PythonTypes(api)
  const methods = pythonMethods(types)
  const parts = await Promise.all(ORDER.map(async (name) => ({ name, ...(await readPart(name)) })))
  const about = await readFile(join(PARTS, '__init__.py'), 'utf8')
  const bodies = parts.map(({ name, title, body }) => {
    const whole = name === 'methods' ? `${body}\n\n${methods}` : body
    return `# ${title}\n\n${whole}${name === 'methods' ? `\n\n${asyncClass(whole)}` : ''}`
  })
  return [
    about.trimEnd(),
    '',
    '# Made from clients/python/parts and the description of the API: not to be changed by hand.',
    '',
    'from __future__ import annotations',
    '',
    ...importsOf(parts.flatMap(({ imports }) => imports)),
    '',
    `__all__ = [\n${PUBLIC.map((name) => `    "${name}",`).join('\n')}\n]`,
    '',
    '# The types of the service; every one is a dict.',
    '',
    types.text(),
    '',
    '#: Method, path, and whether it takes an `Idempotency-Key`.',
    '_OPERATIONS: Dict[str, Tuple[str, str, bool]] = {',
    ...methodsOf(api).map(
      ({ method, path, operation }) =>
        `    "${operation.operationId}": ("${method}", "${path}", ${isKeyed(operation) ? 'True' : 'False'}),`,
    ),
    '}',
    '',
    bodies.join('\n\n'),
  ]
    .join('\n')
    .replace(/\n{4,}/g, '\n\n\n')
    .trimEnd()
    .concat('\n')
}

/** A part without its imports, of which those of the standard library stay at the head of the file. */
async function readPart(name: string): Promise<{ title: string; imports: string[]; body: string }> {
  const text = await readFile(join(PARTS, `${name}.py`), 'utf8')
  const [, title = ''] = /^"""(.+?)"""/s.exec(text) ?? []
  const rest = text.slice(title.length + 6)
  const imports = [...rest.matchAll(/^(?:import [\w.]+|from \w[\w.]* import .+)$/gm)].map(([line]) => line)
  const body = rest.replace(/^(?:import|from) .+\n/gm, '').trim()
  return { title: title.split('\n')[0] ?? '', imports, body }
}

/** One line for each module. */
function importsOf(lines: readonly string[]): string[] {
  const names = new Map<string, Set<string>>([
    ['typing', new Set(['AsyncIterator', 'Dict', 'List', 'Literal', 'Optional', 'Tuple', 'TypedDict', 'Union'])],
  ])
  const modules = new Set<string>()
  for (const line of lines) {
    const [, module, list] = /^from (\S+) import (.+)$/.exec(line) ?? []
    if (module === undefined || list === undefined) modules.add(line)
    else names.set(module, new Set([...(names.get(module) ?? []), ...list.split(', ')]))
  }
  return [
    ...[...modules].sort(),
    ...[...names].sort().map(([module, own]) => `from ${module} import ${[...own].sort().join(', ')}`),
  ]
}

/** The class for asyncio: what waits for a step is a coroutine. */
function asyncClass(text: string): string {
  const [head = '', ...methods] = text.split(/^(?= {4}def )/m)
  return [
    head
      .replace('class Restante:', 'class AsyncRestante:')
      .replace(
        "Calls of a mailbox's agent.",
        'As Restante, for asyncio: a call is awaited, and a list is read with `async for`.',
      ),
    ...methods.map((method) => {
      if (method.includes('def _run('))
        return method.replace('    def', '    async def').replace('return _run(', 'return await _run_async(')
      const waits = method.includes('self._run(')
      return (waits ? method.replace('    def', '    async def') : method)
        .replaceAll('self._run(', 'await self._run(')
        .replaceAll('Iterator[', 'AsyncIterator[')
    }),
  ].join('')
}
