import { defined, isRecord } from '@attractor/base';
import { TransportFailure } from '../http/transport-failure.ts';
import { LlmError, type LlmErrorCode, type LlmErrorDetail } from '../types/error.ts';
import { describeFailure } from './advice.ts';
import { BY_STATUS, DECISIVE_WORDS, PLAIN_WORDS, SNIFFS } from './error-words.ts';
import { retryAfterMs } from './retry-after.ts';

/** Whose failure it is, and what may be named to a person. `secrets` are masked wherever a provider echoes them. */
export type FailureContext = {
  readonly provider: string;
  readonly model: string;
  readonly keyVariable?: string;
  readonly secrets?: ReadonlyArray<string>;
  readonly signal?: AbortSignal;
};

/** Any failure of an exchange as this package's one error. */
export function toLlmError(error: unknown, context: FailureContext): LlmError {
  if (context.signal?.aborted) return abortError(context.signal, context.provider);
  if (error instanceof LlmError) return error;
  const transport = findTransportFailure(error);
  if (transport !== undefined) return transportError(transport, context);
  return providerError(readFailure(error), context);
}

/** A signal aborted with an `LlmError` (a timeout) keeps it; any other abort was requested by the caller. */
export function abortError(signal: AbortSignal, provider: string): LlmError {
  const reason: unknown = signal.reason;
  if (reason instanceof LlmError) return reason;
  return new LlmError({
    code: 'abort',
    message: 'The request was cancelled.',
    retryable: false,
    provider,
    cause: reason,
  });
}

/** What can be read from a failed response or an error event, however it is wrapped. */
type Failure = {
  readonly status: number | undefined;
  readonly message: string;
  readonly words: ReadonlyArray<string>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly cause: unknown;
};

function providerError(failure: Failure, context: FailureContext): LlmError {
  const code = classify(failure);
  const wait = retryAfterMs(failure.headers, failure.body, Date.now());
  const settled = code === 'rate_limit' && isUsedUp(failure, wait) ? 'quota_exceeded' : code;
  const detail: LlmErrorDetail = {
    code: settled,
    message: blank(
      describeFailure(settled, { ...context, status: failure.status, said: failure.message }),
      context.secrets,
    ),
    retryable: isRetryable(settled, failure),
    provider: context.provider,
    ...defined({ status: failure.status, retryAfterMs: wait, errorCode: failure.words[0] }),
    ...(failure.body === undefined ? {} : { raw: blank(failure.body.slice(0, 4096), context.secrets) }),
    ...defined({ cause: failure.cause }),
  };
  return new LlmError(detail);
}

/** Gemini words every 429 as a quota. It is one without a time to try again, and if it is a day's: the time that it names is not that day's end. */
function isUsedUp({ message, body = '' }: Failure, waitMs: number | undefined): boolean {
  if (/"quotaId"\s*:\s*"[^"]*PerDay/.test(body)) return true;
  return waitMs === undefined && /exceeded your current quota/i.test(message);
}

/** What the SDK itself refuses to send, or cannot parse. */
const SDK_CODES: Readonly<Record<string, LlmErrorCode>> = {
  AI_UnsupportedFunctionalityError: 'invalid_request',
  AI_InvalidPromptError: 'invalid_request',
  AI_InvalidArgumentError: 'invalid_request',
  AI_NoSuchModelError: 'not_found',
  AI_LoadAPIKeyError: 'configuration',
  AI_TypeValidationError: 'stream',
  AI_InvalidResponseDataError: 'stream',
  AI_JSONParseError: 'stream',
  AI_EmptyResponseBodyError: 'stream',
};

function classify({ status, words, message, body, cause }: Failure): LlmErrorCode {
  const own = cause instanceof Error ? SDK_CODES[cause.name] : undefined;
  if (own !== undefined) return own;
  for (const word of words) {
    const code = DECISIVE_WORDS[word.toLowerCase()];
    if (code !== undefined) return code;
  }
  if (status !== 413) {
    const text = `${message}\n${body ?? ''}`;
    const sniffed = SNIFFS.find((sniff) => sniff.statuses.includes(status ?? 0) && sniff.text.test(text));
    if (sniffed !== undefined) return sniffed.code;
  }
  if (status !== undefined)
    return BY_STATUS[status] ?? (status >= 500 ? 'server' : status >= 400 ? 'invalid_request' : 'unknown');
  for (const word of words) {
    const code = PLAIN_WORDS[word.toLowerCase()];
    if (code !== undefined) return code;
  }
  return 'unknown';
}

