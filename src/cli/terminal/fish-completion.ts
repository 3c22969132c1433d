/** The fish function that chooses among the tables of `completion.ts`. */
export const FISH = String.raw`# Prints what may follow, each on a line; a word with "=" is completed as a whole.
function _restante
  set -l current (commandline -ct)
  set -l lead ''
  set -l command ''
  set -l wanted ''
  set -l given
  set -l args 0
  for word in (commandline -opc)[2..]
    if test -n "$wanted"
      set wanted ''
      continue
    end
    switch $word
      case '--*=*'
      case '-*'
        set given $given $word
        test -n "$(_restante_value $word)"; and set wanted $word
      case '*'
        if contains -- $word (_restante_next "$command")
          set command (string trim "$command $word")
        else
          set args (math $args + 1)
        end
    end
  end
  if test -z "$wanted"; and string match -q -- '--*=*' $current
    set wanted (string split -m 1 = -- $current)[1]
    set lead "$wanted="
    set current (string sub -s (math (string length -- $lead) + 1) -- $current)
  end
  set -l offer
  if test -n "$wanted"
    set offer (_restante_value $wanted)
  else if string match -q -- '-*' $current
    for option in (_restante_options "$command")
      contains -- $option $given; and not contains -- $option (_restante_repeated any); or set offer $offer $option
    end
  else
    set offer (_restante_argument "$command "(math $args + 1))
    test $args = 0; and set -a offer (_restante_next "$command")
  end
  switch "$offer"
    case '*@file*'
      set offer (__fish_complete_path $current)
    case '*@folder*'
      set offer (__fish_complete_directories $current '')
    case '*@setting*'
      set offer
      string match -q -- '*=*' $current; or set offer (_restante_settings any)
    case '*@nothing*'
      set offer
  end
  test -n "$offer"; and printf '%s\n' $lead$offer
end
complete -c restante -f -a '(_restante)'`
