import { defined, done, failed, isRecord } from '@attractor/base';
import { newId } from '@attractor/base/id';
import { addUsage, NO_USAGE, type Usage } from '@attractor/llm';
import { z } from 'zod';
import { wireName } from '../file-tools/definitions.ts';
import type { ProviderHost, ProviderResult, Response } from '../provider.ts';
import { resultError } from './claude-errors.ts';
import type { ClaudeCodeOptions } from './claude-options.ts';
import type { ClaudeSdk } from './claude-sdk.ts';

type Fields = Readonly<Record<string, unknown>>;

export type ClaudeQuery = {
  readonly sdk: ClaudeSdk;
  readonly host: ProviderHost;
  readonly options: ClaudeCodeOptions;
  readonly which: { readonly resume: string } | { readonly sessionId: string };
  readonly message: string;
};

const SERVER = 'files';

/** What has arrived so far: the text since the last call, the model's name, and the failure if there was one. */
type Hearing = { text: string; model: string; error: string | null; stderr: string };

/** Sends one message to Claude Code and runs all the calls that follow from it. Throws what the SDK throws. */
export async function queryClaude(query: ClaudeQuery): Promise<ProviderResult<Response>> {
  const { sdk, host, message } = query;
  const hearing: Hearing = { text: '', model: query.options.model ?? '', error: null, stderr: '' };
  const stopper = new AbortController();
  const stop = (): void => stopper.abort();
  host.signal.addEventListener('abort', stop, { once: true });
  if (host.signal.aborted) stop();
  const stream = sdk.query({ prompt: message, options: { ...optionsOf(query, hearing), abortController: stopper } });
  try {
    let result: Fields | null = null;
    for await (const line of stream) {
      if (!isRecord(line)) continue;
      hear(line, hearing, host);
      if (line['type'] === 'result') result = line;
    }
    return responseOf(result, hearing);
  } catch (error) {
    if (hearing.error === null && hearing.stderr === '') throw error;
    return failed(resultError({ code: hearing.error, status: null, said: `${String(error)} ${hearing.stderr}` }));
  } finally {
    host.signal.removeEventListener('abort', stop);
    stream.close?.();
  }
}

function optionsOf({ sdk, host, options, which }: ClaudeQuery, hearing: Hearing): Fields {
  const { agentSpec } = host;
  const model = options.model ?? agentSpec.model;
  return {
    ...which,
    cwd: host.workspaceRoot,
    env: options.env,
    systemPrompt: agentSpec.systemPrompt,
    tools: [],
    mcpServers: { [SERVER]: serverOf(sdk, host, hearing) },
    strictMcpConfig: true,
    settingSources: [],
    permissionMode: 'default',
    canUseTool: permission(host),
    includePartialMessages: true,
    stderr: (text: string) => void (hearing.stderr = (hearing.stderr + text).slice(-4_000)),
    ...defined({ model, maxTurns: agentSpec.maxTurns }),
  };
}

/** Allows only our own tools. As for every provider, each call is checked again before it runs. */
function permission({ tools }: ProviderHost): (name: string, input: Fields) => Promise<Fields> {
  const ours = new Set(tools.map(({ name }) => `mcp__${SERVER}__${wireName(name)}`));
  return async (name, input) =>
    ours.has(name)
      ? { behavior: 'allow', updatedInput: input }
      : { behavior: 'deny', message: `${name} is not one of this agent's tools: ${[...ours].join(', ')}.` };
}

function serverOf(sdk: ClaudeSdk, host: ProviderHost, hearing: Hearing): object {
  const tools = host.tools.map(({ name, description, parameters }) =>
    sdk.tool(wireName(name), description, shapeOf(parameters), async (input, extra) => {
      const { text, model } = hearing;
      hearing.text = '';
      const { output, isError } = await host.runTool({ id: callId(extra), name, input }, { text, model });
      return { content: [{ type: 'text', text: output }], isError };
    }),
  );
  return sdk.createSdkMcpServer({ name: SERVER, version: '1.0.0', alwaysLoad: true, tools });
}

