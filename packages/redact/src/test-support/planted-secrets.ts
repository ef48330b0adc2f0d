import fc from 'fast-check';

const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const DIGITS = '0123456789';
const ALPHANUMERIC = UPPER + LOWER + DIGITS;

/** A secret and a text that contains it. */
export type Planted = { readonly secret: string; readonly text: string };

/** Properties are tried more often if there is time. */
export function runs(count: number): number {
  return process.env['SOAK'] === '1' ? count * 20 : count;
}

const some = (alphabet: string, min: number, max = min): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom(...alphabet.split('')), minLength: min, maxLength: max });

/** With a digit and a letter, as every generated password has. */
const mixed = (min: number, max = min): fc.Arbitrary<string> =>
  fc.tuple(some(ALPHANUMERIC, min - 2, max - 2), some(DIGITS, 1), some(LOWER, 1)).map((parts) => parts.join(''));

const whole = (...parts: ReadonlyArray<string | fc.Arbitrary<string>>): fc.Arbitrary<Planted> =>
  fc
    .tuple(...parts.map((part) => (typeof part === 'string' ? fc.constant(part) : part)))
    .map((made) => ({ secret: made.join(''), text: made.join('') }));

const within = (before: string, secret: fc.Arbitrary<string>, after = ''): fc.Arbitrary<Planted> =>
  secret.map((made) => ({ secret: made, text: `${before}${made}${after}` }));

const prefix = (...prefixes: ReadonlyArray<string>): fc.Arbitrary<string> => fc.constantFrom(...prefixes);

const keyBody = (magic: string): fc.Arbitrary<string> =>
  some(`${ALPHANUMERIC}+/`, 120, 300).map((body) => (magic + body).replaceAll(/.{64}/g, '$&\n'));

const pem = (label: string): fc.Arbitrary<Planted> =>
  keyBody(label === 'OPENSSH ' ? 'b3BlbnNzaC1rZXktdjE' : 'MII').map((body) => ({
    secret: body,
    text: `-----BEGIN ${label}PRIVATE KEY-----\n${body}\n-----END ${label}PRIVATE KEY-----`,
  }));

