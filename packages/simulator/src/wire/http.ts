/** A request as the scripted model sees it. Header names are lower case; the path includes its query. */
export interface SimulatedRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string;
}

/**
 * One step of delivering a body. Steps happen in order. `hang` keeps the connection open and silent (forever without `forMs`); `repeat`
 * sends the same bytes until the client leaves; after `reset` or `end` nothing follows.
 */
export type DeliveryStep =
  | { do: 'send'; bytes: Uint8Array }
  | { do: 'wait'; ms: number }
  | { do: 'hang'; forMs?: number }
  | { do: 'repeat'; bytes: Uint8Array; everyMs: number }
  | { do: 'reset' }
  | { do: 'end' };

/**
 * A response as data: no socket, no clock. With `holdHeaders` the first steps happen before the status line is sent.
 * Without a `content-length` header the body is chunked.
 */
export interface SimulatedResponse {
  status: number;
  headers: Record<string, string>;
  steps: DeliveryStep[];
  holdHeaders?: boolean;
}

/** The bytes that a patient client would read, up to the first cut or endless silence. */
export function bodyOf(response: SimulatedResponse): string {
  const parts: Uint8Array[] = [];
  for (const step of response.steps) {
    if (step.do === 'send') parts.push(step.bytes);
    if (step.do === 'reset' || step.do === 'end' || step.do === 'repeat') break;
    if (step.do === 'hang' && step.forMs === undefined) break;
  }
  return Buffer.concat(parts).toString('utf8');
}

export function jsonResponse(status: number, body: unknown, headers: Record<string, string> = {}): SimulatedResponse {
  return textResponse(status, { type: 'application/json', text: JSON.stringify(body) }, headers);
}

export function textResponse(
  status: number,
  content: { type: string; text: string },
  headers: Record<string, string> = {},
): SimulatedResponse {
  const bytes = Buffer.from(content.text);
  const length = { 'content-type': content.type, 'content-length': String(bytes.length) };
  return { status, headers: { ...length, ...headers }, steps: [{ do: 'send', bytes }] };
}
