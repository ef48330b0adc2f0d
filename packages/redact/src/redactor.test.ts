import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRedactor, holdsMask, redactText } from './redactor.ts';
import { ALL_KINDS, anyPlanted, runs } from './test-support/planted-secrets.ts';

const around = fc.string({ unit: fc.constantFrom('\n', ' ', '"', "'", '(', ')', ',', '<', '>', '|', '#', '…', 'é') });

describe('a secret of each kind', () => {
  it.each(Object.entries(ALL_KINDS))('%s: goes, wherever it stands', (_, planted) => {
    fc.assert(
      fc.property(planted, around, around, ({ secret, text }, before, after) => {
        const redacted = redactText(`${before}\n${text}\n${after}`);
        expect(redacted).not.toContain(secret);
        expect(redacted.startsWith(before)).toBe(true);
        expect(redacted.endsWith(after)).toBe(true);
        expect(holdsMask(redacted)).toBe(true);
      }),
      { numRuns: runs(40) },
    );
  });

  it.each(Object.entries(ALL_KINDS))('%s: goes from a JSON text as well, which stays JSON', (_, planted) => {
    fc.assert(
      fc.property(planted, ({ secret, text }) => {
        const json = redactText(JSON.stringify({ content: `a\n${text}\nb` }));
        expect(json).not.toContain(JSON.stringify(secret).slice(1, -1));
        const { content }: { content: string } = JSON.parse(json);
        expect(content).not.toContain(secret);
        expect(content.startsWith('a\n')).toBe(true);
        expect(content.endsWith('\nb')).toBe(true);
      }),
      { numRuns: runs(20) },
    );
  });
});

describe('any secrets', () => {
  it('all go, at any offset, side by side; doing it twice changes nothing', () => {
    fc.assert(
      fc.property(fc.array(anyPlanted, { minLength: 1, maxLength: 5 }), fc.array(around), (planted, gaps) => {
        const text = planted.map((one, index) => `${gaps[index] ?? ''}\n${one.text}\n`).join('');
        const redacted = redactText(text);
        for (const { secret } of planted) expect(redacted).not.toContain(secret);
        expect(redactText(redacted)).toBe(redacted);
      }),
      { numRuns: runs(300) },
    );
  });

  it('glued to each other or to other text still settle', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            anyPlanted.map(({ text }) => text),
            fc.string(),
          ),
          { maxLength: 6 },
        ),
        (parts) => {
          const redacted = redactText(parts.join(''));
          expect(redactText(redacted)).toBe(redacted);
        },
      ),
      { numRuns: runs(500) },
    );
  });

  it('go from every depth of a value, from its keys, and from errors', () => {
    const redactor = createRedactor();
    fc.assert(
      fc.property(
        anyPlanted,
        fc.array(fc.constantFrom('list', 'object', 'key'), { maxLength: 6 }),
        ({ secret, text }, path) => {
          let value: unknown = `x ${text} y`;
          for (const step of path) {
            if (step === 'list') value = [1, value, null];
            else value = step === 'object' ? { a: true, b: value } : { [`\n${text}\n`]: value };
          }
          const redacted = redactor.value(value);
          expect(JSON.stringify(redacted)).not.toContain(JSON.stringify(secret).slice(1, -1));
          expect(redactor.value(redacted)).toBe(redacted);
          const error = redactor.value(new TypeError(`failed: ${text}`, { cause: new Error(text) }));
          expect(error).toBeInstanceOf(TypeError);
          expect(`${error.message} ${error.stack} ${String(error.cause)}`).not.toContain(secret);
        },
      ),
      { numRuns: runs(200) },
    );
  });
});

describe('the mask', () => {
  it('says the kind and nothing of the secret, not even its length', () => {
    const masked = (length: number): string => redactText(`key: ghp_${'a1B2c3D4'.repeat(length)} end`);
    expect(masked(5)).toBe('key: [redacted:github-token] end');
    expect(masked(9)).toBe(masked(5));
    expect(holdsMask(masked(5))).toBe(true);
    expect(holdsMask('[redacted:…] and [redacted:anything-else]')).toBe(false);
  });

  it.each([
    [`Authorization: Bearer ${'token'.repeat(6)}`, 'Authorization: Bearer [redacted:bearer-token]'],
    ['https://ada:hunter22@example.test/x', 'https://ada:[redacted:url-password]@example.test/x'],
    ['DB_PASSWORD=correcthorse # comment', 'DB_PASSWORD=[redacted:password] # comment'],
    ['{"password":"hunter22","user":"ada"}', '{"password":"[redacted:password]","user":"ada"}'],
    ['curl -H "x-api-key: 8f7d6a5b4c3e2d1f" url', 'curl -H "x-api-key: [redacted:api-key]" url'],
    ['<password>hunter22</password>', '<password>[redacted:password]</password>'],
    ['config["api_key"] = "8f7d6a5b4c3e"', 'config["api_key"] = "[redacted:api-key]"'],
  ])('keeps what stands around it: %j', (text, redacted) => {
    expect(redactText(text)).toBe(redacted);
  });
});

