import { createVerify, generateKeyPairSync } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { startSimulator, type ScriptInput, type Simulator } from '@attractor/simulator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient } from '../client.ts';
import { configurationFromEnvironment } from '../configuration.ts';
import { startServer } from '../test-support/local-server.ts';
import { errorOf, finishOf, READ_FILE } from '../test-support/world.ts';
import { assistantMessage, toolMessage, userMessage } from '../types/message.ts';
import type { Message } from '../types/message.ts';
import type { StreamEvent } from '../types/stream.ts';

const SCRIPT: ScriptInput = {
  conversations: [
    { match: { firstUser: 'LONG' }, turns: [{ text: '', fault: [{ kind: 'context_overflow', times: 'forever' }] }] },
    { match: { firstUser: 'BUSY' }, turns: [{ text: 'at last', fault: [{ kind: 'rate_limit', times: 1 }] }] },
    {
      match: { firstUser: 'CUT' },
      turns: [{ text: 'half', fault: [{ kind: 'overloaded', at: 'output', times: 'forever' }] }],
    },
    {
      turns: [
        { thinking: 'I look first.', toolCalls: [{ name: 'read_file', args: { path: 'ä.txt' } }] },
        { expect: { toolResult: 'what is in it' }, text: 'Grüße: done.' },
      ],
    },
  ],
};

const PROJECT = 'my-project';
const VERTEX = { GOOGLE_VERTEX_ACCESS_TOKEN: 'ya29.token-of-mine', GOOGLE_VERTEX_LOCATION: 'europe-west1' };
const SIGNED = {
  AWS_REGION: 'eu-central-1',
  AWS_ACCESS_KEY_ID: 'AKIAXXXXXXXXXXXXXXXX',
  AWS_SECRET_ACCESS_KEY: 'wJalrXUtnFEMI/K7MDENG/secret-of-mine',
  AWS_SESSION_TOKEN: 'session-token-of-mine',
};
const SONNET = 'eu.anthropic.claude-sonnet-4-5-20250929-v1:0';

let simulator: Simulator;
let folder: string;
beforeAll(async () => {
  simulator = await startSimulator({ script: SCRIPT });
  folder = mkdtempSync(join(tmpdir(), 'attractor-clouds-'));
});
afterAll(async () => {
  await simulator.close();
  rmSync(folder, { recursive: true });
});

type Asking = { readonly provider: string; readonly model: string; readonly env: Record<string, string> };

async function ask({ provider, model, env }: Asking, messages: ReadonlyArray<Message>): Promise<StreamEvent[]> {
  const configuration = configurationFromEnvironment({ HOME: folder, ...env }, provider);
  const client = createClient({ configuration, retry: { sleep: async () => undefined, random: () => 0.5 } });
  const events: StreamEvent[] = [];
  const request = { provider, model, messages, tools: [READ_FILE], reasoningEffort: 'low' as const };
  for await (const event of client.stream(request)) events.push(event);
  await client.close();
  return events;
}

/** What the service saw last. */
function seen(): { readonly path: string; readonly headers: Record<string, string>; readonly body: string } {
  const last = simulator.requests().at(-1);
  return { path: last?.path ?? '', headers: last?.headers ?? {}, body: JSON.stringify(last?.body ?? {}) };
}

