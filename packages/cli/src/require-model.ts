import { join } from 'node:path';
import { type LlmConfiguration, SERVICES } from '@attractor/llm';
import { CommandFailure, EXIT } from './exit.ts';

type UsualAgent = { readonly defaultAgentType?: string | undefined };

/** For a task: an agent of the person's own, which they made the usual one, needs no model of ours. */
export function requireModelForTasks(llm: LlmConfiguration, home: string, usual: UsualAgent): void {
  const { defaultAgentType } = usual;
  if (defaultAgentType === undefined || defaultAgentType === 'native') requireModel(llm, home);
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
  if (service?.key === 'required' && settings?.apiKey === undefined) {
    throw new CommandFailure(
      `no key for ${id}. Set ${service.keyVariables.join(' or ')}, or put it in ${file} as providers.${id}.apiKey.`,
      EXIT.unauthorised,
    );
  }
  return id;
}
