import { anthropic } from './protocols/anthropic/protocol.ts';
import { bedrockClaude, vertexClaude } from './protocols/clouds/claude.ts';
import { azureChat, azureResponses, vertexGemini } from './protocols/clouds/others.ts';
import { gemini } from './protocols/gemini/protocol.ts';
import { openaiChat } from './protocols/openai-chat/protocol.ts';
import { openaiResponses } from './protocols/openai-responses/protocol.ts';
import type { Protocol } from './protocol.ts';
import type { SimulatedRequest } from './wire/http.ts';

export type Operation = 'generate' | 'count_tokens' | 'models' | 'model';

/** The protocol and operation of a request. `model` and `stream` are set if the path names them. */
export interface Route {
  protocol: Protocol;
  operation: Operation;
  model: string;
  stream: boolean;
  arrayStream: boolean;
}

interface Row {
  method: 'GET' | 'POST';
  path: RegExp;
  protocol: Protocol;
  operation: Operation;
  stream?: true;
}

const GEMINI = String.raw`^(?:/v1(?:beta|alpha)?)/(?:models|tunedModels)/(?<model>[^:]+)`;

const VERTEX = String.raw`^/v1(?:beta1)?/projects/[^/]+/locations/[^/]+/publishers`;

const ROUTES: Row[] = [
  {
    method: 'POST',
    path: /^\/model\/(?<model>[^/]+)\/invoke-with-response-stream$/,
    protocol: bedrockClaude,
    operation: 'generate',
    stream: true,
  },
  {
    method: 'POST',
    path: new RegExp(`${VERTEX}/anthropic/models/(?<model>[^/:]+):streamRawPredict$`),
    protocol: vertexClaude,
    operation: 'generate',
    stream: true,
  },
  {
    method: 'POST',
    path: new RegExp(`${VERTEX}/google/models/(?<model>[^/:]+):streamGenerateContent$`),
    protocol: vertexGemini,
    operation: 'generate',
    stream: true,
  },
  { method: 'POST', path: /^\/openai\/v1\/responses$/, protocol: azureResponses, operation: 'generate' },
  {
    method: 'POST',
    path: /^\/openai\/deployments\/(?<model>[^/]+)\/chat\/completions$/,
    protocol: azureChat,
    operation: 'generate',
  },
  { method: 'POST', path: /^(?:\/v1)?\/messages$/, protocol: anthropic, operation: 'generate' },
  { method: 'POST', path: /^(?:\/v1)?\/messages\/count_tokens$/, protocol: anthropic, operation: 'count_tokens' },
  { method: 'POST', path: /^(?:\/v1)?\/responses$/, protocol: openaiResponses, operation: 'generate' },
  {
    method: 'POST',
    path: /^(?:\/v1)?\/responses\/input_tokens$/,
    protocol: openaiResponses,
    operation: 'count_tokens',
  },
  { method: 'POST', path: /^(?:\/v1)?\/chat\/completions$/, protocol: openaiChat, operation: 'generate' },
  { method: 'POST', path: new RegExp(`${GEMINI}:generateContent$`), protocol: gemini, operation: 'generate' },
  {
    method: 'POST',
    path: new RegExp(`${GEMINI}:streamGenerateContent$`),
    protocol: gemini,
    operation: 'generate',
    stream: true,
  },
  { method: 'POST', path: new RegExp(`${GEMINI}:countTokens$`), protocol: gemini, operation: 'count_tokens' },
  { method: 'GET', path: /^\/v1beta\/models$/, protocol: gemini, operation: 'models' },
  { method: 'GET', path: /^\/v1beta\/models\/(?<model>[^/]+)$/, protocol: gemini, operation: 'model' },
  { method: 'GET', path: /^(?:\/v1)?\/models$/, protocol: openaiResponses, operation: 'models' },
  { method: 'GET', path: /^(?:\/v1)?\/models\/(?<model>[^/]+)$/, protocol: openaiResponses, operation: 'model' },
];

export function routeOf(request: SimulatedRequest): Route | undefined {
  const [path = '', query = ''] = request.path.split('?');
  for (const row of ROUTES) {
    const found = row.method === request.method ? row.path.exec(path) : null;
    if (!found) continue;
    const stream = row.stream ?? false;
    const arrayStream = stream && new URLSearchParams(query).get('alt') !== 'sse';
    return {
      protocol: speaker(row, request),
      operation: row.operation,
      model: decode(found.groups?.['model'] ?? ''),
      stream,
      arrayStream,
    };
  }
  return undefined;
}

/** Two services list their models at one path; the version header distinguishes them. */
function speaker(row: Row, request: SimulatedRequest): Protocol {
  const shared = row.protocol === openaiResponses && row.method === 'GET';
  return shared && request.headers['anthropic-version'] !== undefined ? anthropic : row.protocol;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
