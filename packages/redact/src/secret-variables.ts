import { redactText } from './redactor.ts';
import { sensitiveKind } from './sensitive-names.ts';

/** The values of the variables whose names mark them as secret. An address without credentials in it is none, whatever its name. */
export function secretValues(variables: Readonly<Record<string, string | undefined>>): ReadonlyArray<string> {
  return Object.entries(variables).flatMap(([name, value]) =>
    value !== undefined && isNamedSecret(name) && !(NAMED_ADDRESS.test(name) && isOpenAddress(value)) ? [value] : [],
  );
}

/**
 * Whether a variable holds a secret, by its name or by its value. Stricter about names than what is looked for in texts: here nothing is
 * masked by mistake, a program only misses a variable.
 */
export function isSecretVariable(name: string, value: string): boolean {
  if (NAMED_ADDRESS.test(name)) return !isOpenAddress(value);
  const isNamed = isNamedSecret(name) || (SEGMENT.test(name) && !isAmount(value));
  return (
    isNamed || redactText(value) !== value || redactText(`${name}=${value}`) !== `${name}=${value}` || holdsToken(value)
  );
}

function isNamedSecret(name: string): boolean {
  return sensitiveKind(name) !== null || SECRET.test(name);
}

const SECRET =
  /_(?:KEY|AUTH|CREDENTIALS?|PASS|DSN|WEBHOOK(?:_URL)?)$|_BEARER_TOKEN_|^(?:DATABASE|REDIS|MONGO(?:DB)?|POSTGRES|AMQP)_UR[IL]$/i;

const NAMED_ADDRESS =
  /(?:^|_)(?:DATABASE|DB|REDIS|MONGO(?:DB)?|POSTGRES(?:QL)?|AMQP|MYSQL|BROKER|CACHE)_UR[IL]$|_DSN$/i;

const SEGMENT =
  /(?:^|_)(?:KEYS?|APIKEYS?|TOKENS?|SECRETS?|PASS|PASSWD|PASSWORDS?|PASSPHRASE|CREDENTIALS?|CREDS|AUTH|COOKIES?|WEBHOOK)(?:_|\d|$)/i;

/** A number or a switch: a limit on tokens is no token. */
function isAmount(value: string): boolean {
  return /^(?:\d{1,7}|true|false|yes|no|on|off)?$/i.test(value);
}

/** An address with a scheme, and nothing in it by which somebody is let in. */
function isOpenAddress(value: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/{2,3}\S*$/i.test(value) && redactText(value) === value && !holdsToken(value);
}

/** `https://0a1b2c…@host`: a name that nobody would choose stands where a person's name would. */
function holdsToken(value: string): boolean {
  const [, user = ''] = /:\/\/([^\s/@:]*)(?::[^\s/@]*)?@/.exec(value) ?? [];
  return user.length > 20 || /\d.*\d.*\d.*\d/.test(user);
}
