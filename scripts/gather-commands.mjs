// `node scripts/gather-commands.mjs > packages/shell/src/fixtures/found-commands.json`: commands as people write them, from READMEs,
// Makefiles, CI files and scripts of the packages below node_modules. Sorted and thinned out evenly, so that the same packages give the
// same list.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const MOST = 2_000;
const LONGEST = 300;
const found = new Set();

function look(folder, depth) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && depth < 6) look(path, depth + 1);
    else if (entry.isFile()) take(entry.name, path);
  }
}

function take(name, path) {
  const read = () => readFileSync(path, 'utf8').slice(0, 200_000);
  if (/\.(?:md|markdown)$/i.test(name)) for (const line of blocksOf(read())) keep(line);
  else if (name === 'package.json') for (const line of scriptsOf(read())) keep(line);
  else if (/^Makefile$|\.mk$/.test(name)) for (const line of recipesOf(read())) keep(line);
  else if (/\.ya?ml$/.test(name)) for (const line of stepsOf(read())) keep(line);
  else if (name.endsWith('.sh')) for (const line of read().split('\n')) keep(line);
}

function blocksOf(text) {
  const blocks = text.matchAll(/^```(?:sh|bash|shell|console|zsh)[^\n]*\n(.*?)^```/gms);
  return [...blocks].flatMap(([, body]) => body.split('\n')).map((line) => line.replace(/^\s*[$>%]\s+/, ''));
}

function scriptsOf(text) {
  try {
    return Object.values(JSON.parse(text).scripts ?? {}).filter((one) => typeof one === 'string');
  } catch {
    return [];
  }
}

const recipesOf = (text) => [...text.matchAll(/^\t[@-]?(.+)$/gm)].map(([, line]) => line);
const stepsOf = (text) => [...text.matchAll(/^\s*-?\s*run:\s+([^|>\s].+)$/gm)].map(([, line]) => line);

function keep(line) {
  const command = line.trim();
  if (command === '' || command.length > LONGEST || !/^[\w./"'$({[~-]/.test(command) || /[^\x20-\x7e]/.test(command))
    return;
  found.add(command);
}

look('node_modules', 0);
const all = [...found].toSorted();
const step = Math.max(1, all.length / MOST);
const list = Array.from({ length: Math.min(MOST, all.length) }, (_, at) => all[Math.floor(at * step)]);
process.stdout.write(`${JSON.stringify(list, null, 1)}\n`);