const RETRYABLE: ReadonlySet<LlmErrorCode> = new Set([
  'rate_limit',
  'overloaded',
  'server',
  'network',
  'stream',
  'unknown',
]);

function isRetryable(code: LlmErrorCode, failure: Failure): boolean {
  return RETRYABLE.has(code) && failure.headers['x-should-retry'] !== 'false';
}

function transportError(failure: TransportFailure, context: FailureContext): LlmError {
  const kind = TRANSPORT_CODES[failure.code];
  const code = kind.code === 'network' && failure.phase === 'body' ? 'stream' : kind.code;
  return new LlmError({
    code,
    message: failure.message,
    retryable: kind.retryable,
    provider: context.provider,
    cause: failure.cause,
  });
}

const TRANSPORT_CODES: Readonly<Record<TransportFailure['code'], { code: LlmErrorCode; retryable: boolean }>> = {
  connect_timeout: { code: 'network', retryable: true },
  connect: { code: 'network', retryable: true },
  reset: { code: 'network', retryable: true },
  tls: { code: 'network', retryable: false },
  redirect: { code: 'configuration', retryable: false },
  bad_url: { code: 'configuration', retryable: false },
  too_large: { code: 'stream', retryable: false },
  encoding: { code: 'stream', retryable: false },
  no_events: { code: 'configuration', retryable: false },
};

function findTransportFailure(error: unknown): TransportFailure | undefined {
  let current = error;
  for (let depth = 0; depth < 8 && current instanceof Error; depth += 1) {
    if (current instanceof TransportFailure) return current;
    current = current.cause;
  }
  return undefined;
}

/** The SDK's errors are recognised by their fields, so that its classes stay out of this file. */
function readFailure(error: unknown): Failure {
  const fields: Readonly<Record<string, unknown>> = typeof error === 'object' && error !== null ? { ...error } : {};
  const status = typeof fields['statusCode'] === 'number' ? fields['statusCode'] : undefined;
  const body =
    typeof fields['responseBody'] === 'string' ? fields['responseBody'] : stringify(fields['data'] ?? fields);
  const parsed = parse(body);
  const inner = innerError(parsed);
  const said = inner['message'] ?? messageIn(error);
  const isResponse = status !== undefined || (!(error instanceof Error) && 'data' in fields);
  return {
    status,
    message: typeof said === 'string' && said !== '' ? said : messageIn(error),
    words: wordsOf(inner, fields),
    headers: headersOf(fields['responseHeaders']),
    body,
    cause: isResponse ? undefined : error,
  };
}

/** `{error:{…}}`, `[{error:{…}}]`, `{error:"…"}`, `{message}` and `{detail}` all occur. */
function innerError(parsed: unknown): Readonly<Record<string, unknown>> {
  const top: unknown = Array.isArray(parsed) ? parsed[0] : parsed;
  if (!isRecord(top)) return {};
  const error = top['error'];
  if (isRecord(error)) return error;
  if (typeof error === 'string') return { ...top, message: error };
  return typeof top['detail'] === 'string' ? { ...top, message: top['detail'] } : top;
}

function wordsOf(
  inner: Readonly<Record<string, unknown>>,
  fields: Readonly<Record<string, unknown>>,
): ReadonlyArray<string> {
  const details = isRecord(inner['details']) ? inner['details'] : {};
  const reasons = Array.isArray(inner['details'])
    ? inner['details'].map((detail: unknown) => (isRecord(detail) ? detail['reason'] : undefined))
    : [];
  const found = [
    details['error_code'],
    inner['code'],
    inner['type'],
    inner['status'],
    ...reasons,
    fields['type'],
    fields['code'],
  ];
  return found.filter((word): word is string => typeof word === 'string' && word !== 'error');
}

function headersOf(value: unknown): Readonly<Record<string, string>> {
  if (!isRecord(value)) return {};
  return Object.fromEntries(Object.entries(value).map(([name, text]) => [name.toLowerCase(), String(text)]));
}

function messageIn(error: unknown): string {
  if (error instanceof Error) return error.message;
  const message: unknown = isRecord(error) ? error['message'] : error;
  return typeof message === 'string' ? message : 'unknown failure';
}

function parse(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

function stringify(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

function blank(text: string, secrets: ReadonlyArray<string> = []): string {
  return secrets
    .filter((secret) => secret.length >= 8)
    .reduce((rest, secret) => rest.replaceAll(secret, '[key]'), text);
}
