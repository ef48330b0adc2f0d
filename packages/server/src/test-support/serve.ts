import { createApiClient } from '@attractor/api';
import { createApp, type App, type AppOptions } from '../app.ts';
import { checkAnswers } from './check-answers.ts';
import { listen, type Listening } from '../listen.ts';

export const TOKEN = 'test-token-0123456789abcdef0123456789abcdef';

export type Served = Listening & { readonly app: App; readonly client: ReturnType<typeof createApiClient> };

/** A real server on a free loopback port. */
export async function serve(options: Omit<AppOptions, 'token'>, port = 0): Promise<Served> {
  const app = checkAnswers(createApp({ token: TOKEN, ...options }));
  const listening = await listen(app, { host: '127.0.0.1', port });
  if (!listening.ok) throw new Error(listening.error.message);
  const client = createApiClient({ baseUrl: listening.value.url, token: TOKEN });
  return { ...listening.value, app, client };
}

/** Waits until a condition is true; fails if it never is. */
export async function until(condition: () => boolean, what: string): Promise<void> {
  const deadline = performance.now() + 600_000;
  while (!condition()) {
    if (performance.now() > deadline) throw new Error(`waited in vain for: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
