import { EXCEPTION, frameAmazonEvents } from '../../wire/amazon-events.ts';
import type { JsonObject } from '../../wire/json.ts';
import type { CheckContext, Failure, FailureKind, ParseContext, Protocol } from '../../protocol.ts';
import { anthropic } from '../anthropic/protocol.ts';
import { invalid } from '../refuse.ts';
import { bearerAuthentication, signedAuthentication } from './authenticate.ts';

/** Claude in Amazon's cloud: the model is in the path, its version of the protocol in the body, and events are binary. */
export const bedrockClaude: Protocol = {
  ...anthropic,
  authenticate: signedAuthentication,
  check: (body, context) => checkInCloud(body, context, 'bedrock-2023-05-31'),
  parse: parseInCloud,
  streamFailure: (given) => {
    const { type, message } = amazonFailure(given);
    const name = type.charAt(0).toLowerCase() + type.slice(1);
    return [{ event: `${EXCEPTION}${name}`, data: JSON.stringify({ message }) }];
  },
  failure: (given) => {
    const { status, message } = amazonFailure(given);
    return { status: given.status ?? status, body: { message } };
  },
  contextOverflow: () => ({ kind: 'context_overflow' }),
  modelNotFound: () => ({ kind: 'invalid_request', message: 'The provided model identifier is invalid.' }),
  frames: { type: 'application/vnd.amazon.eventstream', frame: frameAmazonEvents },
};

/** Claude in Google's cloud: the same with events as text, and a token. */
export const vertexClaude: Protocol = {
  ...anthropic,
  authenticate: bearerAuthentication,
  check: (body, context) => checkInCloud(body, context, 'vertex-2023-10-16'),
  parse: parseInCloud,
};

function parseInCloud(body: JsonObject, context: ParseContext): ReturnType<Protocol['parse']> {
  return anthropic.parse({ ...body, model: context.model, stream: context.stream }, context);
}

function checkInCloud(body: JsonObject, context: CheckContext, version: string): Failure | undefined {
  const { anthropic_version: given, anthropic_beta: _betas, ...rest } = body;
  if (given !== version) return invalid(`anthropic_version: Input should be '${version}'`);
  if (rest['model'] !== undefined) return invalid('model: Extra inputs are not permitted');
  return anthropic.check({ ...rest, model: context.model }, context);
}

interface AmazonFailure {
  status: number;
  type: string;
  message: string;
}

const THROTTLED: AmazonFailure = {
  status: 429,
  type: 'ThrottlingException',
  message: 'Too many requests, please wait before trying again.',
};

const AMAZON: Partial<Record<FailureKind, AmazonFailure>> = {
  unauthorized: {
    status: 403,
    type: 'UnrecognizedClientException',
    message: 'The security token included in the request is invalid.',
  },
  forbidden: {
    status: 403,
    type: 'AccessDeniedException',
    message: "You don't have access to the model with the specified model ID.",
  },
  context_overflow: { status: 400, type: 'ValidationException', message: 'Input is too long for requested model.' },
  rate_limit: THROTTLED,
  overloaded: {
    status: 503,
    type: 'ServiceUnavailableException',
    message: 'Bedrock is unable to process your request.',
  },
  server: { status: 500, type: 'InternalServerException', message: 'The system encountered an unexpected error.' },
};

function amazonFailure({ kind, message }: Failure): AmazonFailure {
  const row = AMAZON[kind] ?? { status: 400, type: 'ValidationException', message: 'Malformed input request.' };
  return { ...row, message: message ?? row.message };
}
