import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ALL_KINDS } from '@attractor/redact/testing';
import { runs } from '@attractor/base/testing';
import { chosenVariables } from './chosen-variables.ts';
import { childVariables } from './environment-variables.ts';

const SECRETS = fc.oneof(
  fc.oneof(...Object.values(ALL_KINDS)).map(({ secret, text }) => ({ name: 'SOME_NAME', value: text, secret })),
  fc
    .record({
      name: fc.constantFrom(
        'X_KEY',
        'TOKEN',
        'MY_TOKENS',
        'apiKey',
        'DB_PASS',
        'PGPASSWORD',
        'SLACK_WEBHOOK_URL',
        'KEY_1',
        'npm_config__auth',
      ),
      value: fc.string({ minLength: 8, unit: 'grapheme-ascii' }).filter((text) => !/^(?:\d+|true|false)$/.test(text)),
    })
    .map((made) => ({ ...made, secret: made.value })),
  fc
    .record({
      name: fc.constantFrom('DATABASE_URL', 'SENTRY_DSN', 'HTTP_PROXY', 'ANY_NAME'),
      password: fc.stringMatching(/^[a-z]{4}[A-Z0-9]{6,20}$/),
    })
    .map(({ name, password }) => ({ name, value: `postgres://me:${password}@db.example/app`, secret: password })),
);

describe('what is harmless of an environment', () => {
  it('holds no secret, whatever it is called and whatever it looks like', () => {
    fc.assert(
      fc.property(fc.array(SECRETS, { minLength: 1, maxLength: 6 }), (planted) => {
        const host = Object.fromEntries(planted.map(({ name, value }) => [name, value]));
        const kept = JSON.stringify(Object.values(childVariables('inherit_harmless', host)));
        for (const { name, secret } of planted)
          if (host[name]?.includes(secret) === true)
            expect([name, kept.includes(JSON.stringify(secret).slice(1, -1))]).toEqual([name, false]);
      }),
      { numRuns: runs(300, 20_000) },
    );
  });

  it('holds what has no secret in it, whatever its name says', () => {
    const plain = {
      DATABASE_URL: 'postgres://localhost:5432/app',
      REDIS_URL: 'redis://127.0.0.1:6379/0',
      MAX_TOKENS: '4096',
      KEYBOARD: 'us',
      TOKENIZERS_PARALLELISM: 'false',
      COMMIT: '0123456789abcdef0123456789abcdef01234567',
      PGUSER: 'app',
      GIT_AUTHOR_NAME: 'Ada',
    };
    expect(childVariables('inherit_harmless', plain)).toMatchObject(plain);
  });
});

describe('what settings choose', () => {
  const host = { PATH: '/bin', HOME: '/h', A_TOKEN: 'abcdefgh1234', ONE: '1', TWO: '2' };
  const chosen = (choice: Parameters<typeof chosenVariables>[0]) =>
    Object.keys(chosenVariables(choice, { host, folders: [] })).filter((name) => name in host || name === 'SET');

  it('restricts, widens by name and sets; programs are still found', () => {
    expect(chosen({})).toEqual(['PATH', 'HOME', 'ONE', 'TWO']);
    expect(chosen({ exclude: ['t*', 'PATH'] })).toEqual(['PATH', 'HOME', 'ONE']);
    expect(chosen({ includeOnly: ['ONE'] })).toEqual(['PATH', 'HOME', 'ONE']);
    expect(chosen({ inherit: 'core' })).toEqual(['PATH', 'HOME']);
    expect(chosen({ inherit: 'none', set: { SET: 'x' } })).toEqual(['PATH', 'HOME', 'SET']);
    expect(chosen({ pass: ['A_TOKEN'] })).toEqual(['PATH', 'HOME', 'ONE', 'TWO', 'A_TOKEN']);
  });
});
