import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { makeFolder } from '@attractor/base/testing';
import { examineTrust, readSetup, trustRepository } from '@attractor/settings';
import { expect, it, onTestFinished } from 'vitest';
import { call, createScriptedClient } from '../testing/index.ts';
import { openAgentSession } from './open-agent-session.ts';

const json = (value: unknown): string => JSON.stringify(value);

/** What a person has: their tool chain, their network, and their secrets. */
const HOST = {
  PATH: '/usr/bin:/bin',
  VIRTUAL_ENV: '/opt/venv',
  CI: 'true',
  HTTPS_PROXY: 'http://proxy.example:3128',
  SSL_CERT_FILE: '/etc/ssl/corp.pem',
  NODE_EXTRA_CA_CERTS: '/etc/ssl/corp.pem',
  REQUESTS_CA_BUNDLE: '/etc/ssl/corp.pem',
  LC_ALL: 'C.UTF-8',
  DATABASE_URL: 'postgres://localhost/app',
  NODE_OPTIONS: '--max-old-space-size=4096',
  MY_COLOUR: 'green',
};
const HIDDEN = {
  GITHUB_TOKEN: 'ghp_0123456789abcdefghij0123456789abcdef',
  REDIS_URL: 'redis://me:hunter22hunter@cache.example',
  OTHER_PROXY: 'http://me:hunter22hunter@proxy.example:3128',
  PLAIN_NAME: 'ghp_0123456789abcdefghij0123456789abcdeg',
  AWS_ACCESS_KEY_ID: 'AKIAQQQQQQQQQQQQQQQQ',
  AWS_SECRET_ACCESS_KEY: 'of a cloud',
  AWS_SESSION_TOKEN: 'of a cloud',
  AWS_BEARER_TOKEN_BEDROCK: 'of a cloud',
  GOOGLE_VERTEX_ACCESS_TOKEN: 'of a cloud',
  GOOGLE_APPLICATION_CREDENTIALS: '/home/me/account.json',
  AZURE_OPENAI_AD_TOKEN: 'of a cloud',
  AZURE_OPENAI_API_KEY: 'of a cloud',
  SSH_AUTH_SOCK: '/run/user/1/agent',
  BASH_ENV: '/tmp/x',
  GIT_DIR: '/tmp/x',
  LD_PRELOAD: '/tmp/x.so',
  NODE_REPL_EXTERNAL_MODULE: '/tmp/x',
};

async function world(files: {
  readonly own?: object;
  readonly repository?: object;
  readonly limits?: object;
  readonly codex?: string;
}) {
  const userHome = makeFolder(files.codex === undefined ? {} : { '.codex/config.toml': files.codex });
  const home = path.join(userHome, '.attractor');
  mkdirSync(home);
  const folder = makeFolder({
    '.git/HEAD': '',
    '.claude/settings.json': json(files.repository ?? {}),
    '.attractor/config.json': json(files.limits ?? {}),
  });
  const hook = { hooks: [{ type: 'command', command: 'env > hook.env' }] };
  writeFileSync(path.join(home, 'config.json'), json({ hooks: { SessionStart: [hook] }, ...files.own }));
  const host = { ...HOST, ...HIDDEN, HOME: userHome };
  const trust = () => trustRepository(examineTrust(folder, { home }), { home });
  const seen = async () => {
    const setup = await readSetup({ home, userHome, env: host, folder });
    const client = createScriptedClient([
      { calls: [call('shell', { command: 'env > seen.env; echo "$MY_KEY"' })] },
      { text: 'ok' },
    ]);
    const opened = await openAgentSession({
      folder,
      client,
      setup,
      provider: 'anthropic',
      sandbox: 'none',
      mode: 'bypassPermissions',
    });
    if (!opened.ok) throw new Error(opened.error.message);
    onTestFinished(opened.value.close);
    await opened.value.send('go');
    const [commands, hooks] = ['seen.env', 'hook.env'].map((file) => variablesIn(path.join(folder, file)));
    return { commands, hooks, told: json(client.requests) };
  };
  return { seen, trust };
}

function variablesIn(file: string): Record<string, string> {
  return Object.fromEntries(
    readFileSync(file, 'utf8')
      .split('\n')
      .flatMap((line) => (/^\w+=/.test(line) ? [[line.split('=', 1)[0], line.slice(line.indexOf('=') + 1)]] : [])),
  );
}

it('commands and hooks see what the person has, without secrets and without what programs would obey', async () => {
  const { seen } = await world({});
  const { commands, hooks } = await seen();
  expect(commands).toMatchObject(HOST);
  expect(hooks).toMatchObject(HOST);
  for (const name of Object.keys(HIDDEN)) expect([name, commands?.[name]]).toEqual([name, undefined]);
  for (const name of Object.keys(HIDDEN).filter((one) => one !== 'SSH_AUTH_SOCK'))
    expect([name, hooks?.[name]]).toEqual([name, undefined]);
  // A hook of their own signs and notifies as they do.
  expect(hooks).toMatchObject({ SSH_AUTH_SOCK: HIDDEN.SSH_AUTH_SOCK });
});

it('settings set, pass, exclude and restrict variables, and a value that is a secret is not shown to the model', async () => {
  const { seen } = await world({
    own: { env: { MY_KEY: 'correct-horse-4711', CI: 'false' }, variables: { pass: ['REDIS_*'], exclude: ['MY_COL*'] } },
  });
  const { commands, told } = await seen();
  expect(commands).toMatchObject({ MY_KEY: 'correct-horse-4711', CI: 'false', REDIS_URL: HIDDEN.REDIS_URL });
  expect(commands).not.toHaveProperty('MY_COLOUR');
  expect(told).not.toContain('correct-horse-4711');
});

it('settings of Codex about the environment of its shell count', async () => {
  const codex =
    '[shell_environment_policy]\ninherit = "core"\nexclude = ["GOPATH"]\nset = { FROM_CODEX = "1" }\nignore_default_excludes = true\n';
  const { commands } = await (await world({ codex })).seen();
  expect(commands).toMatchObject({ FROM_CODEX: '1', PATH: HOST.PATH });
  for (const name of ['MY_COLOUR', 'VIRTUAL_ENV', 'GITHUB_TOKEN']) expect(commands).not.toHaveProperty(name);
});

it('a repository takes variables away at once, sets them once it is trusted, and never those that programs obey', async () => {
  const env = {
    APP_MODE: 'test',
    PATH: './bin',
    LD_PRELOAD: './x.so',
    NODE_OPTIONS: '-r ./x',
    HTTPS_PROXY: 'http://evil.test',
  };
  const { seen, trust } = await world({ repository: { env }, limits: { variables: { exclude: ['MY_COLOUR'] } } });
  const before = (await seen()).commands;
  for (const name of ['APP_MODE', 'MY_COLOUR']) expect(before).not.toHaveProperty(name);
  await trust();
  const { commands } = await seen();
  const { MY_COLOUR: _excluded, ...others } = HOST;
  expect(commands).toMatchObject({ ...others, APP_MODE: 'test' });
  for (const name of ['LD_PRELOAD', 'MY_COLOUR']) expect(commands).not.toHaveProperty(name);
});
