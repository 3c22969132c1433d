/** Every metric that the source declares, read from the calls that declare it: name, kind, labels and help as they stand there. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import ts from 'typescript'

const KINDS: Record<string, 'counter' | 'gauge' | 'histogram'> = {
  counter: 'counter',
  gauge: 'gauge',
  gauges: 'gauge',
  histogram: 'histogram',
}
/** At which argument a call has its labels. */
const LABELS_AT: Record<string, number> = { counter: 2, histogram: 3, gauges: 2 }

export interface DeclaredMetric {
  /** With the prefix, as it is scraped. */
  name: string
  kind: 'counter' | 'gauge' | 'histogram'
  labels: string[]
  help: string
}

/** By name. @throws Error for a declaration whose words are made at run time: nobody could look them up */
export async function declaredMetrics(): Promise<DeclaredMetric[]> {
  const found: DeclaredMetric[] = []
  for (const entry of await readdir('src', { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (!entry.isFile() || !path.endsWith('.ts') || path === join('src', 'observe', 'metrics.ts')) continue
    const text = await readFile(path, 'utf8')
    if (!text.includes('metrics')) continue
    const visit = (node: ts.Node): void => {
      if (ts.isCallExpression(node)) {
        const metric = declarationOf(node, path)
        if (metric) found.push(metric)
      }
      ts.forEachChild(node, visit)
    }
    visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true))
  }
  return found.sort((a, b) => (a.name < b.name ? -1 : 1))
}

function declarationOf(call: ts.CallExpression, path: string): DeclaredMetric | undefined {
  const callee = call.expression
  if (!ts.isPropertyAccessExpression(callee) || !/(^|\.)metrics$/.test(callee.expression.getText())) return undefined
  const method = callee.name.text
  const kind = KINDS[method]
  if (kind === undefined) return undefined
  const [name, help] = call.arguments.map(textOf)
  if (name === undefined || help === undefined)
    throw new Error(`${path}: a metric has to be declared with literal words`)
  const at = LABELS_AT[method]
  const labels = at === undefined ? undefined : call.arguments[at]
  return { name: `restante_${name}`, kind, help, labels: labels ? wordsOf(labels, path) : [] }
}

function wordsOf(node: ts.Node, path: string): string[] {
  const words = ts.isArrayLiteralExpression(node) ? node.elements.map(textOf) : [textOf(node)]
  return words.map((word) => {
    if (word === undefined) throw new Error(`${path}: labels have to be literal words`)
    return word
  })
}

function textOf(node: ts.Node): string | undefined {
  return ts.isStringLiteralLike(node) ? node.text : undefined
}