/** The SDK wants zod types: they are made from the schemas, which stay the only source. */
function shapeOf(parameters: Fields): Record<string, z.ZodType> {
  const properties = isRecord(parameters['properties']) ? parameters['properties'] : {};
  const required: ReadonlyArray<unknown> = Array.isArray(parameters['required']) ? parameters['required'] : [];
  const entries = Object.entries(properties).map(([name, schema]): [string, z.ZodType] => {
    const type = z.fromJSONSchema(isRecord(schema) ? schema : {});
    return [name, required.includes(name) ? type : type.optional()];
  });
  return Object.fromEntries(entries);
}

function callId(extra: unknown): string {
  const meta = isRecord(extra) ? extra['_meta'] : undefined;
  const id = isRecord(meta) ? meta['claudecode/toolUseId'] : undefined;
  return typeof id === 'string' ? id : newId('call');
}

function hear(line: Fields, hearing: Hearing, host: ProviderHost): void {
  if (line['parent_tool_use_id'] !== null && line['parent_tool_use_id'] !== undefined) return;
  if (line['type'] === 'stream_event') show(line['event'], host);
  if (line['type'] !== 'assistant' || !isRecord(line['message'])) return;
  const { content, model } = line['message'];
  if (typeof model === 'string' && model !== '<synthetic>') hearing.model = model;
  if (typeof line['error'] === 'string') hearing.error = line['error'];
  for (const block of Array.isArray(content) ? content : [])
    if (isRecord(block) && typeof block['text'] === 'string') hearing.text += block['text'];
}

function show(event: unknown, host: ProviderHost): void {
  if (!isRecord(event)) return;
  if (event['type'] === 'message_start') host.onProgress({ kind: 'ASSISTANT_TEXT_START' });
  if (event['type'] === 'message_stop') host.onProgress({ kind: 'ASSISTANT_TEXT_END' });
  const delta = isRecord(event['delta']) ? event['delta'] : {};
  if (typeof delta['text'] === 'string') host.onProgress({ kind: 'ASSISTANT_TEXT_DELTA', text: delta['text'] });
  if (typeof delta['thinking'] === 'string') host.onProgress({ kind: 'THINKING_DELTA', text: delta['thinking'] });
}

function responseOf(result: Fields | null, hearing: Hearing): ProviderResult<Response> {
  const said = typeof result?.['result'] === 'string' ? result['result'] : '';
  if (result === null || result['is_error'] === true || result['subtype'] !== 'success') {
    const status = typeof result?.['api_error_status'] === 'number' ? result['api_error_status'] : null;
    const errors = Array.isArray(result?.['errors']) ? result['errors'].join(' ') : '';
    const subtype = typeof result?.['subtype'] === 'string' ? result['subtype'] : 'no result';
    return failed(resultError({ code: hearing.error, status, said: said || errors || hearing.stderr || subtype }));
  }
  const cost = result['total_cost_usd'];
  return done({
    text: said,
    toolCalls: [],
    isComplete: true,
    usage: usageOf(result['usage']),
    model: hearing.model,
    ...(typeof result['uuid'] === 'string' ? { responseId: result['uuid'] } : {}),
    ...(typeof cost === 'number' ? { costUsd: cost } : {}),
  });
}

/** Claude Code counts cached input apart from `input_tokens`; we count it as part of the input. */
function usageOf(value: unknown): Usage {
  const count = (name: string): number => {
    const number = isRecord(value) ? value[name] : undefined;
    return typeof number === 'number' ? number : 0;
  };
  const cacheReadTokens = count('cache_read_input_tokens');
  const cacheWriteTokens = count('cache_creation_input_tokens');
  const inputTokens = count('input_tokens') + cacheReadTokens + cacheWriteTokens;
  const outputTokens = count('output_tokens');
  const totalTokens = inputTokens + outputTokens;
  return addUsage(NO_USAGE, { inputTokens, outputTokens, totalTokens, cacheReadTokens, cacheWriteTokens });
}
