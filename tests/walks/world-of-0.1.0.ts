import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { loadScript, type Simulator, startSimulator } from '@attractor/simulator';
import { ownIdentity } from '@attractor/system';
import { onTestFinished } from 'vitest';
import { mostlyHere } from './attractor-here.ts';
import { type Ended, makeFolder, runAttractor } from './attractor.ts';

const FIXTURE = path.resolve(import.meta.dirname, '../fixtures/0.1.0');
/** Where it was made; stands in all of its files. */
const MADE_IN = '/tmp/attractor-0.1.0';
/** The machine that it was made on stands in its locks and rows. The copy was made on this one, before it was started anew. */
const MADE_ON = 'bb1f9f7d44354cd69a3fbe1fa8c4c2f7';

/** What starts a session has a process of its own. */
const CONVERSES = new Set(['-p', 'resume', 'exec']);

/** A copy of what 0.1.0 left, in a folder of its own, and what 0.1.0 said of it. */
export type OldWorld = {
  readonly home: string;
  readonly in: (folder: string) => string;
  readonly ids: Readonly<Record<string, string>>;
  readonly asked: Readonly<Record<string, readonly [folder: string, ...args: ReadonlyArray<string>]>>;
  readonly said: (name: string) => string;
  /** The command of today in one of the folders; what it prints names the place that the copy was made from. */
  readonly call: (folder: string, ...args: ReadonlyArray<string>) => Promise<Ended>;
  /** The model that 0.1.0 was given, with flags that lead to it. */
  readonly model: () => Promise<{ readonly flags: ReadonlyArray<string>; readonly simulator: Simulator }>;
  /** What every file of the home holds, as far as it is there to last. */
  readonly files: () => Readonly<Record<string, string>>;
};

export function openOldWorld(): OldWorld {
  const root = makeFolder();
  execFileSync('tar', ['-xzf', path.join(FIXTURE, 'world.tar.gz'), '-C', root]);
  for (const file of filesOf(root)) moveFile(path.join(root, file), root);
  const home = path.join(root, 'home');
  const said = (name: string): string => readFileSync(path.join(root, 'said', name), 'utf8');
  const ids: OldWorld['ids'] = JSON.parse(said('ids.json'));
  const asked: OldWorld['asked'] = JSON.parse(
    readFileSync(path.join(FIXTURE, 'asked.json'), 'utf8').replaceAll(
      /<(\w+)>/g,
      (_all, name: string) => ids[name] ?? '',
    ),
  );
  const attractor = mostlyHere(['sessions', 'config', 'tasks', 'prompts', 'worker']);
  return {
    home,
    ids,
    asked,
    in: (folder) => path.join(root, folder),
    said: (name) => said(`${name}.jsonl`),
    call: async (folder, ...args) => {
      const env = { ANTHROPIC_API_KEY: 'none' };
      const run = args.some((one) => CONVERSES.has(one)) ? runAttractor : attractor;
      const ended = await run(args, { home, cwd: path.join(root, folder), env });
      return { ...ended, stdout: ended.stdout.replaceAll(root, MADE_IN) };
    },
    model: async () => {
      const script = loadScript(path.join(FIXTURE, 'model.json'));
      if (!script.ok) throw new Error(script.error.message);
      const simulator = await startSimulator({ script: script.script });
      onTestFinished(() => simulator.close());
      const place = ['--base-url', simulator.baseUrls.anthropic, '--allow-unsandboxed'];
      return { simulator, flags: ['--provider', 'anthropic', '--model', 'claude-sonnet-4-5-20250929', ...place] };
    },
    files: () => {
      const lasting = filesOf(home).filter((file) => !/(?:-wal|-shm|\.lock)$|\/cache\//.test(file));
      return Object.fromEntries(lasting.map((file) => [file, hashOf(path.join(home, file))]));
    },
  };
}

function filesOf(folder: string): ReadonlyArray<string> {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => path.relative(folder, path.join(parentPath, name)))
    .toSorted();
}

/** Journals say where they were written, and are not touched: each of their lines has a checksum. */
function moveFile(file: string, root: string): void {
  if (file.endsWith('.db')) return moveRows(file, root);
  const bytes = readFileSync(file);
  if (file.endsWith('.jsonl') || !(bytes.includes(MADE_IN) || bytes.includes(MADE_ON))) return;
  const text = replacements(root).reduce((moved, [from, to]) => moved.replaceAll(from, to), bytes.toString('utf8'));
  writeFileSync(file, text);
}

function replacements(root: string): ReadonlyArray<readonly [from: string, to: string]> {
  return [
    [MADE_IN, root],
    [MADE_ON, ownIdentity().machine ?? ''],
  ];
}

function moveRows(file: string, root: string): void {
  const db = new DatabaseSync(file);
  const columns = db
    .prepare(
      `SELECT t.name AS "table", c.name AS "column" FROM sqlite_schema t, pragma_table_info(t.name) c
       WHERE t.type = 'table' AND c.type = 'TEXT' AND t.name NOT LIKE 'sqlite_%'`,
    )
    .all();
  for (const { table, column } of columns) {
    const name = `"${String(column)}"`;
    const change = db.prepare(`UPDATE "${String(table)}" SET ${name} = replace(${name}, ?, ?) WHERE instr(${name}, ?)`);
    for (const [from, to] of replacements(root)) change.run(from, to, from);
  }
  db.close();
}

function hashOf(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}
