import { isRecord } from '@attractor/base';
import type { Source, SourceReading } from '../source.ts';
import { startReading } from './reading.ts';

/** The variable CLINE_COMMAND_PERMISSIONS: `{ "allow": [], "deny": [], "allowRedirects": false }`. */
export function readCline(source: Source): SourceReading {
  const reading = startReading(source);
  const given = parsed(source.text);
  if (given === null) reading.fail(null, 'expected a JSON object such as { "allow": ["git *"], "deny": [] }');
  for (const [key, value] of Object.entries(given ?? {})) {
    if ((key === 'allow' || key === 'deny') && Array.isArray(value))
      for (const pattern of value) reading.entry(`permissions.${key}`, `Bash(${String(pattern)})`, { line: null });
    else if (key === 'deny') reading.fail(null, '"deny" must be a list of patterns');
    else reading.leave(`CLINE_COMMAND_PERMISSIONS.${key}`, null);
  }
  return reading;
}

function parsed(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}
