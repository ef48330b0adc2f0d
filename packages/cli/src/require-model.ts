import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type LlmConfiguration, missingSetting, SERVICES } from '@attractor/llm';
import type { usualAgentIn } from '@attractor/server';
import { CommandFailure, EXIT } from '@attractor/console';

type TasksHere = { readonly llm: LlmConfiguration; readonly home: string; readonly path: string };

/** For a task: an agent of the person's own, which is the usual one in that folder, needs no model of ours. */
export async function requireModelForTasks(
  workflow: Parameters<typeof usualAgentIn>[0],
  { llm, home, path }: TasksHere,
): Promise<void> {
  const { usualAgentIn } = await import('@attractor/server');
  const usual = await usualAgentIn(workflow, { home, path });
  if (usual === null || usual === 'native') requireModel(llm, home);
}

/** The same before anything is opened, in a home that has no projects yet: nothing is made there for a task that can't begin. */
export async function requireModelInNewHome(here: TasksHere): Promise<void> {
  if (process.env['ATTRACTOR_DATABASE_URL'] || existsSync(join(here.home, 'attractor.db'))) return;
  await requireModelForTasks({ listProjects: async () => [] }, here);
}

/** The provider that will be used. If there is none, stops before anything is created, and names the variable and where to set it. */
export function requireModel(llm: LlmConfiguration, home: string): string {
  const id = llm.defaultProvider ?? Object.keys(llm.providers ?? {})[0];
  const file = join(home, 'config.json');
  if (id === undefined) {
    throw new CommandFailure(
      `no model is configured. Set ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY, or put a key in ${file} under "providers". Without one, try \`attractor demo\`.`,
      EXIT.unauthorised,
    );
  }
  const service = SERVICES.find((row) => row.id === id);
  const settings = llm.providers?.[id];
  if (service === undefined && settings?.baseUrl === undefined) {
    throw new CommandFailure(
      `unknown provider '${id}'. Known: ${SERVICES.map((row) => row.id).join(', ')}; any other needs a baseUrl and a protocol in ${file}.`,
      EXIT.notFound,
    );
  }
  const missing = service === undefined ? null : missingSetting(service, settings ?? {});
  if (missing !== null)
    throw new CommandFailure(
      missing.replace(/^No (?:API )?/, 'no ').replace('the configuration', file),
      EXIT.unauthorised,
    );
  return id;
}
