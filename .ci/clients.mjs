/**
 * Writes the clients as the daemon serves them to `dist/clients`: the Python file, and the package of npm. The same files give the same bytes.
 */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'

const ROOT = resolve(import.meta.dirname, '..')
const OUT = join(ROOT, 'dist/clients')
const TYPESCRIPT = join(ROOT, 'clients/typescript')
/** Seconds since 1970, as in every package of npm. */
const TIME = 499_162_500
const BLOCK = 512

/** A file in a tar archive (POSIX.1-1988, ustar). @param path at most 100 octets */
function entry(path, content) {
  const head = Buffer.alloc(BLOCK)
  const put = (text, at) => head.write(text, at, 'latin1')
  const octal = (number, at, length) => put(`${number.toString(8).padStart(length - 1, '0')}\0`, at)
  if (Buffer.byteLength(path) > 100) throw new Error(`${path} is too long for the archive`)
  put(path, 0)
  octal(0o644, 100, 8)
  octal(0, 108, 8)
  octal(0, 116, 8)
  octal(content.length, 124, 12)
  octal(TIME, 136, 12)
  put('        ', 148)
  put('0', 156)
  put('ustar\x0000', 257)
  const sum = head.reduce((all, octet) => all + octet, 0)
  put(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return Buffer.concat([head, content, Buffer.alloc((BLOCK - (content.length % BLOCK)) % BLOCK)])
}

const code = (await readdir(join(TYPESCRIPT, 'dist'))).filter((name) => /\.(?:js|d\.ts)$/.test(name))
const files = ['package.json', 'README.md', ...code.map((name) => `dist/${name}`)].sort()
const entries = await Promise.all(
  files.map(async (name) => entry(`package/${name}`, await readFile(join(TYPESCRIPT, name)))),
)
entries.push(entry('package/LICENSE', await readFile(join(ROOT, 'LICENSE'))))
const archive = gzipSync(Buffer.concat([...entries, Buffer.alloc(2 * BLOCK)]), { level: 9 })
// The operating system that packed it (RFC 1952 §2.3): unknown.
archive[9] = 255

await mkdir(OUT, { recursive: true })
await writeFile(join(OUT, 'restante-client.tgz'), archive)
await writeFile(join(OUT, 'restante.py'), await readFile(join(ROOT, 'clients/python/restante.py')))
