import type { HttpRouteName } from '@attractor/api';
import { giveCsrf, login, logout, mintKey } from './access.ts';
import { downloadAttachment } from './attachments.ts';
import type { HttpHandler } from './context.ts';
import { streamEvents } from './events.ts';
import { readMetrics } from './metrics.ts';
import { downloadBundle } from './run-bundle.ts';

/** What needs more of HTTP than a body and an answer: cookies, downloads, streams. */
export const HTTP_HANDLERS: Readonly<Record<HttpRouteName, HttpHandler>> = {
  'access.login': login,
  'access.logout': logout,
  'access.session': giveCsrf,
  'access.mintKey': mintKey,
  'attachments.read': downloadAttachment,
  'events.stream': streamEvents,
  'metrics.read': readMetrics,
  'runs.bundle': downloadBundle,
};
