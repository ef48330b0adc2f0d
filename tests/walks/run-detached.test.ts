import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { createApiClient, type CodingSession } from '@attractor/api';
import { parseScript, startSimulator } from '@attractor/simulator';
import { expect, onTestFinished, test } from 'vitest';
import { ANYWHERE, makeFolder, runAttractor } from './attractor.ts';

const REPORT = (outcome: string, payload?: unknown) => ({ name: 'report_outcome', args: { outcome, payload } });
const PLAN = { files_to_modify: [{ path: 'answer.js', changes: '42' }] };
const SCRIPT = {
  conversations: [
    {
      match: { tool: 'edit_file' },
      turns: [
        { toolCalls: [{ use: 'read', path: 'answer.js' }] },
        { toolCalls: [{ use: 'edit', path: 'answer.js', old: '41', new: '42' }] },
        { toolCalls: [REPORT('pr_ready')] },
        { text: 'Done.' },
      ],
    },
    { turns: [{ toolCalls: [REPORT('plan_complete', { plan: PLAN })] }, { text: 'Planned.' }] },
  ],
};

type Attribute = { readonly key: string; readonly value: { readonly stringValue?: string } };
type Span = {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly attributes: ReadonlyArray<Attribute>;
};

/** Takes what is sent to a trace viewer. */
async function startCollector() {
  const spans: Span[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => {
      for (const { scopeSpans } of JSON.parse(body).resourceSpans) spans.push(...scopeSpans[0].spans);
      response.writeHead(200).end('{}');
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  return { spans, url: `http://127.0.0.1:${typeof address === 'object' ? (address?.port ?? 0) : 0}` };
}

/** A trace as its viewer draws it: every span below its parent, with what the conventions say of it. */
function drawn(spans: ReadonlyArray<Span>, parent: Span | undefined): ReadonlyArray<string> {
  const told = ({ attributes }: Span, name: string) => attributes.find(({ key }) => key === name)?.value.stringValue;
  return spans
    .filter(({ parentSpanId }) => parentSpanId === parent?.spanId)
    .flatMap((span) => [
      [span.name, told(span, 'gen_ai.provider.name'), told(span, 'gen_ai.tool.name')].filter(Boolean).join(' · '),
      ...drawn(spans, span).map((line) => `  ${line}`),
    ]);
}

async function makeWorld() {
  const home = makeFolder();
  const repository = path.join(home, 'repository');
  mkdirSync(repository);
  writeFileSync(path.join(repository, 'answer.js'), 'export const answer = 41;\n');
  const git = (...args: ReadonlyArray<string>) => execFileSync('git', args, { cwd: repository, encoding: 'utf8' });
  git('init', '-q', '-b', 'main');
  git('add', '--all');
  git('-c', 'user.name=Ada', '-c', 'user.email=ada@example.invalid', 'commit', '-q', '-m', 'first');
  const parsed = parseScript(SCRIPT);
  if (!parsed.ok) throw new Error(parsed.error.message);
  const simulator = await startSimulator({ script: parsed.script });
  onTestFinished(() => simulator.close());
  const model = ['--provider', 'anthropic', '--model', 'claude-sonnet-4-5-20250929'];
  const flags = [...model, '--base-url', simulator.baseUrls.anthropic, ...ANYWHERE];
  const collector = await startCollector();
  const env = { ANTHROPIC_API_KEY: 'none', OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
  const options = { home, cwd: repository, env };
  return {
    spans: collector.spans,
    token: () => readFileSync(path.join(home, '.attractor', 'token'), 'utf8').trim(),
    git,
    run: (...args: ReadonlyArray<string>) => runAttractor(['run', ...args, ...flags], options),
    ask: (...args: ReadonlyArray<string>) => runAttractor(args, options),
  };
}

test('a detached task goes on after the command has returned, in a server of its own that ends when nothing is left', async () => {
  const { run, ask, token, git, spans } = await makeWorld();
  const told = await run('Answer 42', '--detach');
  expect(told).toMatchObject({ code: 0, stderr: '' });
  const [, url = '', pid = ''] = /(http:\S+), process (\d+)/.exec(told.stdout) ?? [];
  onTestFinished(() => {
    if (isAlive(Number(pid))) process.kill(Number(pid), 'SIGKILL');
  });
  const client = createApiClient({ baseUrl: url, token: token() });
  const reach = async (stage: CodingSession['stage']): Promise<CodingSession> => {
    for (;;) {
      const read = await client.coding.session('REP-1');
      if (!read.ok) throw new Error(read.error.message);
      if (read.value.stage === 'failed') throw new Error(JSON.stringify(read.value));
      if (read.value.stage === stage && read.value.pending_action !== null) return read.value;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  const { plan } = await reach('awaiting_plan_approval');
  expect((await ask('inbox')).stdout).toContain('REP-1');
  expect(await client.coding.approve('REP-1', { approved_plan: { ...plan } })).toMatchObject({ ok: true });
  const { pending_action: review } = await reach('awaiting_tool_approval');
  const end = await client.coding.approve('REP-1', { content_hash: review?.content_hash ?? '' });
  expect(end).toMatchObject({ ok: true, value: { status: 'completed' } });
  expect(git('log', '--all', '-p', '--format=')).toContain('+export const answer = 42;');
  while (isAlive(Number(pid))) await new Promise((resolve) => setTimeout(resolve, 100));
  expect((await ask('status', '--session', 'REP-1', '--json')).stdout).toContain('"stage":"completed"');
  const traces = [...new Set(spans.map(({ traceId }) => traceId))];
  expect(traces).toHaveLength(2);
  const work = drawn(
    spans.filter(({ traceId }) => traceId === traces[1]),
    undefined,
  );
  const [chat, call] = ['    chat claude-sonnet-4-5-20250929 · anthropic', '    execute_tool'];
  expect(work).toEqual(
    expect.arrayContaining([
      'invoke_agent native · anthropic',
      '  step execute',
      chat,
      `${call} read_file · read_file`,
      `${call} edit_file · edit_file`,
      `${call} report_outcome · report_outcome`,
    ]),
  );
  expect(work.filter((line) => line === chat)).toHaveLength(4);
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
