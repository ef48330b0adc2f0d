import type { WireEvent } from '../../wire/sse.ts';
import { authenticate, failure, headers, invalidJson, modelInfo, modelNotFound } from '../openai/failure.ts';
import type { Failure, Protocol } from '../../protocol.ts';
import { complete } from './complete.ts';
import { parse } from './parse.ts';
import { opening, stream } from './stream.ts';
import { check } from './strict.ts';

export const openaiResponses: Protocol = {
  id: 'openai',
  callIdPrefix: 'call_',
  authenticate,
  check,
  parse,
  complete,
  stream,
  opening,
  metadataOnly: (answer, request) => ({
    events: opening(answer, request),
    body: complete({ ...answer, parts: [], finish: 'stop' }, request),
  }),
  streamFailure,
  failure,
  invalidJson,
  modelNotFound,
  contextOverflow: () => ({ kind: 'context_overflow', param: 'input' }),
  unknownEvent: {
    event: 'response.future.delta',
    data: '{"type":"response.future.delta","sequence_number":0,"detail":{"nobody":"knows"}}',
  },
  ping: ': keepalive\n\n',
  headers,
  models: (ids) => ({ object: 'list', data: ids.map(modelInfo) }),
  model: modelInfo,
  countTokens: (tokens) => ({ object: 'response.input_tokens', input_tokens: tokens }),
};

function streamFailure(given: Failure): WireEvent[] {
  const { error } = failure(given).body;
  const data = {
    type: 'error',
    sequence_number: 99,
    code: error.code,
    message: error.message,
    param: error.param,
    error,
  };
  return [{ event: 'error', data: JSON.stringify(data) }];
}
