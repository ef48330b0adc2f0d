import { sensitiveKind } from './sensitive-names.ts';

/** The values of the variables whose names mark them as secret. */
export function secretValues(variables: Readonly<Record<string, string | undefined>>): ReadonlyArray<string> {
  return Object.entries(variables).flatMap(([name, value]) =>
    value !== undefined && (sensitiveKind(name) !== null || SECRET.test(name)) ? [value] : [],
  );
}

const SECRET =
  /_(?:KEY|AUTH|CREDENTIALS?|PASS|DSN|WEBHOOK(?:_URL)?)$|^(?:DATABASE|REDIS|MONGO(?:DB)?|POSTGRES|AMQP)_UR[IL]$/i;
