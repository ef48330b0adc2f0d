import { isRecord } from '@attractor/base';
import { CommandFailure, EXIT } from '../exit.ts';
import type { Call } from './verb.ts';

/** What flags say of a body: what was not said is undefined. */
export type FlagFields<Body> = { readonly [Name in keyof Body]?: Body[Name] | undefined };

/**
 * What a create or an update sends: what the flags say or, where none says anything, the JSON object on stdin. That is nobody's but
 * the server's to check: it names the place of what is wrong.
 */
export async function fieldsOf<Body extends object>(call: Call, said: FlagFields<Body>): Promise<Body> {
  const given = Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined));
  const fields = Object.keys(given).length > 0 ? given : await call.input();
  if (fields !== null) return fields as Body;
  throw new CommandFailure(
    'nothing is given: say it with flags (see --help), or as one JSON object on stdin',
    EXIT.usage,
  );
}

/** A flag whose value is a JSON object, such as `--config`. */
export function jsonFlag(call: Call, name: string): object | undefined {
  const text = call.flags.text(name);
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    if (isRecord(value)) return value;
  } catch {
    // Said below, as for JSON that is no object.
  }
  throw new CommandFailure(`--${name}: expected a JSON object, not '${text}'`, EXIT.usage);
}