const CLOUDS: Readonly<Record<string, () => Asking>> = {
  'bedrock with a signature': () => ({
    provider: 'bedrock',
    model: SONNET,
    env: { ...SIGNED, ANTHROPIC_BEDROCK_BASE_URL: simulator.url },
  }),
  'bedrock with a token': () => ({
    provider: 'bedrock',
    model: 'anthropic.claude-opus-4-6-v1',
    env: { AWS_BEARER_TOKEN_BEDROCK: 'bedrock-token-of-mine', ANTHROPIC_BEDROCK_BASE_URL: simulator.url },
  }),
  'Gemini on Vertex': () => ({
    provider: 'vertex',
    model: 'gemini-2.5-pro',
    env: { ...VERTEX, GOOGLE_VERTEX_PROJECT: PROJECT, GOOGLE_VERTEX_BASE_URL: `${simulator.url}/v1beta1` },
  }),
  'Claude on Vertex': () => ({
    provider: 'vertex-anthropic',
    model: 'claude-sonnet-4-5-20250929',
    env: { ...VERTEX, ANTHROPIC_VERTEX_PROJECT_ID: PROJECT, ANTHROPIC_VERTEX_BASE_URL: `${simulator.url}/v1` },
  }),
  azure: () => ({
    provider: 'azure',
    model: 'my-deployment',
    env: { AZURE_OPENAI_API_KEY: 'azure-key-of-mine', AZURE_OPENAI_ENDPOINT: `${simulator.url}/` },
  }),
  'azure by a dated version': () => ({
    provider: 'azure',
    model: 'my-deployment',
    env: {
      AZURE_API_KEY: 'azure-key-of-mine',
      AZURE_OPENAI_ENDPOINT: simulator.url,
      AZURE_API_VERSION: '2024-10-21',
    },
  }),
};

const PATHS: Readonly<Record<string, string>> = {
  'bedrock with a signature': `/model/${encodeURIComponent(SONNET)}/invoke-with-response-stream`,
  'bedrock with a token': '/model/anthropic.claude-opus-4-6-v1/invoke-with-response-stream',
  'Gemini on Vertex':
    '/v1beta1/projects/my-project/locations/europe-west1/publishers/google/models/gemini-2.5-pro:streamGenerateContent?alt=sse',
  'Claude on Vertex':
    '/v1/projects/my-project/locations/europe-west1/publishers/anthropic/models/claude-sonnet-4-5@20250929:streamRawPredict',
  azure: '/openai/v1/responses',
  'azure by a dated version': '/openai/deployments/my-deployment/chat/completions?api-version=2024-10-21',
};

describe.each(Object.keys(CLOUDS))('%s', (name) => {
  const asking = (): Asking => CLOUDS[name]?.() ?? { provider: '', model: '', env: {} };

  it('is asked at its own address with its own proof, calls a tool, and goes on with the result', async () => {
    const first = finishOf(await ask(asking(), [userMessage('go')])).response;
    expect(first.message.content.at(-1)).toMatchObject({ kind: 'TOOL_CALL', args: { path: 'ä.txt' } });
    const { path, headers } = seen();
    expect(path).toBe(PATHS[name]);
    const proof =
      name === 'bedrock with a signature'
        ? /^AWS4-HMAC-SHA256 Credential=AKIA\w+\/\d+\/eu-central-1\/bedrock\/aws4_request, .*Signature/
        : /^\*\*\*mine$/;
    expect(headers['api-key'] ?? headers['authorization']).toMatch(proof);
    expect(headers['x-amz-security-token']).toBe(name.endsWith('signature') ? 'session-token-of-mine' : undefined);
    const call = first.message.content.find((part) => part.kind === 'TOOL_CALL');
    const result = { toolCallId: call?.toolCallId ?? '', output: 'what is in it', isError: false };
    const messages = [userMessage('go'), assistantMessage(first.message.content), toolMessage(result)];
    const second = finishOf(await ask(asking(), messages)).response;
    expect(second.message.content).toMatchObject([{ kind: 'TEXT', text: 'Grüße: done.' }]);
    expect(second.usage.outputTokens).toBeGreaterThan(0);
    expect(simulator.failures()).toEqual([]);
  });

  it('fails in words that are understood: too long, and busy before it answers', async () => {
    expect(errorOf(await ask(asking(), [userMessage('LONG')])).error.code).toBe('context_length');
    const late = finishOf(await ask(asking(), [userMessage('BUSY')])).response;
    expect(late.message.content.at(-1)).toMatchObject({ text: 'at last' });
  });
});

