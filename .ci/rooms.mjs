// The import rule at every depth, beside the floors of .dependency-cruiser.cjs: between two rooms of one folder imports run one way at most,
// and the files that stand directly in a folder count as one more room. No folder has more than 25 files, and the README of each folder
// of src/ names its rooms.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import ts from 'typescript'

const MAX_FILES = 25
/** Directly in the folder, and no room in it. */
const OWN_FILES = '(its own files)'

const faults = []
const filesOf = (folder) =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
const sources = filesOf('src')

/** By folder: by room: the rooms that it imports from, each with an import to show. */
const imports = new Map()
for (const file of sources.filter((name) => name.endsWith('.ts')))
  for (const { fileName } of ts.preProcessFile(readFileSync(file, 'utf8')).importedFiles) {
    if (!fileName.startsWith('.')) continue
    const target = join(dirname(file), fileName)
    const folder = sharedFolder(file, target)
    const [from, to] = [roomIn(folder, file), roomIn(folder, target)]
    if (from === to) continue
    const rooms = entryOf(imports, folder, () => new Map())
    const targets = entryOf(rooms, from, () => new Map())
    if (!targets.has(to)) targets.set(to, `${file} imports ${target}`)
  }
for (const [folder, rooms] of imports)
  for (const [from, targets] of rooms)
    for (const [to, example] of targets) {
      const back = pathBetween(rooms, to, from)
      if (back)
        faults.push(`${folder}: ${from} and ${to} import from each other: ${example}; and back: ${back.join('; ')}`)
    }

const counts = new Map()
for (const file of sources) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1)
for (const [folder, count] of counts)
  if (count > MAX_FILES) faults.push(`${folder} has ${count} files; ${MAX_FILES} at most, then it has rooms`)

for (const { name } of readdirSync('src', { withFileTypes: true }).filter((entry) => entry.isDirectory())) {
  const readme = join('src', name, 'README.md')
  const text = existsSync(readme) ? readFileSync(readme, 'utf8') : ''
  if (text === '')
    faults.push(`${readme} is missing: a sentence that says what the folder is for, and a line for each room`)
  for (const folder of counts.keys())
    if (folder.startsWith(`src/${name}/`) && text !== '') {
      const room = relative(join('src', name), folder)
      if (!text.includes(`\`${room}/\``)) faults.push(`${readme} does not name the room \`${room}/\``)
    }
}

for (const fault of faults) console.error(fault)
console.log(faults.length === 0 ? '✔ the rooms import one way at every depth' : `✘ ${faults.length} faults`)
process.exitCode = faults.length === 0 ? 0 : 1

function sharedFolder(a, b) {
  const [left, right] = [dirname(a).split('/'), dirname(b).split('/')]
  let depth = 0
  while (depth < left.length && left[depth] === right[depth]) depth++
  return left.slice(0, depth).join('/')
}

function roomIn(folder, file) {
  const rest = relative(folder, file).split('/')
  return rest.length > 1 ? rest[0] : OWN_FILES
}

function entryOf(map, key, make) {
  const found = map.get(key) ?? make()
  map.set(key, found)
  return found
}

/** The imports that lead from one room to another, whichever rooms lie between. */
function pathBetween(rooms, from, to) {
  const ways = [{ room: from, shown: [] }]
  const seen = new Set([from])
  for (const { room, shown } of ways)
    for (const [next, example] of rooms.get(room) ?? []) {
      if (next === to) return [...shown, example]
      if (!seen.has(next)) ways.push({ room: next, shown: [...shown, example] })
      seen.add(next)
    }
  return undefined
}
