import type { Failure, Protocol } from '../protocol.ts';
import type { Fault, FaultOf } from '../script/types.ts';
import { jsonResponse, type SimulatedResponse, textResponse } from '../wire/http.ts';

/** The response for a fault that refuses the request before any answer; nothing for other faults. */
export function refusalFor(fault: Fault, protocol: Protocol): SimulatedResponse | undefined {
  if (fault.kind === 'status') return statusResponse(fault, protocol);
  if (fault.kind === 'not_json') {
    return textResponse(fault.status ?? 200, {
      type: 'application/json',
      text: fault.text ?? 'upstream said: all good\n',
    });
  }
  const failure = failureFor(fault);
  return failure && failureResponse(protocol, failure);
}

export function failureResponse(protocol: Protocol, failure: Failure): SimulatedResponse {
  const { status, body } = protocol.failure(failure);
  return jsonResponse(status, body, { ...protocol.headers(), ...failure.headers });
}

function failureFor(fault: Fault): Failure | undefined {
  switch (fault.kind) {
    case 'rate_limit':
      return { kind: 'rate_limit', headers: retryHeaders(fault) };
    case 'overloaded':
      return (fault.at ?? 'status') === 'status' ? { kind: 'overloaded' } : undefined;
    case 'spend_cap':
    case 'unauthorized':
    case 'forbidden':
    case 'not_found':
    case 'too_large':
    case 'timeout':
    case 'context_overflow':
      return { kind: fault.kind };
    default:
      return undefined;
  }
}

function retryHeaders(fault: FaultOf<'rate_limit'>): Record<string, string> {
  const headers: Record<string, string> = {};
  if (fault.retryAfter !== undefined) headers['retry-after'] = String(fault.retryAfter);
  if (fault.retryAfterMs !== undefined) headers['retry-after-ms'] = String(fault.retryAfterMs);
  if (fault.retryAfterDate !== undefined) {
    headers['retry-after'] = new Date(Date.now() + fault.retryAfterDate * 1000).toUTCString();
  }
  return headers;
}

function statusResponse(fault: FaultOf<'status'>, protocol: Protocol): SimulatedResponse {
  const { status, headers = {} } = fault;
  const message = fault.message === undefined ? {} : { message: fault.message };
  if ((fault.body ?? 'json') === 'json')
    return failureResponse(protocol, { kind: 'server', status, headers, ...message });
  const bodies: Record<string, { type: string; text: string }> = {
    html: { type: 'text/html; charset=utf-8', text: htmlPage(status, fault.message ?? 'Bad gateway') },
    text: {
      type: 'text/plain; charset=utf-8',
      text: fault.message ?? 'upstream connect error or disconnect/reset before headers',
    },
    empty: { type: 'text/plain; charset=utf-8', text: '' },
  };
  return textResponse(status, bodies[fault.body ?? 'empty'] ?? { type: 'text/plain', text: '' }, headers);
}

function htmlPage(status: number, message: string): string {
  const title = `<head><title>${status} ${message}</title></head>`;
  return `<html>\r\n${title}\r\n<body>\r\n<center><h1>${status} ${message}</h1></center>\r\n<hr><center>cloudflare</center>\r\n</body>\r\n</html>\r\n`;
}
