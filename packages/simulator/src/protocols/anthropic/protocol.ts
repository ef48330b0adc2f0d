import type { SimulatedRequest } from '../../wire/http.ts';
import type { Failure, Protocol } from '../../protocol.ts';
import { complete } from './complete.ts';
import { failure, headers, streamFailure } from './failure.ts';
import { parse } from './parse.ts';
import { opening, PING, stream } from './stream.ts';
import { check } from './strict.ts';

export const anthropic: Protocol = {
  id: 'anthropic',
  callIdPrefix: 'toolu_01',
  authenticate,
  check,
  parse,
  complete,
  stream,
  opening,
  metadataOnly: (answer) => ({
    events: [...opening(answer), PING],
    body: complete({ ...answer, parts: [], finish: 'stop' }),
  }),
  streamFailure,
  failure,
  invalidJson: () => ({ kind: 'invalid_request', message: 'The request body is not valid JSON' }),
  modelNotFound: (model) => ({ kind: 'not_found', message: `model: ${model}` }),
  contextOverflow: (tokens, limit) => ({
    kind: 'context_overflow',
    message: `prompt is too long: ${tokens} tokens > ${limit} maximum`,
  }),
  unknownEvent: { event: 'future_event', data: '{"type":"future_event","detail":{"nobody":"knows"}}' },
  ping: 'event: ping\ndata: {"type": "ping"}\n\n',
  headers,
  models: (ids) => ({
    data: ids.map(modelInfo),
    has_more: false,
    first_id: ids[0] ?? null,
    last_id: ids.at(-1) ?? null,
  }),
  model: modelInfo,
  countTokens: (tokens) => ({ input_tokens: tokens }),
};

function authenticate(request: SimulatedRequest, apiKeys: readonly string[] | undefined): Failure | undefined {
  const key = request.headers['x-api-key'];
  const bearer = request.headers['authorization']?.replace(/^Bearer /i, '');
  const given = key ?? bearer;
  if (!given) return { kind: 'unauthorized', message: 'x-api-key header is required' };
  if (apiKeys && !apiKeys.includes(given)) {
    return { kind: 'unauthorized', message: key ? 'invalid x-api-key' : 'Invalid bearer token' };
  }
  if (request.headers['anthropic-version']) return undefined;
  return { kind: 'invalid_request', message: 'anthropic-version: header is required' };
}

function modelInfo(id: string): unknown {
  return { type: 'model', id, display_name: id, created_at: '2025-01-01T00:00:00Z' };
}
