import type { Spend } from '@attractor/api';
import type { PlatformWorkflow } from '@attractor/platform';
import { refusal } from './answer.ts';
import type { HttpHandler, Services } from './context.ts';
import { type Metric, metricText, type Sample } from './metric-text.ts';

/** Read anew for each request: what is stored is the truth, whichever process wrote it. Only requests and memory are this process's own. */
export const readMetrics: HttpHandler = async (context, services) => {
  if (services.requests === null)
    return refusal(context, 'not_found', 'Metrics are off. Start the server with --metrics.');
  const metrics = [...(await ofWork(services.workflow)), ...ofProcess(services)];
  return context.text(metricText(metrics), 200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' });
};

async function ofWork(workflow: PlatformWorkflow): Promise<ReadonlyArray<Metric>> {
  const [queue, stats, costs, prompts] = await Promise.all([
    workflow.queueState({ limit: 1000 }),
    workflow.stats({}),
    workflow.costs({}, 'model'),
    workflow.countPrompts({ status: 'pending' }),
  ]);
  const waits = queue.jobs.filter(({ state }) => state === 'queued').map(({ createdAt }) => Date.parse(createdAt));
  const oldest = waits.length === 0 ? 0 : Math.max(0, (Date.now() - Math.min(...waits)) / 1000);
  const claims = queue.jobs.reduce((sum, { attempts }) => sum + attempts, 0);
  return [
    gauge(
      'attractor_queue_runs',
      'Runs by their place in the queue.',
      (['queued', 'running', 'waiting'] as const).map((state) => ({ labels: { state }, value: queue[state] })),
    ),
    gauge('attractor_queue_oldest_wait_seconds', 'How long the run has waited that waits longest.', [
      { value: oldest },
    ]),
    gauge('attractor_queue_claims', 'Claims of the runs in the queue since they last made progress.', [
      { value: claims },
    ]),
    gauge('attractor_prompts_waiting', 'Questions that wait for a person.', [{ value: prompts }]),
    ...(stats.ok ? [runsOf(stats.value)] : []),
    ...(costs.ok ? spendOf(costs.value.rows) : []),
  ];
}

const STATUSES = ['running', 'completed', 'failed', 'timeout', 'cancelled'] as const;

function runsOf(stats: Readonly<Record<(typeof STATUSES)[number], number>>): Metric {
  const samples = STATUSES.map((status) => ({ labels: { status }, value: stats[status] }));
  return gauge('attractor_runs', 'Runs that are kept, by status.', samples);
}

const TOKENS = {
  input: 'inputTokens',
  output: 'outputTokens',
  cache_read: 'cacheReadTokens',
  cache_write: 'cacheWriteTokens',
} as const;

function spendOf(rows: ReadonlyArray<Spend & { readonly key: string }>): ReadonlyArray<Metric> {
  const ofModel = (value: (row: Spend) => number) =>
    rows.map((row) => ({ labels: { model: row.key }, value: value(row) }));
  const tokens = rows.flatMap((row) =>
    Object.entries(TOKENS).map(([kind, name]) => ({ labels: { model: row.key, kind }, value: row[name] })),
  );
  return [
    counter('attractor_model_tokens_total', 'Tokens by model; input includes what was read from the cache.', tokens),
    counter(
      'attractor_model_cost_usd_total',
      'What calls of known price cost.',
      ofModel(({ knownCostUsd }) => knownCostUsd),
    ),
    counter(
      'attractor_model_calls_total',
      'Calls of models.',
      ofModel(({ calls }) => calls),
    ),
    counter(
      'attractor_model_unpriced_calls_total',
      'Calls of unknown price.',
      ofModel(({ unpricedCalls }) => unpricedCalls),
    ),
  ];
}

function ofProcess({ requests, streams }: Services): ReadonlyArray<Metric> {
  const memory = process.memoryUsage();
  const counts = requests?.all() ?? [];
  return [
    counter(
      'attractor_http_requests_total',
      'Answers by route and status.',
      counts.map(({ method, route, status, count }) => ({
        labels: { method, route, status: String(status) },
        value: count,
      })),
    ),
    gauge('attractor_stream_viewers', 'Open event streams.', [{ value: streams.openCount() }]),
    gauge('process_resident_memory_bytes', 'Resident memory.', [{ value: memory.rss }]),
    gauge('nodejs_heap_size_used_bytes', 'Used heap.', [{ value: memory.heapUsed }]),
    gauge('process_uptime_seconds', 'How long the process runs.', [{ value: process.uptime() }]),
  ];
}

function gauge(name: string, help: string, samples: ReadonlyArray<Sample>): Metric {
  return { name, type: 'gauge', help, samples };
}

function counter(name: string, help: string, samples: ReadonlyArray<Sample>): Metric {
  return { name, type: 'counter', help, samples };
}