describe('Bedrock', () => {
  const files = (credentials: string): Record<string, string> => {
    mkdirSync(join(folder, '.aws'), { recursive: true });
    writeFileSync(join(folder, '.aws/credentials'), credentials);
    writeFileSync(join(folder, '.aws/config'), '[profile sso]\nsso_session = x\n');
    return { ANTHROPIC_BEDROCK_BASE_URL: simulator.url, AWS_REGION: 'eu-central-1' };
  };
  const keys =
    '[default]\naws_access_key_id = AKIADEFAULT\naws_secret_access_key = s1\n[work]\naws_access_key_id=AKIAWORK\naws_secret_access_key=s2\n';
  const go = [userMessage('go')];

  it.each([
    ['the default profile', {}, 'AKIADEFAULT'],
    ['a named profile', { AWS_PROFILE: 'work' }, 'AKIAWORK'],
  ])('signs with the keys of %s', async (_name, env, id) => {
    finishOf(await ask({ provider: 'bedrock', model: SONNET, env: { ...files(keys), ...env } }, go));
    expect(seen().headers['authorization']).toContain(`Credential=${id}/`);
  });

  it('signs with what a helper printed', async () => {
    const printed = JSON.stringify({ Version: 1, AccessKeyId: 'AKIAHELPED', SecretAccessKey: 's', SessionToken: 't' });
    const configuration = {
      providers: {
        bedrock: { region: 'us-east-1', baseUrl: simulator.url, refreshCredential: async () => printed },
      },
    };
    const client = createClient({ configuration });
    await client.complete({ provider: 'bedrock', model: SONNET, messages: go, tools: [READ_FILE] });
    await client.close();
    expect(seen().headers['authorization']).toContain('Credential=AKIAHELPED/');
  });

  it('says that the answer broke off with an exception in its events', async () => {
    const asking = {
      provider: 'bedrock',
      model: SONNET,
      env: { ...SIGNED, ANTHROPIC_BEDROCK_BASE_URL: simulator.url },
    };
    const events = await ask(asking, [userMessage('CUT')]);
    expect(errorOf(events).error).toMatchObject({ provider: 'bedrock', retryable: true });
  });

  it('asks any other model by the Converse API', async () => {
    const paths: unknown[] = [];
    const server = await startServer((request, response) => {
      paths.push(request.url);
      response.writeHead(200, { 'content-type': 'application/vnd.amazon.eventstream' });
      response.end(CONVERSED);
    });
    const env = { ...SIGNED, ANTHROPIC_BEDROCK_BASE_URL: server.url };
    const { response } = finishOf(await ask({ provider: 'bedrock', model: 'amazon.nova-pro-v1:0', env }, go));
    await server.close();
    expect(response.message.content).toMatchObject([
      { kind: 'TEXT', text: 'Looking.' },
      { kind: 'TOOL_CALL', toolCallId: 'tooluse_1', toolName: 'read_file', args: { path: 'a.txt' } },
    ]);
    expect([response.finishReason.reason, response.usage.inputTokens]).toEqual(['tool_calls', 12]);
    expect(paths).toEqual(['/model/amazon.nova-pro-v1%3A0/converse-stream']);
  });
});

/** A recorded answer of `converse-stream`: text, a call and usage, packed. */
const CONVERSED = gunzipSync(
  Buffer.from(
    [
      'H4sIAAAAAAACA8WTv2sUQRTHv0RF4TyMha3Fw0ZYT1cNwpQShAsmYOKvYuEYd5/Jenszy83bcPGcQrC3EzTYi21AwUYsRNBaSxtB',
      '8C8QYiNzHJc9EAtPtBvevPl+v3w/DIBNAKuPPu5+bijeZCOnZKvkgzjcY+f0Oq+J7ktTpdbI3uW8LssiT7Xk1py+46xpqvH6eOHA',
      'SGpIfVswKdLO5U60EfL22dvHAJ4AuNHYPvFw2vXo2OdiYdPuIhei/9i6rtQ2GQ9InYkoC5qkhiQ8EFJ02dpubtZb5H3z5v5vADyA',
      '6183jnyaTjZf11sTW/7VYH6ntXwewOtQy9yrBz9+U8tsRH7hHkfkguaoFmuLa45rx3ZGanSuHHdiisjoXmDaZ511bucFk/f+WHtf',
      'AWAnxH+3lO/+S6pxnepe/NyUVSA8TKjUspGQSki3ZCAJ+RB5++X3uf+EO/bPF+5VAO4CuPI+usTT5o3J35vB14ktV1k7a8b8OpVj',
      '8k8/nLwP4AWAle6blaVp50M9Fp3pGQBVYTbp/6rtsnGk4rMR2Upqk4WIxIouJhsXfEQ9ln6euvC80MIm3Vp2pM55/+V4cusnd7NJ',
      'f6wEAAA=',
    ].join(''),
    'base64',
  ),
);

