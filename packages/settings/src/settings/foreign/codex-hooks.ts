import { isRecord } from '@attractor/base';
import type { Source, SourceReading } from '../source.ts';
import { type ForeignReading, membersOf, startReading } from './reading.ts';

/** `hooks.json`, which stands beside `config.toml`: the published wire, by event. */
export function readCodexHooksFile(source: Source): SourceReading {
  const reading = startReading(source);
  for (const [key, { value, keyLine }] of membersOf(source, reading)) {
    if (key === 'hooks') readCodexHooks(reading, value, keyLine);
    else if (key !== 'description') reading.leave(key, keyLine, 'only "hooks" is read in this file');
  }
  return reading;
}

/** One entry for each group of an event. What is no list of groups may have been a guard. */
export function readCodexHooks(reading: ForeignReading, value: unknown, line: number | null): void {
  if (!isRecord(value)) return reading.fail(line, '"hooks" must be groups of hooks by event');
  for (const [event, groups] of Object.entries(value)) {
    if (event === 'state') reading.leave('hooks.state', line, 'which hooks are trusted is decided here');
    else if (!Array.isArray(groups)) reading.fail(line, `"hooks.${event}" must be a list of groups`);
    else for (const group of groups) reading.entry('hooks', group, { line, key: event });
  }
}
