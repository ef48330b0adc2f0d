import { anthropic } from './protocols/anthropic/protocol.ts';
import type { Protocol } from './protocols/protocol.ts';
import type { SimulatedRequest } from './wire/http.ts';

export type Operation = 'generate' | 'count_tokens' | 'models' | 'model';

/** Which protocol and operation a request means. `model` and `stream` are set where the path says them. */
export interface Route {
  protocol: Protocol;
  operation: Operation;
  model: string;
  stream: boolean;
}

interface Row {
  method: 'GET' | 'POST';
  path: RegExp;
  protocol: Protocol;
  operation: Operation;
}

const ROUTES: Row[] = [
  { method: 'POST', path: /^(?:\/v1)?\/messages$/, protocol: anthropic, operation: 'generate' },
  { method: 'POST', path: /^(?:\/v1)?\/messages\/count_tokens$/, protocol: anthropic, operation: 'count_tokens' },
  { method: 'GET', path: /^(?:\/v1)?\/models$/, protocol: anthropic, operation: 'models' },
  { method: 'GET', path: /^(?:\/v1)?\/models\/(?<model>[^/]+)$/, protocol: anthropic, operation: 'model' },
];

export function routeOf(request: SimulatedRequest): Route | undefined {
  const [path = ''] = request.path.split('?');
  for (const row of ROUTES) {
    const found = row.method === request.method ? row.path.exec(path) : null;
    if (!found) continue;
    const model = decodeURIComponent(found.groups?.['model'] ?? '');
    return { protocol: row.protocol, operation: row.operation, model, stream: false };
  }
  return undefined;
}
