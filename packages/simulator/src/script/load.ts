import { readFileSync } from 'node:fs';
import { parseDocument } from 'yaml';
import type { z } from 'zod';
import { scriptSchema } from './schema.ts';
import type { Script } from './types.ts';

/** Why a script was refused. `problems` has one line per mistake: where it is and what belongs there. */
export interface ScriptError {
  code: 'script_unreadable' | 'script_invalid';
  message: string;
  retryable: false;
  problems: string[];
}

export type ScriptResult = { ok: true; script: Script } | { ok: false; error: ScriptError };

/** Loads a script from a file, or from the text itself if the argument has more than one line or starts with `{`. */
export function loadScript(textOrPath: string): ScriptResult {
  const source = readSource(textOrPath);
  if (!source.ok) return source;
  const document = parseDocument(source.text, { prettyErrors: true });
  const problems = document.errors.map((error) => error.message.split('\n')[0] ?? error.message);
  if (problems.length > 0) return refuse(`${source.name} is not valid YAML or JSON`, problems);
  return parseScript(document.toJS(), source.name);
}

/** Checks a value that has the shape of a script. */
export function parseScript(value: unknown, name = 'the script'): ScriptResult {
  const parsed = scriptSchema.safeParse(value);
  if (!parsed.success) return refuse(`${name} is not a valid script`, describe(parsed.error));
  const { turns, otherwise, capture, conversations, ...settings } = parsed.data;
  const only = { turns: turns ?? [], ...(otherwise && { otherwise }), ...(capture && { capture }) };
  return { ok: true, script: { ...settings, conversations: conversations ?? [only] } };
}

type Source = { ok: true; text: string; name: string } | { ok: false; error: ScriptError };

function readSource(textOrPath: string): Source {
  if (textOrPath.includes('\n') || textOrPath.trimStart().startsWith('{')) {
    return { ok: true, text: textOrPath, name: 'the script' };
  }
  try {
    return { ok: true, text: readFileSync(textOrPath, 'utf8'), name: textOrPath };
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const message = `cannot read the script ${textOrPath}: ${reason}`;
    return { ok: false, error: { code: 'script_unreadable', message, retryable: false, problems: [reason] } };
  }
}

function refuse(what: string, problems: string[]): { ok: false; error: ScriptError } {
  const message = `${what}:\n${problems.map((problem) => `  ${problem}`).join('\n')}`;
  return { ok: false, error: { code: 'script_invalid', message, retryable: false, problems } };
}

function describe(error: z.ZodError): string[] {
  return error.issues.flatMap((issue) => {
    const nested = deepest(issue);
    return nested.map(({ path, message }) => `${place(path)}: ${message}`);
  });
}

/** A union reports its own text and hides the branches; the branch that got furthest shows what is really wrong. */
function deepest(issue: z.core.$ZodIssue): { path: PropertyKey[]; message: string }[] {
  if (issue.code !== 'invalid_union') return [{ path: issue.path, message: issue.message }];
  const branches = issue.errors.map((branch) => branch.flatMap(deepest));
  const best = branches.toSorted((a, b) => depth(b) - depth(a))[0];
  if (best === undefined || depth(best) === 0) return [{ path: issue.path, message: issue.message }];
  return best.map((found) => ({ path: [...issue.path, ...found.path], message: found.message }));
}

function depth(found: { path: PropertyKey[] }[]): number {
  return Math.max(0, ...found.map(({ path }) => path.length));
}

function place(path: PropertyKey[]): string {
  if (path.length === 0) return '(script)';
  return path
    .map((part, index) => (typeof part === 'number' ? `[${part}]` : `${index > 0 ? '.' : ''}${String(part)}`))
    .join('');
}
