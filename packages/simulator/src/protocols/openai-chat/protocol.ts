import { authenticate, failure, headers, invalidJson, modelInfo, modelNotFound } from '../openai/failure.ts';
import type { Protocol } from '../../protocol.ts';
import { complete } from './complete.ts';
import { parse } from './parse.ts';
import { DONE, opening, stream, usageChunk } from './stream.ts';
import { check } from './strict.ts';

export const openaiChat: Protocol = {
  id: 'openai-chat',
  callIdPrefix: 'call_',
  authenticate,
  check,
  parse,
  complete,
  stream,
  opening,
  metadataOnly: (answer, request) => ({
    events: [...opening(answer, request), ...usageChunk(answer, request), DONE],
    body: complete({ ...answer, parts: [], finish: 'stop' }),
  }),
  streamFailure: (given) => [{ data: JSON.stringify(failure(given).body) }],
  failure,
  invalidJson,
  modelNotFound,
  contextOverflow: (tokens, limit) => ({
    kind: 'context_overflow',
    message: `This model's maximum context length is ${limit} tokens. However, your messages resulted in ${tokens} tokens. Please reduce the length of the messages.`,
    param: 'messages',
  }),
  unknownEvent: { event: 'future', data: '{"object":"chat.completion.future","choices":[]}' },
  ping: ': keepalive\n\n',
  headers,
  models: (ids) => ({ object: 'list', data: ids.map(modelInfo) }),
  model: modelInfo,
  countTokens: (tokens) => ({ input_tokens: tokens }),
};
