import { type Failure, defined, type Result } from '@attractor/base';

/** Why a server did not do what it was asked. The message is for the model and for people: it says what to do. */
export type McpFailure = Failure<McpFailureCode> & {
  /** The server's own JSON-RPC code. */
  readonly serverCode?: number;
};

export type McpFailureCode =
  | 'untrusted'
  | 'start_failed'
  | 'start_timeout'
  | 'waiting'
  | 'died'
  | 'timeout'
  | 'cancelled'
  | 'unauthorised'
  | 'refused'
  | 'closed';

export type McpOutcome<Value> = Result<Value, McpFailure>;

export function failed(code: McpFailureCode, message: string, serverCode?: number): { ok: false; error: McpFailure } {
  const retryable = RETRYABLE.has(code);
  return { ok: false, error: { code, message, retryable, ...defined({ serverCode }) } };
}

const RETRYABLE: ReadonlySet<McpFailureCode> = new Set(['start_timeout', 'waiting', 'died', 'timeout']);

/** Errors of the client library carry a number if the server answered with one, and a word if it did not answer. */
export function failureOf(server: string, error: unknown): { ok: false; error: McpFailure } {
  const message = messageWithCause(error);
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (error instanceof Error && UNAUTHORISED.has(error.name)) return unauthorised(server, message);
  if (typeof code === 'number') return failed('refused', message, code);
  if (typeof code === 'string' && CODES[code] !== undefined)
    return failed(CODES[code], `The MCP server ${server}: ${message}`);
  if (statusOf(error) === 401 || statusOf(error) === 403) return unauthorised(server, message);
  return failed('died', `The MCP server ${server} can't be reached: ${message}`);
}

function unauthorised(server: string, message: string): { ok: false; error: McpFailure } {
  const remedy = 'A person can sign in with `attractor mcp login` and its address, or fix its headers.';
  return failed('unauthorised', `The MCP server ${server} does not let us in (${message.trim()}). ${remedy}`);
}

const UNAUTHORISED: ReadonlySet<string> = new Set(['UnauthorizedError', 'InsufficientScopeError']);

const CODES: Readonly<Record<string, McpFailureCode>> = {
  REQUEST_TIMEOUT: 'timeout',
  CONNECTION_CLOSED: 'died',
  NOT_CONNECTED: 'died',
  SEND_FAILED: 'died',
  INVALID_RESULT: 'refused',
  UNSUPPORTED_RESULT_TYPE: 'refused',
  LIST_PAGINATION_EXCEEDED: 'refused',
  CAPABILITY_NOT_SUPPORTED: 'refused',
};

/** The HTTP status behind an error of the client library. */
export function statusOf(error: unknown): number | undefined {
  const status = error instanceof Error && 'status' in error ? error.status : undefined;
  return typeof status === 'number' ? status : undefined;
}

export function messageWithCause(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error && error.cause.message !== '' ? ` (${error.cause.message})` : '';
  return `${error.message}${cause}`;
}
