/** What the name of a variable, field, header or flag says about its value; null if it says nothing. */
export function sensitiveKind(name: string): string | null {
  if (name.length > MAX_NAME || name.length < 3) return null;
  const plain = name.toLowerCase().replace(/[^a-z0-9]/g, '');
  if (HARMLESS.test(plain)) return null;
  for (const [ending, kind] of ENDINGS) if (ending.test(plain)) return kind;
  return SEGMENT.test(name) ? 'password' : null;
}

export const NAME_KINDS = ['aws-secret-key', 'password', 'token', 'secret', 'api-key', 'credential', 'cookie'] as const;

const MAX_NAME = 80;

/** Positions in a list, amounts, and switches: not secrets, and tools need them back. */
const HARMLESS =
  /(?:next|page|continuation|sync|cancel\w*|max|min|per|bos|eos|pad|unk|sep|cls|mask|stop|special|num|count|design|current|last|first)token$|no(?:password|secret|token)$/;

const ENDINGS: ReadonlyArray<readonly [RegExp, (typeof NAME_KINDS)[number]]> = [
  [/secretaccesskey\d{0,3}$/, 'aws-secret-key'],
  [/(?:password|passwd|passphrase|passcode|pwd|userpass|dbpass|mysqlpass|pgpass)\d{0,3}$/, 'password'],
  [/token\d{0,3}(?:value)?$/, 'token'],
  [/(?:secret|secretkey|secretkeybase|secretbase|secretvalue)\d{0,3}$/, 'secret'],
  [
    /(?:api|access|account|private|signing|encryption|master|shared|sharedaccess|auth|service|functions?|subscription|admin|storage)key\d{0,3}$/,
    'api-key',
  ],
  [/(?:credentials?|authorization|connectionstring|npmauth)$/, 'credential'],
  [/cookies?$/, 'cookie'],
];

const SEGMENT = /(?:^|[_-])pass$|[a-z]Pass$/i;
