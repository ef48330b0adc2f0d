import { readdirSync, readFileSync, statSync, type Stats } from 'node:fs';
import path from 'node:path';
import { failed, type Result } from '@attractor/base';
import type { AgentSpec } from './agent-spec.ts';
import { parseSpec, type SpecFailure } from './parse-spec.ts';

export type SpecPlaces = {
  /** Relative paths start here; `agents` and `.claude/agents` are looked for here. */
  readonly cwd: string;
  /** Our home folder: a person's own agents are in its `agents`. */
  readonly home: string;
};

const MAX_BYTES = 1 << 20;

/** Finds an agent by its path, or by its name in one of the known folders. */
export function loadSpec(asked: string, places: SpecPlaces): Result<AgentSpec, SpecFailure> {
  const file = locate(asked, places);
  if (file === null) return failed({ code: 'not_found', message: notFound(asked, places), retryable: false });
  if (!file.stats.isFile()) return invalid(`${file.path} is not a file: expected the markdown file of an agent.`);
  if (file.stats.size > MAX_BYTES) return invalid(`${file.path} is larger than ${MAX_BYTES} bytes: expected an agent.`);
  const text = readText(file.path);
  return typeof text === 'string' ? parseSpec({ path: file.path, text }) : text;
}

type Located = { readonly path: string; readonly stats: Stats };

function locate(asked: string, places: SpecPlaces): Located | null {
  const isName = !asked.includes(path.sep) && asked !== '';
  const candidates = [
    path.resolve(places.cwd, asked),
    ...(isName
      ? folders(places).flatMap((folder) => [path.join(folder, asked), path.join(folder, `${asked}.md`)])
      : []),
  ];
  const found = candidates.flatMap((candidate): ReadonlyArray<Located> => {
    const stats = statSync(candidate, { throwIfNoEntry: false });
    return stats === undefined ? [] : [{ path: candidate, stats }];
  });
  return found.find(({ stats }) => stats.isFile()) ?? found[0] ?? null;
}

function folders({ cwd, home }: SpecPlaces): ReadonlyArray<string> {
  return [path.join(cwd, 'agents'), path.join(cwd, '.claude', 'agents'), path.join(home, 'agents')];
}

function notFound(asked: string, places: SpecPlaces): string {
  const known = [...new Set(folders(places).flatMap(agentsIn))].toSorted();
  const where = folders(places).join(', ');
  const hint = known.length === 0 ? `No agent is in ${where}.` : `Agents found by name: ${known.join(', ')}.`;
  return `There is no agent file ${JSON.stringify(asked)}. Give the path of a markdown file. ${hint}`;
}

function agentsIn(folder: string): ReadonlyArray<string> {
  try {
    return readdirSync(folder).flatMap((name) => (name.endsWith('.md') ? [name.slice(0, -3)] : []));
  } catch {
    return [];
  }
}

function readText(file: string): string | { readonly ok: false; readonly error: SpecFailure } {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readFileSync(file));
  } catch (error) {
    const why = error instanceof TypeError ? 'it is not UTF-8 text' : String(error);
    return invalid(`${file} can't be read (${why}): expected the markdown file of an agent.`);
  }
}

function invalid(message: string): { readonly ok: false; readonly error: SpecFailure } {
  return failed({ code: 'invalid_spec', message, retryable: false });
}
