import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { messageOf } from '@attractor/base';
import { readTable } from '@attractor/llm';
import { readOwnModels, writeOwnModels } from './own-models.ts';

export type TakenOver =
  | { readonly ok: true; readonly from: string; readonly models: number; readonly file: string }
  | {
      readonly ok: false;
      readonly why: 'unnamed' | 'unreadable' | 'unreachable' | 'mistaken';
      readonly message: string;
    };

/** Takes over a table of models from a file or an address; none named: from where the last one came. A mistake in it changes nothing. */
export async function takeOverModels(home: string, asked?: string): Promise<TakenOver> {
  const before = readOwnModels(home);
  const named = asked ?? (before === null || 'problem' in before ? undefined : before.from);
  if (named === undefined)
    return {
      ok: false,
      why: 'unnamed',
      message: 'give the place of the table: attractor models refresh --from FILE or URL.',
    };
  const isAddress = /^https?:\/\//i.test(named);
  const from = isAddress ? named : resolve(named);
  const failed = (why: 'unreadable' | 'unreachable' | 'mistaken', problem: string): TakenOver => ({
    ok: false,
    why,
    message: `${problem}. Nothing was changed.`,
  });
  try {
    const text = isAddress ? await fetched(from) : await readFile(from, 'utf8');
    const read = readTable(parsed(text));
    if (!read.ok) return failed('mistaken', `${from}: ${read.problem}`);
    const file = writeOwnModels(home, { from, at: new Date().toISOString(), table: read.table });
    return { ok: true, from, models: read.table.models?.length ?? 0, file };
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : '';
    return failed(isAddress ? 'unreachable' : 'unreadable', `can't read ${from}: ${messageOf(error)}${cause}`);
  }
}

/** What is no JSON is no table, too. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const MAX_BYTES = 32 * 1024 * 1024;
const TIMEOUT_MS = 60_000;

async function fetched(url: string): Promise<string> {
  const answer = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS), headers: { accept: 'application/json' } });
  if (!answer.ok) throw new Error(`it answered ${answer.status}`);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of answer.body ?? []) {
    size += chunk.length;
    if (size > MAX_BYTES) throw new Error('it is larger than 32 MB');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