/** One generator for each kind that secretlint's recommended rules report. */
export const REPORTED_BY_SECRETLINT: Readonly<Record<string, fc.Arbitrary<Planted>>> = {
  'AWS access key id': whole(
    prefix('AKIA', 'AGPA', 'AIDA', 'AROA', 'AIPA', 'ANPA', 'ANVA', 'ASIA', 'A3TX'),
    some(UPPER + DIGITS, 16),
  ),
  'AWS secret key': fc
    .tuple(
      fc.constantFrom(
        ['AWS_SECRET_ACCESS_KEY=', ''],
        ['aws_secret_access_key = ', ''],
        ['"SecretAccessKey": "', '"'],
        ["secretAccessKey => '", "'"],
      ),
      some(`${ALPHANUMERIC}/+`, 39),
      some(ALPHANUMERIC, 1),
    )
    .map(([[name, end], body, last]) => ({ secret: body + last, text: `${name}${body}${last}${end}` })),
  'Google service account': keyBody('MII').map((body) => ({
    secret: body.split('\n')[0] ?? body,
    text: JSON.stringify({
      type: 'service_account',
      private_key_id: 'abc',
      private_key: `-----BEGIN PRIVATE KEY-----\n${body}\n-----END PRIVATE KEY-----\n`,
    }),
  })),
  'private key': fc.oneof(...['', 'RSA ', 'EC ', 'DSA ', 'OPENSSH '].map(pem)),
  'npm token': whole('npm_', some(ALPHANUMERIC, 36)),
  'npmrc token': within('//npm.example.test/:_authToken=', mixed(24, 40)),
  'GitHub token in an address': within('"git+https://', mixed(20, 40), ':x-oauth-basic@github.com/a/b.git"'),
  'basic authorization in an address': within('https://deploy:', mixed(8, 30), '@build.example.test/x'),
  'Slack token': whole(
    prefix('xoxb-', 'xoxp-', 'xapp-1-', 'xoxa-', 'xoxo-', 'xoxr-'),
    some(DIGITS, 10, 12),
    '-',
    some(ALPHANUMERIC, 10, 30),
  ),
  'Slack webhook': fc
    .tuple(some(UPPER, 8), some(UPPER, 8), some(ALPHANUMERIC, 24))
    .map(([team, bot, key]) => ({ secret: key, text: `https://hooks.slack.com/services/T${team}/B${bot}/${key}` })),
  'SendGrid key': whole('SG.', some(ALPHANUMERIC, 22), '.', some(ALPHANUMERIC, 43)),
  'Shopify token': whole(prefix('shppa', 'shpca', 'shpat', 'shpss'), '_', some(ALPHANUMERIC, 32, 64)),
  'Stripe key': whole(prefix('sk_live_', 'sk_test_', 'rk_live_', 'rk_test_'), some(ALPHANUMERIC, 24, 99)),
  'GitHub token': whole(prefix('ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'), some(ALPHANUMERIC, 36)),
  'GitHub fine-grained token': whole('github_pat_', some(`${ALPHANUMERIC}_`, 82)),
  'GitHub installation token': whole(
    'ghs_',
    some(DIGITS, 6),
    '_',
    some(ALPHANUMERIC, 20, 60),
    '.',
    some(ALPHANUMERIC, 20, 90),
    '.',
    some(ALPHANUMERIC, 20, 60),
  ),
  'GitLab token': whole('glpat-', some(`${ALPHANUMERIC}_-`, 20, 60)),
  'Grafana token': fc.oneof(
    whole('glc_', some(ALPHANUMERIC, 32, 100)),
    whole('glsa_', some(ALPHANUMERIC, 32), '_', some('0123456789abcdef', 8)),
  ),
  'OpenAI key': fc.oneof(
    whole('sk-', some(ALPHANUMERIC, 20), 'T3BlbkFJ', some(ALPHANUMERIC, 20)),
    whole(prefix('sk-proj-', 'sk-svcacct-', 'sk-admin-'), some(ALPHANUMERIC, 74), 'T3BlbkFJ', some(ALPHANUMERIC, 74)),
  ),
  'Anthropic key': whole('sk-ant-api03-', some(`${ALPHANUMERIC}_-`, 93), 'AA'),
  'Groq key': whole('gsk_', some(ALPHANUMERIC, 52)),
  'Hugging Face token': whole('hf_', some(UPPER + LOWER, 34)),
  'Linear key': whole('lin_api_', some(ALPHANUMERIC, 40)),
  'Notion token': whole('ntn_', some(DIGITS, 11), some(ALPHANUMERIC, 35)),
  '1Password token': some(LOWER, 99, 300).map((letters) => {
    const text = letters.slice(0, letters.length - (letters.length % 3));
    const encoded = Buffer.from(JSON.stringify({ email: 'a@bc.test', text })).toString('base64');
    return { secret: encoded, text: `ops_${encoded}` };
  }),
  'database address': fc.oneof(
    ...['mongodb', 'mongodb+srv', 'mysql', 'postgres', 'postgresql'].map((scheme) =>
      within(`${scheme}://service:`, mixed(8, 40), '@db.example.test:1234/main?ssl=true'),
    ),
  ),
  'Vault token': fc.oneof(
    whole('hvs.', some(`${ALPHANUMERIC}_-`, 90, 120)),
    whole('hvb.', some(`${ALPHANUMERIC}_-`, 138, 300)),
    whole('hvr.', some(`${ALPHANUMERIC}_-`, 90, 120)),
  ),
  'Vercel token': whole(prefix('vcp_', 'vci_', 'vca_', 'vcr_', 'vck_'), some(ALPHANUMERIC, 20, 60)),
  'Databricks token': whole('dapi', some('0123456789abcdef', 32)),
  'Docker token': whole('dckr_pat_', some(`${ALPHANUMERIC}_-`, 27)),
  'Figma token': whole('figd_', some(`${ALPHANUMERIC}_-`, 40, 90)),
  'Cloudflare token': whole(prefix('cfk_', 'cfut_', 'cfat_'), some(ALPHANUMERIC, 40), some('0123456789abcdef', 8)),
  'Tailscale key': whole('tskey-auth-', some(ALPHANUMERIC, 12, 20), '-', some(ALPHANUMERIC, 30, 40)),
};

