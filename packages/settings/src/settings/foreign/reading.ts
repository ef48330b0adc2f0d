import { defined, isRecord } from '@attractor/base';
import { type JsonNode, readJsonWithLines } from '../json-with-lines.ts';
import type { SettingProblem } from '../origin.ts';
import type { SettingEntry, Source, SourceReading, UnmappedSetting } from '../source.ts';

/** Collects the contents of another agent's file under our names. */
export type ForeignReading = SourceReading & {
  readonly entry: (name: string, value: unknown, at: { readonly line: number | null; readonly key?: string }) => void;
  readonly leave: (name: string, line: number | null, reason?: string) => void;
  /** For something that may have been a limit. `onlyFor`: of this agent's models alone. */
  readonly fail: (line: number | null, message: string, onlyFor?: SettingProblem['onlyFor']) => void;
  /** For something that is told and keeps nothing from starting. */
  readonly doubt: (line: number | null, message: string) => void;
  /** The same reading of what stands under this key of the file. */
  readonly under: (key: string) => ForeignReading;
};

export function startReading({ origin }: Source): ForeignReading {
  const entries: SettingEntry[] = [];
  const problems: SettingProblem[] = [];
  const unmapped: UnmappedSetting[] = [];
  const at = (written: string | undefined): ForeignReading => ({
    entries,
    problems,
    unmapped,
    entry: (name, value, { line, key = null }) =>
      void entries.push({ name, key, value, origin: { ...origin, line }, ...defined({ written }) }),
    leave: (name, line, reason = 'has no place here') =>
      void unmapped.push({ name, origin: { ...origin, line }, reason }),
    fail: (line, message, onlyFor) =>
      void problems.push({ origin: { ...origin, line }, message, failsClosed: true, ...defined({ onlyFor }) }),
    doubt: (line, message) => void problems.push({ origin: { ...origin, line }, message, failsClosed: false }),
    under: at,
  });
  return at(undefined);
}

/** What a JSON file with comments holds. A file that was made and not written yet holds nothing; one that is no object may hold a limit. */
export function membersOf(source: Source, reading: ForeignReading): ReadonlyMap<string, JsonNode> {
  const nothing = new Map<string, JsonNode>();
  if (source.text.trim() === '') return nothing;
  const json = readJsonWithLines(source.text, { comments: true });
  if (!json.ok) reading.fail(json.line, json.message);
  else if (json.node.members === null) reading.fail(json.node.line, 'expected a JSON object: { … }');
  return json.ok ? (json.node.members ?? nothing) : nothing;
}

/** Written as nothing: other programs write that for what was never set. */
export function saysNothing({ value, items }: JsonNode): boolean {
  return value === null || value === '' || items?.length === 0;
}

/** The line on which a text first occurs; files without positions are searched for their keys. */
export function lineOf(text: string, pattern: RegExp): number | null {
  const at = text.search(pattern);
  return at === -1 ? null : text.slice(0, at).split('\n').length;
}

/** The rule for a command that begins with these words, or null if a word would mean something else in a rule. */
export function prefixRule(words: ReadonlyArray<string>): string | null {
  const isPlain = words.length > 0 && words.every((word) => /^[^\s*()"'\\$`;|&<>]+$/.test(word));
  return isPlain ? `Bash(${words.join(' ')} *)` : null;
}

/** Whether an entry names something to start that is not switched off. The code that opens servers reads the rest of it, in its own form. */
export function isServer(given: unknown): given is Readonly<Record<string, unknown>> {
  if (!isRecord(given) || given['enabled'] === false || given['disabled'] === true) return false;
  return ['command', 'url', 'httpUrl'].some((key) => given[key] !== undefined);
}