describe('a token for Vertex', () => {
  const asking = (env: Record<string, string>): Asking => ({
    provider: 'vertex-anthropic',
    model: 'claude-opus-4-6',
    env: {
      ANTHROPIC_VERTEX_PROJECT_ID: PROJECT,
      CLOUD_ML_REGION: 'global',
      ANTHROPIC_VERTEX_BASE_URL: `${simulator.url}/v1`,
      ...env,
    },
  });
  const file = (value: unknown): string => {
    const name = join(folder, 'account.json');
    writeFileSync(name, JSON.stringify(value));
    return name;
  };
  const go = [userMessage('go')];

  it('is asked for with a signed claim of a service account, or with what gcloud keeps of a login', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const asked: URLSearchParams[] = [];
    const server = await startServer((_request, response, body) => {
      asked.push(new URLSearchParams(body));
      response.end(JSON.stringify({ access_token: `ya29.issued-${asked.length}-0007`, expires_in: 3599 }));
    });
    const account = {
      type: 'service_account',
      client_email: 'me@my-project.test',
      private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
      token_uri: `${server.url}/token`,
    };
    finishOf(await ask(asking({ GOOGLE_APPLICATION_CREDENTIALS: file(account) }), go));
    expect(seen().headers['authorization']).toBe('***0007');
    const [head = '', claims = '', signature = ''] = asked[0]?.get('assertion')?.split('.') ?? [];
    expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({
      iss: 'me@my-project.test',
      aud: `${server.url}/token`,
      scope: expect.stringContaining('cloud-platform'),
    });
    const verified = createVerify('RSA-SHA256').update(`${head}.${claims}`).verify(publicKey, signature, 'base64url');
    expect(verified).toBe(true);
    mkdirSync(join(folder, '.config/gcloud'), { recursive: true });
    writeFileSync(
      join(folder, '.config/gcloud/application_default_credentials.json'),
      JSON.stringify({
        type: 'authorized_user',
        client_id: 'c',
        client_secret: 's',
        refresh_token: 'r',
        token_uri: `${server.url}/token`,
      }),
    );
    finishOf(await ask(asking({}), go));
    rmSync(join(folder, '.config'), { recursive: true });
    expect(Object.fromEntries(asked[1] ?? [])).toMatchObject({ grant_type: 'refresh_token', refresh_token: 'r' });
    await server.close();
  });

  it.each([
    ['there is none', () => ({}), /No credentials for vertex-anthropic.*gcloud auth application-default login/],
    [
      'the file is of another kind',
      () => ({ GOOGLE_APPLICATION_CREDENTIALS: file({ type: 'external_account' }) }),
      /external_account.*apiKeyHelper to "gcloud auth print-access-token"/,
    ],
    [
      'the key is none',
      () => ({
        GOOGLE_APPLICATION_CREDENTIALS: file({ type: 'service_account', client_email: 'me@x', private_key: 'no key' }),
      }),
      /private key of me@x can't be used/,
    ],
  ])('says what to do if %s', async (_case, env, says) => {
    const { error } = errorOf(await ask(asking(env()), go));
    expect(error).toMatchObject({ code: 'configuration', retryable: false, message: expect.stringMatching(says) });
  });
});

