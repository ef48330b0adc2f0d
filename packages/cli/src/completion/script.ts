import type { Command } from 'commander';
import { completionPoints, type CompletionPoint } from './completion-points.ts';

/** A script for the shell, with all current commands and flags. */
export function completionScript(shell: string, program: Command): string {
  return (SHELLS[shell] ?? bash)(completionPoints(program));
}

const SHELLS: Readonly<Record<string, (points: ReadonlyArray<CompletionPoint>) => string>> = { bash, zsh, fish };

/** The commands so far are the words before the cursor that are no flags, as long as they match a command. */
function bash(points: ReadonlyArray<CompletionPoint>): string {
  return `# bash completion for attractor
_attractor() {
  local current="\${COMP_WORDS[COMP_CWORD]}" path="" word i
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="\${COMP_WORDS[i]}"
    [[ "$word" == -* ]] && continue
    case " \${path:+$path }$word " in
${caseLines(points, (path) => `      " ${path} ") path=${quoted(path)} ;;`)}
    esac
  done
  local words=""
  case "$path" in
${points.map(({ path, words }) => `    ${quoted(path)}) words=${quoted(words.map(({ word }) => word).join(' '))} ;;`).join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  [[ \${#COMPREPLY[@]} -eq 0 ]] && COMPREPLY=($(compgen -f -- "$current"))
}
complete -F _attractor attractor
`;
}

function zsh(points: ReadonlyArray<CompletionPoint>): string {
  return `#compdef attractor
_attractor() {
  local path_so_far="" word i
  local -a found
  for ((i = 2; i < CURRENT; i++)); do
    word="\${words[i]}"
    [[ "$word" == -* ]] && continue
    case " \${path_so_far:+$path_so_far }$word " in
${caseLines(points, (path) => `      " ${path} ") path_so_far=${quoted(path)} ;;`)}
    esac
  done
  case "$path_so_far" in
${points.map(({ path, words }) => `    ${quoted(path)}) found=(${words.map(({ word, about }) => quoted(`${word.replaceAll(':', '\\:')}:${about}`)).join(' ')}) ;;`).join('\n')}
  esac
  _describe 'attractor' found || _files
}
if [ "$funcstack[1]" = "_attractor" ]; then _attractor "$@"; else compdef _attractor attractor; fi
`;
}

function fish(points: ReadonlyArray<CompletionPoint>): string {
  const lines = points.flatMap(({ path, words }) =>
    words.map(({ word, about }) => {
      const what = word.startsWith('--')
        ? `-l ${word.slice(2)}`
        : word.startsWith('-')
          ? `-s ${word.slice(1)}`
          : `-a ${quoted(word)}`;
      return `complete -c attractor -n ${quoted(`__attractor_at ${quoted(path)}`)} ${what} -d ${quoted(about)}`;
    }),
  );
  return `# fish completion for attractor
function __attractor_at
  set -l path
  for word in (commandline -opc)[2..-1]
    string match -q -- '-*' $word; and continue
    contains -- (string join ' ' $path $word) ${points
      .filter(({ path }) => path !== '')
      .map(({ path }) => quoted(path))
      .join(' ')}; and set -a path $word
  end
  test (string join ' ' $path) = "$argv[1]"
end
${lines.join('\n')}
`;
}

function caseLines(points: ReadonlyArray<CompletionPoint>, line: (path: string) => string): string {
  return points
    .filter(({ path }) => path !== '')
    .map(({ path }) => line(path))
    .join('\n');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
