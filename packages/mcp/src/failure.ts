import { type Failure, defined, isRecord, type Result } from '@attractor/base';

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

/** One line without the words of the library, and not the whole of a page that was no answer. */
export function messageWithCause(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error && error.cause.message !== '' ? ` (${error.cause.message})` : '';
  return shortened(`${withoutPlaces(error)}${cause}`.replaceAll(/\s+/g, ' ').trim());
}

const MAX_SHOWN = 400;

function shortened(text: string): string {
  return text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN).toWellFormed()}…`;
}

function withoutPlaces(error: Error): string {
  const { message } = error;
  const [, asked, problems] = /^Invalid result for (\S+): (\[.*)$/s.exec(message) ?? [];
  if (asked !== undefined) return `its answer to ${asked} is not understood${firstOf(problems ?? '')}`;
  const body = /^Error POSTing to endpoint(?: \(HTTP \d+\))?:(.*)$/s.exec(message)?.[1]?.trim();
  if (body === undefined)
    return message.replace(/^Unexpected content type: (.*)$/, 'it answered with $1, not with a message');
  const redirect = /^Redirect to (\S+) not followed/.exec(body)?.[1];
  if (redirect !== undefined)
    return `it leads to ${redirect}, which is not followed: use that address if it is the server's`;
  const status = statusOf(error);
  const answered = status === undefined ? 'it refused the message' : `it answered ${status}`;
  if (/^<(?:!doctype|html)/i.test(body)) return `${answered} with a web page${titleIn(body)}`;
  return body === '' ? answered : `${answered}: ${body}`;
}

/** Of the library's list of problems. */
function firstOf(problems: string): string {
  try {
    const [first]: ReadonlyArray<unknown> = JSON.parse(problems);
    if (!isRecord(first)) return '';
    const place = Array.isArray(first['path']) ? first['path'].join('.') : '';
    return ` (${place}: ${String(first['message']).replace(/^Invalid input: /, '')})`;
  } catch {
    return '';
  }
}

function titleIn(page: string): string {
  const title = /<title[^>]*>([^<]{1,80})/i.exec(page)?.[1]?.trim() ?? '';
  return title === '' ? '' : ` ("${title}")`;
}
