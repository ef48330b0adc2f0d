import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const LONGEST = 300;
const DEEPEST = 9;

/** Every line below a folder that is shell, or may be: from documents, Makefiles, CI files, scripts of packages and shell scripts. */
export function commandLines(folder, depth = 0) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return depth < DEEPEST ? commandLines(path, depth + 1) : [];
    const lines = entry.isFile() ? READERS.find(([names]) => names.test(entry.name))?.[1] : undefined;
    return lines === undefined ? [] : lines(readFileSync(path, 'utf8').slice(0, 400_000)).flatMap(commandOf);
  });
}

const READERS = [
  [/\.(?:md|markdown|rst)$/i, linesOfDocument],
  [/^package\.json$/, linesOfPackage],
  [/^Makefile|\.mk$/, (text) => [...text.matchAll(/^\t[@-]?(.+)$/gm)].map(([, line]) => line.replaceAll('$$', '$'))],
  [/\.ya?ml$/, linesOfSteps],
  [/\.(?:sh|bash|bats)$/, (text) => text.split('\n')],
];

const SHELLS = new Set(['', 'sh', 'bash', 'shell', 'console', 'zsh', 'terminal', 'shell-session', 'sh-session', 'ksh']);
const PROMPT = /^\s*(?:\[[^\]]*\]|\w+@[\w-]+:?\S*)?[$>%#]\s+/;

function linesOfDocument(text) {
  const blocks = [...text.matchAll(/^[ \t]*```([\w-]*)[^\n]*\n(.*?)^[ \t]*```/gms)];
  const shell = blocks
    .filter(([, language]) => SHELLS.has(language.toLowerCase()))
    .flatMap(([, , body]) => body.split('\n'));
  const indented = [...text.matchAll(/^(?: {4}|\t)[$%#] (.+)$/gm)].map(([, line]) => line);
  const inline = [...text.matchAll(/`\$ ([^`\n]+)`/g)].map(([, line]) => line);
  return [...shell.map((line) => line.replace(PROMPT, '')), ...indented, ...inline];
}

function linesOfPackage(text) {
  try {
    return Object.values(JSON.parse(text).scripts ?? {}).filter((one) => typeof one === 'string');
  } catch {
    return [];
  }
}

function linesOfSteps(text) {
  const single = [...text.matchAll(/^\s*-?\s*run:\s+([^|>\s].+)$/gm)].map(([, line]) => line);
  const blocks = [...text.matchAll(/^(\s*)-?\s*(?:run|script):\s*[|>]-?\s*\n((?:\1\s+.*\n)+)/gm)];
  const items = [...text.matchAll(/^\s+-\s+([a-z][\w./-]* .+)$/gm)].map(([, line]) => line);
  return [...single, ...blocks.flatMap(([, , body]) => body.split('\n')), ...items];
}

/** Without a remark at its end. Lines of other languages stay: bash and the judgement sort them out. */
function commandOf(line) {
  const command = line.trim().replace(/\s+(?:#|\/\/)(?![^'"]*['"]).*$/, '');
  const isOne = command !== '' && command.length <= LONGEST && /^[\w./"'$({[~-]/.test(command);
  return isOne && !/[^\x20-\x7e]/.test(command) ? [command] : [];
}
