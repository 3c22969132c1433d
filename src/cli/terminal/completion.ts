/** Completion scripts for bash, zsh and fish, generated from commands and settings. */
import { FISH } from './fish-completion.js'
import { sectionNames, settingsOf } from '../../config/schema.js'
import { STATES } from '../../relay/operator/waiting.js'
import { COMMON, OPTIONS, optionsOf, type Command, type Option } from './command.js'

export const SHELLS = ['bash', 'zsh', 'fish'] as const
type Shell = (typeof SHELLS)[number]

/** Completions by name of a value; `@` marks those of the shell. */
const VALUES: Record<string, readonly string[]> = {
  DIR: ['@folder'],
  FILE: ['@file'],
  PATH: ['@file'],
  SECTION: sectionNames,
  SHELL: SHELLS,
  STATE: STATES,
  'FILE.SETTING=VALUE': ['@setting'],
}

export function completionScript(shell: Shell, commands: readonly Command[]): string {
  const parts =
    shell === 'fish'
      ? [tables(commands, fishTable), FISH]
      : [tables(commands, table), LOOK, shell === 'bash' ? BASH : ZSH]
  return `${shell === 'zsh' ? '#compdef restante\n' : ''}# Completion of restante for ${shell}: restante completion ${shell}\n${parts.join('\n')}`
}

/** Shell functions that print the words for each place. */
function tables(commands: readonly Command[], table: (name: string, rows: Row[]) => string): string {
  const next = new Map<string, Set<string>>()
  for (const { name } of commands) {
    const words = name.split(' ')
    for (const [index, word] of words.entries()) {
      const before = words.slice(0, index).join(' ')
      next.set(before, (next.get(before) ?? new Set()).add(word))
    }
  }
  const options: [string, Option][] = Object.entries(OPTIONS)
  const settings = sectionNames.flatMap((section) =>
    [...settingsOf(section).keys()].map((name) => `${section}.${name}=`),
  )
  return [
    table(
      'next',
      [...next].map(([before, words]) => [[before], [...words]]),
    ),
    table('options', [
      ...commands.map((command): Row => [[command.name], optionsOf(command).map((name) => `--${name}`)]),
      ...[...next.keys()]
        .filter((before) => !commands.some(({ name }) => name === before))
        .map((before): Row => [[before], COMMON.map((name) => `--${name}`)]),
    ]),
    table(
      'value',
      options.flatMap(([name, { type, short, value }]) =>
        type === 'boolean'
          ? []
          : [[[`--${name}`, ...(short === undefined ? [] : [`-${short}`])], VALUES[value ?? ''] ?? ['@nothing']]],
      ),
    ),
    table(
      'argument',
      commands.flatMap(({ name, args }) =>
        args.flatMap((arg, index): Row[] => {
          const words = VALUES[arg.replace(/^\[|\]$/g, '')]
          return words === undefined ? [] : [[[`${name} ${index + 1}`], words]]
        }),
      ),
    ),
    table('repeated', [[['any'], options.flatMap(([name, { multiple }]) => (multiple === true ? [`--${name}`] : []))]]),
    table('settings', [[['any'], settings]]),
  ].join('\n')
}

type Row = [patterns: string[], words: readonly string[]]

function table(name: string, rows: Row[]): string {
  const cases = rows.map(
    ([patterns, words]) => `    ${patterns.map((each) => `'${each}'`).join('|')}) printf '%s' '${words.join(' ')}' ;;`,
  )
  return `_restante_${name}() {\n  case "$1" in\n${cases.join('\n')}\n  esac\n}`
}

function fishTable(name: string, rows: Row[]): string {
  const cases = rows.map(
    ([patterns, words]) =>
      `    case ${patterns.map((each) => `'${each}'`).join(' ')}\n      string split ' ' -- '${words.join(' ')}'`,
  )
  return `function _restante_${name}\n  switch "$argv[1]"\n${cases.join('\n')}\n  end\nend`
}

