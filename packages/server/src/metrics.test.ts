import { expect, it } from 'vitest';
import { metricText } from './metric-text.ts';
import { createMemoryWorkflow } from './test-support/memory-workflow.ts';
import { serve, TOKEN } from './test-support/serve.ts';

it('the work and the requests are measured if that was asked for, for whoever has the token', async () => {
  const workflow = await createMemoryWorkflow();
  const server = await serve({ workflow, metrics: true });
  const get = (path: string, token = TOKEN) =>
    fetch(server.url + path, { headers: { authorization: `Bearer ${token}` } });
  await get('/api/tasks');
  await get('/api/tasks/tsk_none');
  await get('/no/such/page/1');
  await get('/no/such/page/2');
  expect((await get('/metrics', 'wrong')).status).toBe(401);
  expect((await fetch(`${server.url}/metrics`)).status).toBe(401);
  const stream = await get('/api/events');
  const response = await get('/metrics');
  const text = await response.text();
  expect(response.headers.get('content-type')).toContain('text/plain; version=0.0.4');
  for (const line of [
    '# TYPE attractor_http_requests_total counter',
    'attractor_http_requests_total{method="GET",route="/api/tasks",status="200"} 1',
    'attractor_http_requests_total{method="GET",route="/api/tasks/:id",status="404"} 1',
    'attractor_http_requests_total{method="any",route="other",status="404"} 2',
    'attractor_stream_viewers 1',
    'attractor_queue_runs{state="queued"} 0',
    'attractor_prompts_waiting 0',
    'attractor_runs{status="completed"} 0',
  ])
    expect(text.split('\n')).toContain(line);
  expect(text).toMatch(/^process_resident_memory_bytes \d+$/m);
  for (const line of text.trimEnd().split('\n'))
    expect(line).toMatch(
      /^(?:# (?:HELP|TYPE) \w+ .+|\w+(?:\{\w+="[^"]*"(?:,\w+="[^"]*")*\})? -?\d+(?:\.\d+)?(?:e[+-]?\d+)?)$/,
    );
  await stream.body?.cancel();
  await server.close(0);
  const quiet = await serve({ workflow });
  const off = await quiet.app.fetch(
    new Request('http://127.0.0.1/metrics', { headers: { authorization: `Bearer ${TOKEN}` } }),
  );
  expect([off.status, await off.text()]).toEqual([404, expect.stringContaining('--metrics')]);
  await quiet.close(0);
});

it('a label may contain anything', () => {
  const samples = [{ labels: { model: 'a "b" \\ \n c' }, value: 1 }];
  expect(metricText([{ name: 'm', type: 'gauge', help: 'h', samples }])).toBe(
    '# HELP m h\n# TYPE m gauge\nm{model="a \\"b\\" \\\\ \\n c"} 1\n',
  );
});
