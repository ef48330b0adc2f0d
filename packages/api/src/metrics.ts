import { once } from '@attractor/base';
import { open, type HttpOptions } from './http.ts';
import { httpRoute } from './route.ts';

const at = { read: 'GET /metrics' } as const;

export function metricCalls(http: HttpOptions) {
  return {
    read: () => open(http, at.read, {}),
  };
}

export const metricRoutes = /* @__PURE__ */ once(() => ({
  read: httpRoute(at.read, {
    about: 'measure the work and the server, for Prometheus; only if the server was started with --metrics',
    access: ['viewer', 'every'],
    answers: { mediaType: 'text/plain', about: 'The text format of Prometheus, version 0.0.4.' },
  }),
}));
