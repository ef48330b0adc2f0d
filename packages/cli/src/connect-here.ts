import { messageOf } from '@attractor/base';
import { createApiClient } from '@attractor/api';
import { composeApp } from '@attractor/server';
import type { LlmConfiguration } from '@attractor/llm';
import type { Connection } from './connection.ts';
import { unwrap, putText } from '@attractor/console';
import { modelConfiguration } from '@attractor/headless';
import { readSettings, type Environment } from './settings.ts';

/** The API in this process, on the database of the home folder; `headers`: what each request carries. */
export async function connectHere(
  home: string,
  env: Environment,
  headers: () => Readonly<Record<string, string>>,
): Promise<Connection> {
  const { app, token, close } = unwrap(
    await composeApp({ home, env, llm: modelsOf(home, env), concurrency: 0, onError: report }),
  );
  const client = createApiClient({
    baseUrl: 'http://127.0.0.1',
    token,
    headers,
    fetch: async (request) => app.fetch(request),
  });
  return { client, where: 'here', address: home, close };
}

/** Models are only listed here, never called: unreadable settings are reported by the commands that need them. */
function modelsOf(home: string, env: Environment): LlmConfiguration {
  try {
    return modelConfiguration({ env, settings: readSettings(home), flags: {} });
  } catch {
    return {};
  }
}

function report(error: unknown): void {
  putText(process.stderr, `attractor: unexpected: ${messageOf(error)}\n`);
}
