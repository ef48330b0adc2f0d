import { describe, expect, it } from 'vitest';
import { TransportFailure } from '../http/transport-failure.ts';
import { LlmError } from '../types/error.ts';
import { toLlmError } from './provider-error.ts';
import { wireErrorClass } from './wire-class.ts';

const CONTEXT = { provider: 'anthropic', model: 'm', keyVariable: 'ANTHROPIC_API_KEY', secrets: ['sk-secret-key'] };

function response(statusCode: number | undefined, body: unknown, responseHeaders: Record<string, string> = {}): Error {
  const responseBody = typeof body === 'string' ? body : JSON.stringify(body);
  return Object.assign(new Error('said'), { name: 'AI_APICallError', statusCode, responseBody, responseHeaders });
}

const anthropic = (type: string, message = 'm') => ({ type: 'error', error: { type, message } });
const openai = (code: string | null, type: string, message = 'm') => ({ error: { message, type, code, param: null } });
const google = (code: number, status: string, message = 'm', details: unknown[] = []) => ({
  error: { code, status, message, details },
});

describe('a failed response', () => {
  it.each([
    [401, anthropic('authentication_error'), 'authentication', false, 'auth'],
    [403, anthropic('permission_error'), 'access_denied', false, 'auth'],
    [404, anthropic('not_found_error'), 'not_found', false, 'invalid_request'],
    [400, anthropic('invalid_request_error'), 'invalid_request', false, 'invalid_request'],
    [422, { detail: 'no' }, 'invalid_request', false, 'invalid_request'],
    [408, 'slow', 'timeout', false, 'network'],
    [413, anthropic('request_too_large'), 'context_length', false, 'context_length'],
    [
      400,
      anthropic('invalid_request_error', 'prompt is too long: 210000 tokens > 200000 maximum'),
      'context_length',
      false,
      'context_length',
    ],
    [400, openai('context_length_exceeded', 'invalid_request_error'), 'context_length', false, 'context_length'],
    [
      400,
      google(
        400,
        'INVALID_ARGUMENT',
        'The input token count (1100000) exceeds the maximum number of tokens allowed (1048576).',
      ),
      'context_length',
      false,
      'context_length',
    ],
    [429, anthropic('rate_limit_error'), 'rate_limit', true, 'rate_limit'],
    [
      429,
      openai('rate_limit_exceeded', 'tokens', 'Request too large for gpt on tokens per min'),
      'rate_limit',
      true,
      'rate_limit',
    ],
    [429, openai('insufficient_quota', 'insufficient_quota'), 'quota_exceeded', false, 'quota'],
    [
      429,
      {
        type: 'error',
        error: { type: 'rate_limit_error', message: 'x', details: { error_code: 'enforced_spend_limit_reached' } },
      },
      'quota_exceeded',
      false,
      'quota',
    ],
    [
      429,
      google(429, 'RESOURCE_EXHAUSTED', 'You exceeded your current quota, please check your plan and billing details.'),
      'quota_exceeded',
      false,
      'quota',
    ],
    [
      429,
      google(429, 'RESOURCE_EXHAUSTED', 'You exceeded your current quota', [
        { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '34.5s' },
      ]),
      'rate_limit',
      true,
      'rate_limit',
    ],
    [
      429,
      google(429, 'RESOURCE_EXHAUSTED', 'You exceeded your current quota', [
        { violations: [{ quotaId: 'GenerateRequestsPerDayPerProjectPerModel-FreeTier' }] },
        { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '34.5s' },
      ]),
      'quota_exceeded',
      false,
      'quota',
    ],
    [402, 'pay', 'quota_exceeded', false, 'quota'],
    [
      400,
      anthropic('invalid_request_error', 'Your credit balance is too low to access the API.'),
      'quota_exceeded',
      false,
      'quota',
    ],
    [529, anthropic('overloaded_error'), 'overloaded', true, 'overloaded'],
    [
      503,
      google(503, 'UNAVAILABLE', 'The model is overloaded. Please try again later.'),
      'overloaded',
      true,
      'overloaded',
    ],
    [503, '<html>bad</html>', 'server', true, 'server'],
    [500, anthropic('api_error'), 'server', true, 'server'],
    [504, google(504, 'DEADLINE_EXCEEDED'), 'server', true, 'server'],
    [
      400,
      google(400, 'INVALID_ARGUMENT', 'API key not valid. Please pass a valid API key.', [
        { reason: 'API_KEY_INVALID' },
      ]),
      'authentication',
      false,
      'auth',
    ],
    [400, openai('content_policy_violation', 'invalid_request_error'), 'content_filter', false, 'other'],
    [418, 'teapot', 'invalid_request', false, 'invalid_request'],
    [undefined, anthropic('overloaded_error'), 'overloaded', true, 'overloaded'],
    [undefined, google(0, 'RESOURCE_EXHAUSTED'), 'rate_limit', true, 'rate_limit'],
    [undefined, google(0, 'DEADLINE_EXCEEDED'), 'timeout', false, 'network'],
    [undefined, google(0, 'PERMISSION_DENIED'), 'access_denied', false, 'auth'],
  ])('%s %j is %s', (status, body, code, retryable, wire) => {
    const error = toLlmError(response(status, body), CONTEXT);
    expect([error.code, error.retryable, wireErrorClass(error)]).toEqual([code, retryable, wire]);
    expect(error.status).toBe(status);
  });

  it.each([
    "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
    'Invalid request: Your request exceeded model token limit: 262144',
    'The input (300000 tokens) exceeds the maximum allowed input length of 262144.',
    'Token limit exceeded: 140000 > 131072',
    'tokens in request more than max tokens allowed',
    'Prompt exceeds max length',
    'Range of input length should be [1, 129024]',
    'prompt token count of 130512 exceeds the limit of 128000',
    'Input validation error: `inputs` must have less than 4096 tokens. Given: 5012',
    '`inputs` tokens + `max_new_tokens` must be <= 4097. Given: 5000 `inputs` tokens and 100 `max_new_tokens`',
    'The provided prompt is 9000 tokens long, but the maximum supported sequence length is just 8192!',
    'Total tokens of image and text exceed max message tokens.',
    'the number of input tokens 5000 cannot exceed the total tokens limit 4096 for this model',
    'Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length',
    'invalid params, context window exceeds limit',
    'the request exceeds the available context size, try increasing it',
  ])('that says "%s" is a full context', (message) => {
    const error = toLlmError(response(400, openai(null, 'invalid_request_error', message)), CONTEXT);
    expect([error.code, error.retryable]).toEqual(['context_length', false]);
  });

  it.each([
    [429, openai(null, 'exceeded_current_quota_error', 'Your account is suspended'), 'quota_exceeded'],
    [429, openai(null, 'engine_overloaded_error', 'The engine is currently overloaded'), 'overloaded'],
    [400, openai('Arrearage', 'Arrearage', 'make sure your account is in good standing'), 'quota_exceeded'],
    [400, anthropic('invalid_request_error', 'You have reached your specified API usage limits.'), 'quota_exceeded'],
    [498, openai(null, 'x', 'Flex tier capacity exceeded'), 'overloaded'],
    [400, openai(null, 'exceed_context_size_error'), 'context_length'],
    [undefined, openai('server_is_overloaded', 'x'), 'overloaded'],
    [undefined, openai('too_many_requests', 'x', 'Too many tokens, please wait before trying again.'), 'rate_limit'],
  ])('of another service: %s %j', (status, body, code) => {
    expect(toLlmError(response(status, body), CONTEXT).code).toBe(code);
  });

  it('carries the time to wait, in each form in which it comes', () => {
    const wait = (headers: Record<string, string>, body: unknown = ''): number | undefined =>
      toLlmError(response(429, body, headers), CONTEXT).retryAfterMs;
    expect(wait({ 'retry-after': '2' })).toBe(2000);
    expect(wait({ 'retry-after': '0.5' })).toBe(500);
    expect(wait({ 'Retry-After-Ms': '1500', 'retry-after': '9' })).toBe(1500);
    expect(wait({ 'retry-after': new Date(Date.now() + 60_000).toUTCString() })).toBeGreaterThan(50_000);
    expect(wait({ 'retry-after': new Date(0).toUTCString() })).toBe(0);
    expect(wait({ 'retry-after': 'soon' })).toBeUndefined();
    expect(wait({}, { error: { details: [{ retryDelay: '34.5s' }] } })).toBe(34_500);
  });

  it('tells a person what to do, and never shows the key', () => {
    const error = toLlmError(response(401, anthropic('authentication_error', 'bad key sk-secret-key')), CONTEXT);
    expect(error.message).toContain('ANTHROPIC_API_KEY');
    expect(JSON.stringify(error)).not.toContain('sk-secret-key');
  });

  it('is not retried where the provider forbids it', () => {
    expect(toLlmError(response(500, 'x', { 'x-should-retry': 'false' }), CONTEXT).retryable).toBe(false);
  });
});

