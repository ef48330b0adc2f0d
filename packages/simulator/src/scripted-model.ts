import { createRequestCounts } from './conversation/request-counts.ts';
import { createPromptCache } from './conversation/prompt-cache.ts';
import { failureResponse } from './fault/refuse.ts';
import { type GenerateWorld, generate } from './generate.ts';
import type { CheckContext, Failure } from './protocol.ts';
import {
  createRecorder,
  maskSecrets,
  type RecordedRequest,
  type Recording,
  type RequestFilter,
  type ScriptFailure,
} from './record.ts';
import { type Route, routeOf } from './routes.ts';
import { parseScript } from './script/load.ts';
import type { Script, ScriptInput } from './script/types.ts';
import { jsonResponse, type SimulatedRequest, type SimulatedResponse } from './wire/http.ts';
import { isObject, type JsonObject, stringOf } from './wire/json.ts';

export interface ScriptedModelOptions {
  /** Answer 400 to what the real services refuse. On unless switched off. */
  strict?: boolean;
  /** How many requests are kept: all of them, only the last, or none. */
  record?: Recording;
}

/** The model without a socket: one request in, one description of a response out. */
export interface ScriptedModel {
  handle(request: SimulatedRequest): SimulatedResponse;
  requests(filter?: RequestFilter): RecordedRequest[];
  failures(): ScriptFailure[];
  /** Forgets requests, failures, counts of requests and cached prompts. */
  reset(): void;
}

const DEFAULT_MODELS = ['claude-sonnet-4-5-20250929', 'gpt-5.1', 'gemini-2.5-pro', 'scripted'];

/** Throws if the script is invalid: use `loadScript` or `parseScript` first if it comes from a person. */
export function createScriptedModel(input: ScriptInput | Script, options: ScriptedModelOptions = {}): ScriptedModel {
  const parsed = parseScript(input);
  if (!parsed.ok) throw new Error(parsed.error.message);
  const { script } = parsed;
  const world: World = {
    script,
    strict: options.strict ?? true,
    requestCounts: createRequestCounts(),
    cache: createPromptCache(script.cacheMinTokens ?? 0),
    recorder: createRecorder(options.record ?? 'all'),
  };
  return {
    handle: (request) => handle(world, request),
    requests: (filter) => world.recorder.requests(filter),
    failures: () => world.recorder.failures(),
    reset() {
      world.recorder.clear();
      world.requestCounts.clear();
      world.cache.clear();
    },
  };
}

interface World extends GenerateWorld {
  strict: boolean;
}

function handle(world: World, request: SimulatedRequest): SimulatedResponse {
  const route = routeOf(request);
  const record: RecordedRequest = {
    protocol: route?.protocol.id ?? 'unknown',
    operation: route?.operation ?? 'unknown',
    method: request.method,
    ...maskSecrets(request),
    body: undefined,
    status: 0,
    at: new Date().toISOString(),
  };
  const response = route ? answer(world, { request, route, record }) : unknownPath(request);
  record.status = response.status;
  world.recorder.add(record);
  return response;
}

interface Exchange {
  request: SimulatedRequest;
  route: Route;
  record: RecordedRequest;
}

function answer(world: World, exchange: Exchange): SimulatedResponse {
  const { request, route, record } = exchange;
  const { protocol } = route;
  const refused = protocol.authenticate(request, world.script.apiKeys);
  if (refused) return failureResponse(protocol, refused);
  if (route.operation === 'models' || route.operation === 'model') return describeModels(world.script, route);
  const body = readBody(request.body);
  record.body = body ?? request.body;
  if (!body) return failureResponse(protocol, protocol.invalidJson(request.body));
  const model = route.model || stringOf(body['model']);
  const failure = refusal(world, { ...exchange, body, model });
  if (failure) return failureResponse(protocol, failure);
  const parsed = protocol.parse(unwrap(body, route), {
    headers: request.headers,
    model,
    stream: route.stream,
    arrayStream: route.arrayStream,
  });
  if (route.operation === 'generate') return generate(world, { request: parsed, protocol, record });
  return jsonResponse(200, protocol.countTokens(world.cache.count(parsed)), protocol.headers());
}

function refusal(
  world: World,
  { body, model, route }: Exchange & { body: JsonObject; model: string },
): Failure | undefined {
  const context: CheckContext = {
    model,
    requireThoughtSignatures: world.script.requireThoughtSignatures ?? false,
    counting: route.operation === 'count_tokens',
  };
  const failure = world.strict ? route.protocol.check(body, context) : undefined;
  if (failure) return failure;
  const known = world.script.models?.includes(model) ?? true;
  return known ? undefined : route.protocol.modelNotFound(model);
}

/** A Gemini count may carry the whole request inside. */
function unwrap(body: JsonObject, { operation }: Route): JsonObject {
  const inner = body['generateContentRequest'];
  return operation === 'count_tokens' && isObject(inner) ? inner : body;
}

function readBody(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function describeModels(script: Script, { protocol, operation, model }: Route): SimulatedResponse {
  const models = script.models ?? DEFAULT_MODELS;
  if (operation === 'models') return jsonResponse(200, protocol.models(models), protocol.headers());
  if (!models.includes(model)) return failureResponse(protocol, protocol.modelNotFound(model));
  return jsonResponse(200, protocol.model(model), protocol.headers());
}

function unknownPath(request: SimulatedRequest): SimulatedResponse {
  const message = `the simulator has no ${request.method} ${request.path.split('?')[0]}; see its README for the paths it serves`;
  return jsonResponse(404, {
    type: 'error',
    error: { type: 'not_found_error', code: 404, message, status: 'NOT_FOUND' },
  });
}
