import { steeringOf } from '@attractor/system';

/**
 * Why a repository may not set a variable for commands, trusted or not; null if it may. What a person trusted are settings; a variable that
 * programs obey would run other files than those they were shown, and one that names a proxy or a certificate sends data elsewhere.
 */
export function whyNotVariable(name: string, value: unknown): string | null {
  if (OF_THE_PERSON.test(name)) return `${name} is never taken from a repository`;
  return steeringOf(name, String(value), ['/']) === null ? null : `${name} makes programs load or run something else`;
}

const OF_THE_PERSON =
  /^(?:PATH|HOME|USER|LOGNAME|SHELL|TERM|TMPDIR)$|_BASE_URL$|PROXY$|^(?:SSL|TLS|CURL_CA|REQUESTS_CA|AWS_CA|NODE_EXTRA_CA|NODE_TLS|GIT_SSL)_|_CERT$|^(?:ATTRACTOR|CLAUDE|XDG)_/i;