describe('other failures', () => {
  it('of the transport keep their words: before the body network, inside it stream', () => {
    const failure = (phase: 'connect' | 'body') =>
      new TransportFailure({ code: phase === 'body' ? 'reset' : 'connect', phase, message: 'words' });
    const wrapped = new Error('Failed to process successful response', {
      cause: new Error('x', { cause: failure('body') }),
    });
    expect(toLlmError(failure('connect'), CONTEXT)).toMatchObject({
      code: 'network',
      retryable: true,
      message: 'words',
    });
    expect(toLlmError(wrapped, CONTEXT)).toMatchObject({ code: 'stream', retryable: true });
    const tls = new TransportFailure({ code: 'tls', phase: 'connect', message: 'words' });
    expect(toLlmError(tls, CONTEXT)).toMatchObject({ code: 'network', retryable: false });
  });

  it('of the SDK itself are requests that it cannot send, or answers that it cannot read', () => {
    const named = (name: string): LlmError => toLlmError(Object.assign(new Error('why'), { name }), CONTEXT);
    expect(named('AI_UnsupportedFunctionalityError')).toMatchObject({ code: 'invalid_request', retryable: false });
    expect(named('AI_InvalidResponseDataError')).toMatchObject({ code: 'stream', retryable: true });
    expect(named('TypeError')).toMatchObject({ code: 'unknown', retryable: true });
  });

  it('under an aborted signal are the abort, or the timeout that aborted', () => {
    const timeout = new LlmError({ code: 'timeout', message: 't', retryable: true });
    expect(toLlmError(new Error('x'), { ...CONTEXT, signal: AbortSignal.abort() }).code).toBe('abort');
    expect(toLlmError(new Error('x'), { ...CONTEXT, signal: AbortSignal.abort(timeout) })).toBe(timeout);
  });
});
