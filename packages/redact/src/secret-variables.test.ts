import { expect, it } from 'vitest';
import { secretValues } from './secret-variables.ts';

it('takes the values of variables whose names say that they are secret', () => {
  const variables = {
    OPENAI_API_KEY: 'a',
    GITHUB_TOKEN: 'b',
    aws_secret_access_key: 'c',
    DB_PASSWORD: 'd',
    DB_PASS: 'e',
    SESSION_SECRET: 'f',
    SIGNING_KEY: 'g',
    DATABASE_URL: 'h',
    GOOGLE_CREDENTIALS: 'i',
    AWS_BEARER_TOKEN_BEDROCK: 'j',
    AZURE_OPENAI_AD_TOKEN: 'k',
    GOOGLE_VERTEX_ACCESS_TOKEN: 'l',
    PATH: '/bin',
    HOME: '/root',
    EDITOR: 'vi',
    MAX_TOKENS: '5',
    UNSET_TOKEN: undefined,
  };
  expect(secretValues(variables)).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l']);
});
