/**
 * Writes what `bin/restante` runs to `dist/bundle`: all code, with the packages that are plain JavaScript, in few files. Most of a start was spent on
 * finding and reading more than a thousand modules (docs/decisions/packaging/program-is-bundled.md).
 */
import { readFile, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, relative, resolve } from 'node:path'
import { build } from 'esbuild'

const OUT = resolve(import.meta.dirname, '../dist/bundle')
const SOURCES = resolve(import.meta.dirname, '../src')

/** The program, its threads and its child processes: each is loaded by its path. */
const ENTRIES = [
  'cli/main.ts',
  'cli/verify/verify-process.ts',
  'daemon/front/front-process.ts',
  'http/json/json-thread.ts',
  'mailbox/mail-work/mail-thread.ts',
  'mime/documents/file-thread.ts',
  'mx/judging/judge-worker.ts',
  'reporting/received/reader-thread.ts',
]

/** Packages with binaries, which they look for beside their own files. */
const EXTERNAL = ['lmdb', 'msgpackr', 'uWebSockets.js']

/** `new URL('./x.js', import.meta.url)` of an entry leads to its bundle; any other use of `import.meta.url` to the compiled file, as without bundling. */
const paths = {
  name: 'paths',
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      if (!path.startsWith(SOURCES)) return undefined
      const text = await readFile(path, 'utf8')
      const compiled = relative(SOURCES, path).replace(/\.ts$/, '.js')
      // esbuild knows no named exports of a CommonJS package that is imported so.
      const name = /\bimport\('([^.'][^']*)'\)/.exec(text)?.[1]
      if (name !== undefined && !EXTERNAL.includes(name))
        throw new Error(`${compiled} imports ${name} when used: import a file which does so`)
      if (!text.includes('import.meta')) return undefined
      const contents = text
        .replace(/new URL\('\.\/([\w-]+)\.js', import\.meta\.url\)/g, (use, name) => {
          const entry = relative(SOURCES, resolve(dirname(path), `${name}.ts`))
          if (!ENTRIES.includes(entry)) throw new Error(`${compiled} loads ${entry} by its path: add it to ENTRIES`)
          return `new URL('./${name}.js', import.meta.url)`
        })
        .replace(/(?<!\.js', )import\.meta\.url/g, `new URL('../${compiled}', import.meta.url).href`)
      return { contents, loader: 'ts' }
    })
  },
}

/** The texts of zod's errors in 60 languages, of which English alone is used. */
const languages = {
  name: 'languages',
  setup({ onLoad }) {
    onLoad({ filter: /zod\/v4\/locales\/index\.js$/ }, () => ({ contents: "export { default as en } from './en.js'" }))
  },
}

/** The log of imapflow, which is off here (`logger: false`) and would bring a second pino, and so a further file for each start. */
const quietImap = {
  name: 'quiet-imap',
  setup({ onLoad }) {
    const contents = 'export const createConnectionLogger = () => { throw new Error("imapflow has no log here") }'
    onLoad({ filter: /imapflow\/dist\/esm\/logger\.js$/ }, () => ({ contents }))
  },
}

await rm(OUT, { recursive: true, force: true })
const { metafile } = await build({
  entryPoints: ENTRIES.map((entry) => ({ in: resolve(SOURCES, entry), out: basename(entry, '.ts') })),
  outdir: OUT,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  external: EXTERNAL,
  plugins: [paths, languages, quietImap],
  // For CommonJS packages, which require modules of Node.
  banner: {
    js: "import { createRequire as bundleRequire } from 'node:module'; const require = bundleRequire(import.meta.url);",
  },
  // Names and lines stay, so that stack traces can be read; NODE_OPTIONS=--enable-source-maps gives those of src/.
  sourcemap: true,
  sourcesContent: false,
  logLevel: 'warning',
  metafile: true,
})

// For test/cli/loaded.test.ts: the packages in each file.
const packages = Object.entries(metafile.outputs).map(([file, { inputs }]) => {
  const names = Object.keys(inputs).flatMap((input) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(input)?.[1] ?? [])
  return [basename(file), [...new Set(names)].sort()]
})
await writeFile(resolve(OUT, 'packages.json'), JSON.stringify(Object.fromEntries(packages)))
