import { isRecord } from '@attractor/base';
import { CommandFailure, EXIT } from '@attractor/console';
import type { Call } from './verb.ts';

/** The values of flags for a body; absent ones are undefined. */
export type FlagFields<Body> = { readonly [Name in keyof Body]?: Body[Name] | undefined };

/**
 * What a create or an update sends: the flags or, if there are none, the JSON object on stdin. Only the server validates it: it names the
 * place of a mistake.
 */
export async function fieldsOf<Body extends object>(call: Call, said: FlagFields<Body>): Promise<Body> {
  const given = Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined));
  const fields = Object.keys(given).length > 0 ? given : await call.input();
  if (fields !== null) return fields as Body;
  throw new CommandFailure('no input: use flags (see --help), or one JSON object on stdin', EXIT.usage);
}

/** A flag whose value is a JSON object, such as `--config`. */
export function jsonFlag(call: Call, name: string): object | undefined {
  const text = call.flags.text(name);
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    if (isRecord(value)) return value;
  } catch {
    // Reported below, as for JSON that is no object.
  }
  throw new CommandFailure(`--${name}: expected a JSON object, not '${text}'`, EXIT.usage);
}
