import { messageOf } from '@attractor/base';

/** How to treat an answer of the server, or the lack of one. */
export type PostgresFailure = 'unreachable' | 'starting' | 'contended' | 'refused';

const SERVER_CODES: ReadonlyArray<readonly [RegExp, PostgresFailure]> = [
  [/^57P03$/, 'starting'],
  [/^(57P0[1245]|08|25P03)/, 'unreachable'],
  [/^(40001|40P01|55P03|53300)$/, 'contended'],
  // A prepared statement that no longer fits its tables, or that this connection does not know: it is sent without its name next time.
  [/^(0A000|26000|42P05)$/, 'contended'],
];

const SOCKET_CODES = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN', 'ENOENT']);

/** The client's messages for a connection that broke or was never made. */
const CLIENT_WORDS =
  /Connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout|Client has encountered a connection error|Client was closed|is not queryable|connection has been discarded|LISTEN\/NOTIFY (heartbeat|connection|channel)/;

/** Null: not a failure of the database but a bug of ours or of a caller. */
export function postgresFailure(error: unknown): PostgresFailure | null {
  if (error instanceof AggregateError) return postgresFailure(error.errors[0]);
  if (!(error instanceof Error)) return null;
  const code = serverCode(error);
  if (code !== null) return SERVER_CODES.find(([pattern]) => pattern.test(code))?.[1] ?? 'refused';
  if ('code' in error && typeof error.code === 'string' && SOCKET_CODES.has(error.code)) return 'unreachable';
  return CLIENT_WORDS.test(error.message) ? 'unreachable' : null;
}

/** Recognised by its shape: the client library itself is loaded only if a server is used. */
function serverCode(error: Error): string | null {
  return 'severity' in error && 'code' in error && typeof error.code === 'string' ? error.code : null;
}

/** The server can't be reached, or has just started: it knows no earlier connection. */
export function isUnreachable(error: unknown): boolean {
  const failure = postgresFailure(error);
  return failure === 'unreachable' || failure === 'starting';
}

/** Worth retrying: the server comes back, or the other transaction ends. */
export function isPassing(error: unknown): boolean {
  const failure = postgresFailure(error);
  return failure !== null && failure !== 'refused';
}

/** Its disk is full or fails, or it is a standby that only answers questions. */
const TAKES_NO_CHANGES = /^(53100|58030|25006)$/;

/** The database takes no changes for now: whatever needed one failed for no reason of its own. */
export function isOutOfService(error: unknown): boolean {
  return isUnreachable(error) || (error instanceof Error && TAKES_NO_CHANGES.test(serverCode(error) ?? ''));
}

const REMEDIES: ReadonlyArray<readonly [RegExp, string]> = [
  [/^28/, 'Check the user and the password in the address.'],
  [/^3D000/, 'Create that database first, for example with createdb.'],
  [/^42501/, 'The user may not do this: grant it the rights of the owner of that database.'],
  [
    /^25006/,
    'The database only answers questions now: go on at the server that may be written to, or allow writing again.',
  ],
  [/^53100/, 'The disk of the server is full: make room there and try again.'],
  [/^53300/, 'The server has no free connection: raise max_connections or stop other programs.'],
];

/** What to do about an answer of a server that is there; undefined if only the answer itself is known. */
export function postgresRemedy(error: unknown): string | undefined {
  return error instanceof Error ? remedyFor(serverCode(error) ?? '') : undefined;
}

function remedyFor(code: string): string | undefined {
  return REMEDIES.find(([pattern]) => pattern.test(code))?.[1];
}

export function explainPostgres(databaseUrl: string, error: unknown): string {
  const cause = error instanceof AggregateError ? error.errors[0] : error;
  const message = messageOf(cause);
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  const remedy = remedyFor(code) ?? 'Check that PostgreSQL runs there and that this machine may reach it.';
  return `The database ${shownAddress(databaseUrl)} can't be used (${message}). ${remedy}`;
}

/** For people and logs: an address never shows its password. */
export function shownAddress(databaseUrl: string): string {
  if (!URL.canParse(databaseUrl)) return 'at the given address';
  const url = new URL(databaseUrl);
  url.password = '';
  url.search = '';
  return url.toString();
}
