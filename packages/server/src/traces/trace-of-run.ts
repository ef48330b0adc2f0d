import { getModelInfo } from '@attractor/llm';
import type { AgentRun, PlatformEvent } from '@attractor/platform';
import { type Attributes, type Span, spanIdOf, traceIdOf } from './span.ts';

/**
 * What is known of a run that is under way, from its events in their order. A run is a trace: its steps, and in them the calls of models
 * and tools. The names are those of OpenTelemetry's conventions for generative AI; nothing that anybody wrote is among them.
 */
export type RunTrace = {
  readonly runId: string;
  readonly run: AgentRun | null;
  readonly startMs: number;
  readonly provider: string | null;
  readonly step: { readonly name: string; readonly startMs: number; readonly key: string } | null;
  /** When the agent was last given something: a model that answers was asked then. */
  readonly askedMs: number;
  readonly tools: ReadonlyMap<string, { readonly name: string; readonly startMs: number }>;
};

export type Traced = { readonly trace: RunTrace | null; readonly spans: ReadonlyArray<Span> };

export function beginTrace(runId: string, { at }: PlatformEvent): RunTrace {
  const startMs = Date.parse(at);
  return { runId, run: null, startMs, provider: null, step: null, askedMs: startMs, tools: new Map() };
}

/** The trace after one more event of the run, and the spans that ended with it. Null: the run is over. */
export function foldTrace(trace: RunTrace, event: PlatformEvent): Traced {
  const at = Date.parse(event.at);
  switch (event.type) {
    case 'agent.started':
      return only({ ...trace, run: event.data.run });
    case 'run.configured':
      return only({ ...trace, provider: textOf(event.data.config?.['provider']) ?? trace.provider });
    case 'run.step_started':
      return only({
        ...trace,
        askedMs: at,
        step: { name: event.data.step, startMs: at, key: `step ${event.data.step} ${event.seq}` },
      });
    case 'run.step_finished':
      return endStep(trace, event.data.step, { at, error: event.data.failure?.code ?? null });
    case 'agent.message':
      return foldMessage(trace, event.data.message, at);
    case 'agent.completed':
    case 'agent.failed':
    case 'agent.cancelled':
      return { trace: null, spans: [wholeRun({ ...trace, run: event.data.run }, at)] };
    default:
      return only(trace);
  }
}

function only(trace: RunTrace): Traced {
  return { trace, spans: [] };
}

type Ended = { readonly at: number; readonly error: string | null };

function endStep(trace: RunTrace, name: string, { at, error }: Ended): Traced {
  const { step } = trace;
  if (step === null || step.name !== name) return only(trace);
  const span = spanOf(trace, {
    key: step.key,
    parentKey: ROOT,
    name: `step ${name}`,
    kind: 'internal',
    startMs: step.startMs,
    endMs: at,
    attributes: { 'attractor.run.step': name },
    error,
  });
  return { trace: { ...trace, step: null }, spans: [span] };
}

type Message = Extract<PlatformEvent, { type: 'agent.message' }>['data']['message'];

function foldMessage(trace: RunTrace, message: Message, at: number): Traced {
  if (message.kind === 'usage') return { trace: { ...trace, askedMs: at }, spans: [modelCall(trace, message, at)] };
  if (message.kind === 'tool_call') {
    const call = { name: message.toolName, startMs: at };
    return only({ ...trace, tools: new Map([...trace.tools, [message.toolCallId, call]]) });
  }
  if (message.kind !== 'tool_result') return only(trace);
  const call = trace.tools.get(message.toolCallId);
  if (call === undefined) return only(trace);
  const tools = new Map([...trace.tools].filter(([id]) => id !== message.toolCallId));
  const span = spanOf(trace, {
    key: `tool ${message.toolCallId}`,
    parentKey: trace.step?.key ?? ROOT,
    name: `execute_tool ${call.name}`,
    kind: 'internal',
    startMs: call.startMs,
    endMs: at,
    attributes: {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': call.name,
      'gen_ai.tool.call.id': message.toolCallId,
      'gen_ai.tool.type': 'function',
    },
    error: message.isError ? 'tool_error' : null,
  });
  return { trace: { ...trace, askedMs: at, tools }, spans: [span] };
}

function modelCall(trace: RunTrace, message: Extract<Message, { kind: 'usage' }>, at: number): Span {
  const { model, usage } = message;
  const cached: Attributes = {
    ...(usage.cacheReadTokens === undefined ? {} : { 'gen_ai.usage.cache_read.input_tokens': usage.cacheReadTokens }),
    ...(usage.cacheWriteTokens === undefined
      ? {}
      : { 'gen_ai.usage.cache_creation.input_tokens': usage.cacheWriteTokens }),
  };
  return spanOf(trace, {
    key: `model ${message.key}`,
    parentKey: trace.step?.key ?? ROOT,
    name: `chat ${model}`,
    kind: 'client',
    startMs: trace.askedMs,
    endMs: at,
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': providerOf(trace, model),
      'gen_ai.request.model': model,
      'gen_ai.response.model': model,
      'gen_ai.usage.input_tokens': usage.inputTokens,
      'gen_ai.usage.output_tokens': usage.outputTokens,
      ...cached,
      ...(message.costUsd === null ? {} : { 'attractor.cost_usd': message.costUsd }),
    },
    error: null,
  });
}

function wholeRun(trace: RunTrace, at: number): Span {
  const { run } = trace;
  const failure = run === null || run.status === 'completed' ? null : run.status;
  const usage = run?.tokenUsage ?? null;
  return spanOf(trace, {
    key: ROOT,
    parentKey: null,
    name: `invoke_agent ${run?.agentType ?? 'agent'}`,
    kind: 'internal',
    startMs: run === null ? trace.startMs : Date.parse(run.startedAt),
    endMs: at,
    attributes: {
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.name': run?.agentType ?? 'agent',
      'gen_ai.provider.name': providerOf(trace, run?.model ?? ''),
      'gen_ai.conversation.id': trace.runId,
      ...(run === null ? {} : aboutRun(run)),
      ...(usage === null
        ? {}
        : { 'gen_ai.usage.input_tokens': usage.inputTokens, 'gen_ai.usage.output_tokens': usage.outputTokens }),
    },
    error: failure,
  });
}

function aboutRun(run: AgentRun): Attributes {
  return {
    'gen_ai.request.model': run.model,
    'attractor.run.key': run.key,
    'attractor.run.mode': run.mode,
    'attractor.task.id': run.taskId,
    'attractor.project.id': run.projectId,
    ...(run.outcome === null ? {} : { 'attractor.run.outcome': run.outcome }),
  };
}

const ROOT = 'run';

type Draft = Omit<Span, 'traceId' | 'spanId' | 'parentSpanId'> & {
  readonly key: string;
  readonly parentKey: string | null;
};

function spanOf({ runId }: RunTrace, { key, parentKey, ...span }: Draft): Span {
  return {
    ...span,
    traceId: traceIdOf(runId),
    spanId: spanIdOf(runId, key),
    parentSpanId: parentKey === null ? null : spanIdOf(runId, parentKey),
    // A clock that was set back must not make a span that ends before it begins.
    endMs: Math.max(span.startMs, span.endMs),
  };
}

/** Where the conventions have a name of their own for a provider. */
const PROVIDERS: Readonly<Record<string, string>> = { gemini: 'gcp.gemini' };

function providerOf({ provider }: RunTrace, model: string): string {
  const own = provider ?? getModelInfo(model)?.provider ?? 'unknown';
  return PROVIDERS[own] ?? own;
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