/** Kinds that only our own rules know. */
const KNOWN_TO_US: Readonly<Record<string, fc.Arbitrary<Planted>>> = {
  'bearer header': within('Authorization: Bearer ', mixed(24, 80)),
  'basic header': within('authorization: Basic ', mixed(12, 40)),
  'header as JSON': within('{"headers":{"authorization":"token ', mixed(20, 40), '","accept":"*/*"}}'),
  'header as JSON within JSON': within('{\\"Authorization\\":\\"Basic ', mixed(20, 40), '\\"}'),
  'header in a list': within("['Authorization', 'Basic ", mixed(20, 40), "']"),
  'API key header': within('x-api-key: ', mixed(20, 40)),
  cookie: within('Cookie: theme=dark; session=', mixed(16, 60), '\r\nAccept: text/html'),
  'set cookie': within('set-cookie: sid=', mixed(16, 60), '; Path=/; HttpOnly'),
  'JSON web token': whole(
    'eyJhbGciOiJI',
    some(ALPHANUMERIC, 10, 30),
    '.eyJ',
    some(ALPHANUMERIC, 20, 90),
    '.',
    some(`${ALPHANUMERIC}_-`, 43),
  ),
  'password in a query': within('https://example.test/login?user=ada&password=', mixed(8, 30), '&next=1'),
  'password in YAML': within('db:\n  password: ', mixed(8, 30), '\n'),
  'password in JSON': within('{"user":"ada","password":"', mixed(8, 30), '"}'),
  'password in JSON within JSON': within('{\\"password\\":\\"', mixed(8, 30), '\\"}'),
  'password flag': within('mysql --user ada --password ', mixed(8, 30), ' main'),
  'password in XML': within('<password>', mixed(8, 30), '</password>'),
  'password of curl': within('curl -u ada:', mixed(8, 30), ' https://example.test'),
  netrc: within('machine example.test login ada password ', mixed(8, 30), '\n'),
  'netrc in a listing': within(
    '     1\tmachine example.test\n     2\t  login ada\n     3\t  password ',
    mixed(8, 30),
    '\n',
  ),
  'netrc over lines': within('machine example.test\n  login ada\n  password ', mixed(8, 30), '\n'),
  'environment file': within('\nexport STRIPE_WEBHOOK_SECRET=', mixed(8, 60), '\n'),
  'quoted environment file': within('DB_PASSWORD="', mixed(8, 60), '"\n'),
  'password of words': within(
    'ADMIN_PASSWORD=',
    some(LOWER, 8, 25).map((words) => `correct${words}`),
    '\n',
  ),
  'key variable': within('APP_ENCRYPTION_KEY=', mixed(32, 64)),
  'source code': within("const apiKey = '", mixed(16, 60), "';"),
  'camel case': within('{ clientSecret: "', mixed(16, 60), '" }'),
  'Azure storage': within('DefaultEndpointsProtocol=https;AccountName=a;AccountKey=', mixed(86), '==;EndpointSuffix=x'),
  'Azure signature': within('https://a.blob.example.test/c?sv=2022&sig=', mixed(43), '%3D'),
  'Azure client secret': some(`${ALPHANUMERIC}_.~-`, 33).map((body) => ({
    secret: `Q~${body}a`,
    text: `abc8Q~${body}a`,
  })),
  'GitLab deploy token': whole('gldt-', some(ALPHANUMERIC, 20, 40)),
  'Google key': whole('AIza', some(`${ALPHANUMERIC}_-`, 35)),
  'Google token': whole('ya29.', some(`${ALPHANUMERIC}_-`, 40, 100)),
  'Google secret': whole('GOCSPX-', some(ALPHANUMERIC, 28)),
  'Telegram token': some(`${ALPHANUMERIC}_-`, 33).map((body) => ({
    secret: `AA${body}`,
    text: `8123456789:AA${body}`,
  })),
  'Discord token': whole('MTk4NjIyNDgzNDcxOTI1MjQ4', '.', some(ALPHANUMERIC, 6), '.', some(ALPHANUMERIC, 27, 38)),
  'Discord webhook': within('https://discord.com/api/webhooks/123456789012345678/', mixed(60, 70)),
  'age key': whole('AGE-SECRET-KEY-1', some('023456789ACDEFGHJKLMNPQRSTUVWXYZ', 58)),
  'PGP key': keyBody('lQOYBF').map((body) => ({
    secret: body,
    text: `-----BEGIN PGP PRIVATE KEY BLOCK-----\nVersion: GnuPG v2\n\n${body}\n=abcd\n-----END PGP PRIVATE KEY BLOCK-----`,
  })),
  'encrypted key': keyBody('MII').map((body) => ({
    secret: body,
    text: `-----BEGIN ENCRYPTED PRIVATE KEY-----\n${body}\n-----END ENCRYPTED PRIVATE KEY-----`,
  })),
  'key in a listing': keyBody('MII').map((body) => {
    const lines = ['-----BEGIN RSA PRIVATE KEY-----', ...body.trim().split('\n'), '-----END RSA PRIVATE KEY-----'];
    return {
      secret: lines[1] ?? '',
      text: lines.map((line, index) => `${String(index + 1).padStart(6)}\t${line}`).join('\n'),
    };
  }),
  'key that was cut off': keyBody('MII').map((body) => ({
    secret: body.trim(),
    text: `-----BEGIN OPENSSH PRIVATE KEY-----\n${body.trim()}`,
  })),
};

export const ALL_KINDS: Readonly<Record<string, fc.Arbitrary<Planted>>> = { ...REPORTED_BY_SECRETLINT, ...KNOWN_TO_US };

/** Any kind, with equal chance. */
export const anyPlanted: fc.Arbitrary<Planted> = fc.oneof(...Object.values(ALL_KINDS));