describe('what is missing', () => {
  it.each([
    ['bedrock', SONNET, {}, /No region for bedrock. Set AWS_REGION or AWS_DEFAULT_REGION/],
    [
      'bedrock',
      SONNET,
      { AWS_REGION: 'x', HOME: '/nowhere' },
      /No credentials for bedrock. Set AWS_BEARER_TOKEN_BEDROCK/,
    ],
    ['bedrock', SONNET, { AWS_REGION: 'x', AWS_PROFILE: 'nobody' }, /There is no AWS profile nobody/],
    ['bedrock', SONNET, { AWS_REGION: 'x', AWS_PROFILE: 'sso' }, /export-credentials --profile sso/],
    ['bedrock', 'claude-sonnet-5', { AWS_REGION: 'x', AWS_BEARER_TOKEN_BEDROCK: 'x' }, /names of its own/],
    ['vertex', 'gemini-2.5-pro', {}, /No project for vertex. Set GOOGLE_VERTEX_PROJECT or GOOGLE_CLOUD_PROJECT/],
    [
      'vertex',
      'gemini-2.5-pro',
      { GOOGLE_API_KEY: 'express' },
      /express mode alone is not supported: use the provider gemini/,
    ],
    ['vertex', 'gemini-2.5-pro', { GOOGLE_CLOUD_PROJECT: 'p' }, /No location for vertex/],
    ['azure', 'd', {}, /No resource for azure. Set AZURE_RESOURCE_NAME or AZURE_OPENAI_ENDPOINT/],
    ['azure', 'd', { AZURE_RESOURCE_NAME: 'r' }, /No API key for azure. Set AZURE_API_KEY or AZURE_OPENAI_API_KEY/],
  ])('for %s with %s and %o is told in one line', async (provider, model, env, says) => {
    const { error } = errorOf(await ask({ provider, model, env }, [userMessage('go')]));
    expect(error).toMatchObject({ code: 'configuration', retryable: false });
    expect(error.message).toMatch(says);
    expect(error.message).not.toContain('\n');
  });
});

describe('the environment', () => {
  const providers = (env: Record<string, string>) => configurationFromEnvironment(env);

  it('sets up a cloud that is meant, and leaves credentials of other programs alone', () => {
    expect(Object.keys(providers({ ...SIGNED, GOOGLE_CLOUD_PROJECT: 'p' }).providers ?? {})).toEqual([]);
    expect(providers({ ...SIGNED, CLAUDE_CODE_USE_BEDROCK: '1', ANTHROPIC_API_KEY: 'k' })).toMatchObject({
      defaultProvider: 'bedrock',
      providers: { bedrock: { region: 'eu-central-1', secretAccessKey: SIGNED.AWS_SECRET_ACCESS_KEY } },
    });
    expect(providers({ CLAUDE_CODE_USE_BEDROCK: '0' })).toEqual({ providers: {} });
    expect(
      providers({ CLAUDE_CODE_USE_VERTEX: 'true', ANTHROPIC_VERTEX_PROJECT_ID: 'p', CLOUD_ML_REGION: 'us-east5' }),
    ).toMatchObject({
      defaultProvider: 'vertex-anthropic',
      providers: { 'vertex-anthropic': { project: 'p', location: 'us-east5' } },
    });
    const behindGateway = {
      CLAUDE_CODE_USE_BEDROCK: '1',
      CLAUDE_CODE_SKIP_BEDROCK_AUTH: '1',
      ANTHROPIC_AUTH_TOKEN: 't',
    };
    expect(providers(behindGateway).providers?.['bedrock']?.authToken).toBe('t');
  });

  it("names models as Claude Code's variables do", async () => {
    const env = {
      AWS_BEARER_TOKEN_BEDROCK: 'bedrock-token-of-mine',
      ANTHROPIC_BEDROCK_BASE_URL: simulator.url,
      ANTHROPIC_MODEL: SONNET,
      ANTHROPIC_DEFAULT_SONNET_MODEL: SONNET,
    };
    expect(providers(env).providers?.['bedrock']?.model).toBe(SONNET);
    finishOf(await ask({ provider: 'bedrock', model: 'sonnet', env }, [userMessage('go')]));
    expect(seen().path).toContain(encodeURIComponent(SONNET));
  });
});
