import type { ProtocolId } from './protocol.ts';
import type { SimulatedRequest } from './wire/http.ts';

/** One request as received. Secrets are masked before anything is kept. `conversation` and `position` are absent if none was found. */
export interface RecordedRequest {
  protocol: ProtocolId | 'unknown';
  operation: string;
  method: string;
  path: string;
  headers: Record<string, string>;
  body: unknown;
  status: number;
  at: string;
  conversation?: string;
  conversationName?: string;
  position?: number;
  attempt?: number;
  faults?: string[];
}

/** A request that the script did not expect: an expectation not met, a tool not declared, a script that has ended. */
export interface ScriptFailure {
  message: string;
  request: RecordedRequest;
}

export type Recording = 'all' | 'last' | 'none';
export type RequestFilter = Partial<
  Pick<RecordedRequest, 'protocol' | 'operation' | 'conversation' | 'conversationName' | 'position' | 'status'>
>;

export interface Recorder {
  add(request: RecordedRequest): void;
  fail(failure: ScriptFailure): void;
  requests(filter?: RequestFilter): RecordedRequest[];
  failures(): ScriptFailure[];
  clear(): void;
}

/** For a model that should not remember: its failures are reported, and only the newest are kept, without their requests. */
const KEPT_FAILURES = 100;

export function createRecorder(recording: Recording): Recorder {
  let requests: RecordedRequest[] = [];
  let failures: ScriptFailure[] = [];
  return {
    add(request) {
      if (recording === 'all') requests.push(request);
      if (recording === 'last') requests = [request];
    },
    fail(failure) {
      failures.push(recording === 'all' ? failure : { ...failure, request: { ...failure.request, body: undefined } });
      if (recording !== 'all') failures = failures.slice(-KEPT_FAILURES);
    },
    requests: (filter = {}) => requests.filter((request) => fits(request, filter)),
    failures: () => [...failures],
    clear() {
      requests = [];
      failures = [];
    },
  };
}

function fits(request: RecordedRequest, filter: RequestFilter): boolean {
  const known: Record<string, unknown> = { ...request };
  return Object.entries(filter).every(([name, value]) => value === undefined || known[name] === value);
}

const SECRET_HEADERS = new Set([
  'x-api-key',
  'authorization',
  'x-goog-api-key',
  'api-key',
  'cookie',
  'proxy-authorization',
]);

/** Headers and path with everything secret replaced; the last four characters stay, to tell two keys apart. */
export function maskSecrets(request: SimulatedRequest): { headers: Record<string, string>; path: string } {
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, SECRET_HEADERS.has(name) ? mask(value) : value]),
  );
  const path = request.path.replace(/([?&]key=)([^&]*)/g, (_all, name: string, value: string) => name + mask(value));
  return { headers, path };
}

/** A signature proves itself only; who signed, and for what, is no secret. */
function mask(secret: string): string {
  if (secret.startsWith('AWS4-')) return secret.replace(/Signature=.*/, 'Signature=***');
  return secret.length > 12 ? `***${secret.slice(-4)}` : '***';
}
