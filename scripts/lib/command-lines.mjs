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
    return lines === undefined ? [] : lines(readFileSync(path, 'utf8').slice(0, 400_000)).flatMap(commandsOf);
  });
}

const READERS = [
  [/\.(?:md|mdx|markdown|rst|adoc)$/i, linesOfDocument],
  [/^package\.json$/, linesOfPackage],
  [/^Makefile|\.mk$/, (text) => [...text.matchAll(/^\t[@-]?(.+)$/gm)].map(([, line]) => line.replaceAll('$$', '$'))],
  [/\.ya?ml$/, linesOfSteps],
  [/\.(?:sh|bash|bats|zsh)$/, (text) => text.split('\n')],
  [/Dockerfile/, (text) => [...text.matchAll(/^\s*(?:RUN|&&)\s+(.+?)\\?$/gm)].map(([, line]) => line)],
  [/Jenkinsfile/, (text) => [...text.matchAll(/\bsh\s+['"]([^'"\n]+)['"]/g)].map(([, line]) => line)],
];

const SHELLS = new Set(['', 'sh', 'bash', 'shell', 'console', 'zsh', 'terminal', 'shell-session', 'sh-session', 'ksh']);
const PROMPT = /^\s*(?:\[[^\]]*\]|\w+@[\w-]+:?\S*)?[$>%#]\s+/;

function linesOfDocument(text) {
  const blocks = [...text.matchAll(/^[ \t]*```([\w-]*)[^\n]*\n(.*?)^[ \t]*```/gms)];
  const shell = blocks
    .filter(([, language]) => SHELLS.has(language.toLowerCase()))
    .flatMap(([, , body]) => body.split('\n'));
  const indented = [...text.matchAll(/^(?: {4}|\t)[$%#] (.+)$/gm)].map(([, line]) => line);
  const inline = [...text.matchAll(/`(?:\$ )?([a-z][\w.-]* [^`\n]+)`/g)].map(([, line]) => line);
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
function commandsOf(line) {
  const command = line.trim().replace(/\s+(?:#|\/\/)(?![^'"]*['"]).*$/, '');
  return command.length > LONGEST || /[^\x20-\x7e]/.test(command)
    ? []
    : [command, ...partsOf(command)].filter((one) => /^[\w./"'$({[~-]/.test(one));
}

/** The commands of a list, the beginnings of a pipeline, and what stands in `$(…)`: each was written to be run as it is. */
function partsOf(command) {
  const inner = [...command.matchAll(/\$\((?:shell )?([^()]+)\)/g)].map(([, text]) => text.trim());
  if (/['"`]/.test(command)) return inner;
  const members = command
    .split(/\s*(?:&&|\|\||;)\s*/)
    .map((part) => part.replace(/^(?:if|then|do|else|!)\s+/, '').trim());
  const piped = members.flatMap((part) => {
    const stages = part.split(/\s*\|\s*/);
    return stages.map((_, at) => stages.slice(0, at + 1).join(' | '));
  });
  return [...inner, ...members, ...piped];
}
