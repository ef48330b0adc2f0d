import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { must, newRepository, openRealWorld } from '../test-support/real-world.ts';
import { readTraceSettings } from '../trace-settings.ts';
import { exportTraces } from './export-traces.ts';

type Value = { readonly stringValue?: string; readonly intValue?: string; readonly doubleValue?: number };
type Received = {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: ReadonlyArray<{ readonly key: string; readonly value: Value }>;
  readonly status: { readonly code?: number };
};

/** Takes OTLP in JSON over HTTP; busy at first, as collectors sometimes are. */
async function startCollector() {
  const spans: Received[] = [];
  const seen = { requests: 0, authorization: '', service: '' };
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => {
      seen.requests += 1;
      if (seen.requests === 1) return response.writeHead(503).end();
      seen.authorization = request.headers.authorization ?? '';
      const { resourceSpans } = JSON.parse(body);
      seen.service = resourceSpans[0].resource.attributes[0].value.stringValue;
      spans.push(...resourceSpans[0].scopeSpans[0].spans);
      response.writeHead(request.url === '/v1/traces' ? 200 : 404).end('{}');
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { spans, seen, url: `http://127.0.0.1:${port}` };
}

const attribute = ({ attributes }: Received, name: string): string | undefined => {
  const value = attributes.find(({ key }) => key === name)?.value;
  return value?.stringValue ?? value?.intValue;
};

it('a run is a trace with its steps, model calls and tool calls, by the conventions for generative AI', async () => {
  const collector = await startCollector();
  const settings = readTraceSettings({
    OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/`,
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20abc',
  });
  if (settings === null) throw new Error('no settings');
  const world = await openRealWorld([
    {
      steps: [
        { do: 'usage', inputTokens: 120, outputTokens: 30, costUsd: 0.5 },
        { do: 'createFile', path: 'secret-name.md', content: 'words of the agent\n' },
        { do: 'usage', inputTokens: 150, outputTokens: 10, costUsd: null },
        { do: 'outcome', outcome: 'pr_ready' },
      ],
    },
  ]);
  const troubles: string[] = [];
  const end = await exportTraces({
    workflow: world.workflow,
    settings,
    onTrouble: (message) => void troubles.push(message),
  });
  const project = must(await world.client.projects.create({ path: newRepository() }));
  const task = must(await world.client.tasks.create({ projectId: project.id, title: 'T', pipelineId: 'simple' }));
  const run = must(await world.client.tasks.startRun(task.id, { mode: 'implement' }));
  await world.idle();
  await end();
  const { spans } = collector;
  const root = spans.find(({ parentSpanId }) => parentSpanId === undefined);
  if (root === undefined) throw new Error('no root span');
  expect(root).toMatchObject({ name: 'invoke_agent scripted', kind: 1 });
  expect(root.status).toEqual({});
  expect(attribute(root, 'gen_ai.operation.name')).toBe('invoke_agent');
  expect(attribute(root, 'gen_ai.conversation.id')).toBe(run.id);
  expect(attribute(root, 'gen_ai.usage.input_tokens')).toBe('270');
  const steps = spans.filter(({ parentSpanId }) => parentSpanId === root.spanId);
  expect(steps.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['step prepare', 'step execute', 'step trigger']),
  );
  const execute = steps.find(({ name }) => name === 'step execute');
  const inside = spans.filter(({ parentSpanId }) => parentSpanId === execute?.spanId);
  expect(inside.map(({ name }) => name)).toEqual([
    'chat scripted',
    'execute_tool createFile',
    'chat scripted',
    'execute_tool outcome',
  ]);
  const [chat, tool] = inside;
  expect(chat?.kind).toBe(3);
  expect(['gen_ai.request.model', 'gen_ai.usage.input_tokens'].map((name) => chat && attribute(chat, name))).toEqual([
    'scripted',
    '120',
  ]);
  expect(tool && attribute(tool, 'gen_ai.tool.name')).toBe('createFile');
  expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set([root.traceId]));
  expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(spans.length);
  for (const span of spans) {
    expect(span.traceId + span.spanId).toMatch(/^[0-9a-f]{48}$/);
    expect(BigInt(span.endTimeUnixNano) >= BigInt(span.startTimeUnixNano)).toBe(true);
    expect(BigInt(span.startTimeUnixNano) >= BigInt(root.startTimeUnixNano)).toBe(true);
  }
  expect(JSON.stringify(spans)).not.toMatch(/secret-name|words of the agent/);
  expect(collector.seen).toMatchObject({ authorization: 'Bearer abc', service: 'attractor' });
  expect(troubles).toEqual([]);
});

it('is off unless a collector is named', () => {
  expect(readTraceSettings({})).toBeNull();
  expect(readTraceSettings({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://x', OTEL_SDK_DISABLED: 'true' })).toBeNull();
  expect(
    readTraceSettings({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://x/y', OTEL_SERVICE_NAME: 'ci' }),
  ).toMatchObject({
    url: 'http://x/y',
    resource: { 'service.name': 'ci' },
  });
});