describe('what is no secret', () => {
  it.each([
    'const token = readToken();',
    'sk-learn',
    'https://example.test:8080/a@b',
    'see ghp_ prefix',
    'npm_config_arch',
    'npm_package_devDependencies_something_with_a_long_name',
    'the bearer of news',
    'bearer authentication-with-something-long',
    '"maxTokens": 4096, "max_tokens": 128000',
    'nextToken: "AAAAkjh2345kjh234kjh5"',
    'password: string;',
    'password: Uint8Array,',
    'const { password, token } = options;',
    'login(password=password, token=self.token)',
    'PASSWORD=$DB_PASSWORD TOKEN="${TOKEN}" SECRET=$(cat file)',
    'apiKey: process.env.API_KEY',
    'api_key = os.environ["API_KEY_2"]',
    'Authorization: Bearer <your-token>',
    'password: "Enter your password"',
    'postgres://user:password@localhost/db',
    'https://${user}:${password}@host/',
    'token: WORD_DASH,',
    'secret = secret2;',
    'sk-fading-circle-with-long-name',
    'integrity sha512-AbC0123456789+/AbC0123456789+/AbC0123456789+/AbC0123456789==',
    'commit 0123456789abcdef0123456789abcdef01234567',
    '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----',
    'the line `-----BEGIN PRIVATE KEY-----` begins a key',
    'git@github.com:owner/repo.git',
    'account: 12',
    'docker run -u 1000:1000 image',
    'Cookie: a=b',
    'SSH_AUTH_SOCK=/tmp/ssh-abc/agent.123',
    'KEY_FILE=/run/secrets/key1',
  ])('stays: %j', (text) => {
    expect(redactText(text)).toBe(text);
  });

  it('comes back as the same object', () => {
    const redactor = createRedactor();
    const value = { kind: 'USER_INPUT', content: 'plain', list: [{ deep: ['x', 1, null] }], at: new Date(0) };
    expect(redactor.value(value)).toBe(value);
    const error = new Error('plain');
    expect(redactor.value(error)).toBe(error);
  });

  it('survives values that hold themselves', () => {
    const value: Record<string, unknown> = { password: 'hunter22' };
    value['self'] = value;
    expect(createRedactor().value(value)['password']).toBe('[redacted:password]');
  });
});

describe('known secrets', () => {
  const secret = 'c0rrect h&rse/"battery"+é';
  const { text, value } = createRedactor({
    secrets: [secret, 'plain', 'development', '', '12345678', '/usr/local/bin'],
  });

  it.each([
    ['as it is', secret],
    ['in JSON', JSON.stringify({ a: secret })],
    ['in JSON within JSON', JSON.stringify(JSON.stringify({ a: secret }))],
    ['in an address', `https://example.test/?q=${encodeURIComponent(secret)}`],
    ['in base64', Buffer.from(secret).toString('base64')],
    ['in base64 for addresses', Buffer.from(secret).toString('base64url')],
    ['in base64 after one character', Buffer.from(`u${secret}`).toString('base64')],
    ['in base64 after two, as basic authorization', Buffer.from(`u:${secret}`).toString('base64')],
    ['in base64 in the middle', Buffer.from(`user:${secret}:more`).toString('base64')],
  ])('go %s', (_, shown) => {
    const redacted = text(`before ${shown} after`);
    expect(redacted).toContain('[redacted:known-secret]');
    expect(redacted).not.toContain('battery');
    const inner = Buffer.from(shown.slice(2, -2), 'base64').toString().slice(3, -3);
    expect(Buffer.from(redacted, 'base64').toString()).not.toContain(inner.length > 20 ? inner : secret);
  });

  it('go from keys and values', () => {
    expect(JSON.stringify(value({ [secret]: [secret] }))).not.toContain('battery');
  });

  it('are found in any text around them, whatever characters they have', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 10, unit: 'grapheme' }), fc.string(), fc.string(), (one, before, after) => {
        fc.pre(/[A-Z]/.test(one) || /\d/.test(one));
        fc.pre(one.trim().length > 8 && !/^[\d.]+$|^[~.]*\//.test(one.trim()));
        const redactor = createRedactor({ secrets: [one] });
        const redacted = redactor.text(`${before} ${one} ${after}`);
        if (!before.includes(one.trim()) && !after.includes(one.trim())) expect(redacted).toContain('[redacted:');
        expect(redactor.text(redacted)).toBe(redacted);
      }),
      { numRuns: runs(200) },
    );
  });

  it('go whole where they begin inside another secret, and with the line ends of other systems', () => {
    const token = `ghp_${'A1b2C3d4'.repeat(4)}9xYz`;
    const longer = createRedactor({ secrets: [`${token.slice(-8)} and what follows 4711`] });
    expect(longer.text(`x ${token} and what follows 4711 y`)).toMatch(/^x \[redacted:[\w-]+\] y$/);
    const lines = createRedactor({ secrets: ['first Line 1\nsecond Line 2'] });
    for (const end of ['\n', '\r\n'])
      expect(lines.text(`x first Line 1${end}second Line 2 y`)).toBe('x [redacted:known-secret] y');
  });

  it('that are short or plain words are not looked for', () => {
    const ordinary = 'plain development text with 12345678 in /usr/local/bin';
    expect(text(ordinary)).toBe(ordinary);
  });
});
