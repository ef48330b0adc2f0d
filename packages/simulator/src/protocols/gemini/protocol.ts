import type { Protocol } from '../../protocol.ts';
import { complete, tail } from './complete.ts';
import { authenticate, failure } from './failure.ts';
import { parse } from './parse.ts';
import { stream } from './stream.ts';
import { check } from './strict.ts';

export const gemini: Protocol = {
  id: 'gemini',
  // The service gives calls no ids; a script may.
  callIdPrefix: undefined,
  authenticate,
  check,
  parse,
  complete,
  stream,
  opening: () => [],
  metadataOnly: (answer) => {
    const body = JSON.stringify(tail(answer, { ...answer.usage, output: 0, reasoning: 0 }));
    return { events: [{ data: body }], body };
  },
  streamFailure: (given) => [{ data: JSON.stringify(failure(given).body) }],
  failure,
  invalidJson: () => ({ kind: 'invalid_request', message: 'Invalid JSON payload received. Unexpected token.' }),
  modelNotFound: (model) => ({
    kind: 'not_found',
    message: `models/${model} is not found for API version v1beta, or is not supported for generateContent. Call ListModels to see the list of available models and their supported methods.`,
  }),
  contextOverflow: (tokens, limit) => ({
    kind: 'context_overflow',
    message: `The input token count (${tokens}) exceeds the maximum number of tokens allowed (${limit}).`,
  }),
  unknownEvent: { event: 'future', data: '{"futureField":{"nobody":"knows"}}' },
  ping: ': keepalive\n\n',
  headers: () => ({ 'server-timing': 'gfet4t7; dur=12' }),
  models: (ids) => ({ models: ids.map(modelInfo) }),
  model: modelInfo,
  countTokens: (tokens) => ({ totalTokens: tokens, promptTokensDetails: [{ modality: 'TEXT', tokenCount: tokens }] }),
};

function modelInfo(id: string): unknown {
  return {
    name: `models/${id}`,
    version: '001',
    displayName: id,
    description: 'A scripted model',
    inputTokenLimit: 1_048_576,
    outputTokenLimit: 65_536,
    supportedGenerationMethods: ['generateContent', 'countTokens'],
  };
}