/** Takes the current word and those before it; sets the caller's `offer` (words, or `@file`, `@folder`, `@setting`) and `part`, the typed prefix. */
const LOOK = String.raw`_restante_look() {
  local current="$1" command='' wanted='' given=' ' args=0 word option
  shift
  offer='' part="$current"
  for word in "$@"; do
    if [ -n "$wanted" ]; then wanted=''; continue; fi
    case "$word" in
      --*=*) ;;
      -*)
        given="$given$word "
        if [ -n "$(_restante_value "$word")" ]; then wanted="$word"; fi
        ;;
      *)
        case " $(_restante_next "$command") " in
          *" $word "*) command="$command\${command:+ }$word" ;;
          *) args=$((args + 1)) ;;
        esac
        ;;
    esac
  done
  case "$wanted$current" in
    --*=*)
      if [ -z "$wanted" ]; then
        wanted="\${current%%=*}"
        part="\${current#*=}"
      fi
      ;;
  esac
  if [ -n "$wanted" ]; then
    offer="$(_restante_value "$wanted")"
    case "$offer$part" in @setting*=*) offer='' ;; esac
    return
  fi
  case "$current" in
    -*)
      while read -r option; do
        case "$given" in
          *" $option "*) case " $(_restante_repeated any) " in *" $option "*) offer="$offer $option" ;; esac ;;
          *) offer="$offer $option" ;;
        esac
      done <<EOT
$(_restante_options "$command" | tr ' ' '\n')
EOT
      ;;
    *)
      offer="$(_restante_argument "$command $((args + 1))")"
      if [ "$args" = 0 ]; then offer="$(_restante_next "$command") $offer"; fi
      ;;
  esac
}`.replaceAll('\\$', '$')

/** bash splits words at = : and @; completions replace only the last piece. */
const BASH = String.raw`_restante() {
  local offer part word joined='' index whole=()
  for ((index = 1; index <= COMP_CWORD; index++)); do
    word="\${COMP_WORDS[index]}"
    if [ "\${#whole[@]}" -gt 0 ] && { [[ "$word" =~ ^[=:@]+$ ]] || [ -n "$joined" ]; }; then
      whole[\${#whole[@]}-1]+="$word"
      if [[ "$word" =~ ^[=:@]+$ ]]; then joined=yes; else joined=''; fi
    else
      whole+=("$word")
    fi
  done
  COMPREPLY=()
  if [ "\${#whole[@]}" = 0 ]; then return; fi
  index=$((\${#whole[@]} - 1))
  _restante_look "\${whole[index]}" "\${whole[@]:0:index}"
  case "$offer" in
    *@file*)
      compopt -o filenames 2>/dev/null
      _restante_reply "$(compgen -f -- "$part")"
      ;;
    *@folder*)
      compopt -o filenames 2>/dev/null
      _restante_reply "$(compgen -d -- "$part")"
      ;;
    *@setting*)
      compopt -o nospace 2>/dev/null
      _restante_reply "$(compgen -W "$(_restante_settings any)" -- "$part")"
      ;;
    *@nothing*) ;;
    *) _restante_reply "$(compgen -W "$offer" -- "$part")" ;;
  esac
}
_restante_reply() {
  local line piece="\${COMP_WORDS[COMP_CWORD]}" lead
  if [[ "$piece" =~ ^[=:@]+$ ]]; then lead="$part"; else lead="\${part%"$piece"}"; fi
  while IFS= read -r line; do
    if [ -n "$line" ]; then COMPREPLY+=("\${line#"$lead"}"); fi
  done <<<"$1"
}
complete -F _restante restante`.replaceAll('\\$', '$')

const ZSH = String.raw`_restante() {
  local offer part
  _restante_look "\${words[CURRENT]}" "\${(@)words[2,CURRENT-1]}"
  case "\${words[CURRENT]}" in --*=*) compset -P '*=' ;; esac
  case "$offer" in
    *@file*) _files ;;
    *@folder*) _files -/ ;;
    *@setting*) compadd -S '' -- \${=$(_restante_settings any)} ;;
    *@nothing*) ;;
    *) compadd -- \${=offer} ;;
  esac
}
# From a folder of fpath this file is the function; sourced, it only says what it is for.
if [ "\${funcstack[1]}" = _restante ]; then _restante "$@"; else compdef _restante restante; fi`.replaceAll('\\$', '$')
