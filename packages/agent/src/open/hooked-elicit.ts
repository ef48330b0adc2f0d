import type { McpElicit } from '@attractor/mcp';
import type { Session } from '../contract/session.ts';
import type { Hooks } from '../hooks/hooks.ts';
import { NO_OUTCOME, type HookOutcome } from '@attractor/settings';

type Answer = Awaited<ReturnType<McpElicit>>;

const NO: Answer = { action: 'decline' };

const EVENTS = ['Elicitation', 'ElicitationResult', 'Notification'] as const;

/** Hooks may answer a server in the person's place, and change the answer before the server gets it. */
export function hookedElicit(
  elicit: McpElicit | undefined,
  hooks: Pick<Hooks, 'has'> | null,
  session: () => Pick<Session, 'fireHook'> | null,
): McpElicit | undefined {
  if (hooks === null || !EVENTS.some((event) => hooks.has(event))) return elicit;
  return async (request) => {
    const fire = async (event: (typeof EVENTS)[number], extras: Readonly<Record<string, unknown>>) =>
      (await session()?.fireHook(event, extras)) ?? NO_OUTCOME;
    // A side effect only: nobody waits for it.
    const notify = (notification_type: 'elicitation_dialog' | 'elicitation_response'): void =>
      void fire('Notification', { message, title: 'Attractor', notification_type }).catch(() => undefined);
    const ask = async (one: McpElicit): Promise<Answer> => {
      notify('elicitation_dialog');
      const said = await one(request);
      notify('elicitation_response');
      return said;
    };
    const { server: mcp_server_name, message, mode } = request;
    const id = mode === 'url' ? { elicitation_id: request.id } : {};
    const about = mode === 'url' ? { url: request.url, ...id } : { requested_schema: request.requestedSchema };
    const before = await fire('Elicitation', { mcp_server_name, message, mode, ...about });
    const answer = decided(before) ?? (elicit === undefined ? NO : await ask(elicit));
    const content = answer.action === 'accept' ? { content: answer.content ?? {} } : {};
    const after = await fire('ElicitationResult', { mcp_server_name, mode, ...id, action: answer.action, ...content });
    return decided(after) ?? answer;
  };
}

/** Null: the hooks leave it to the person. */
function decided({ block, stop, elicitation }: Pick<HookOutcome, 'block' | 'stop' | 'elicitation'>): Answer | null {
  if (block !== null || stop !== null) return NO;
  if (elicitation === null) return null;
  if (elicitation.action !== 'accept') return { action: elicitation.action };
  const fields = Object.entries(elicitation.content ?? {}).flatMap(([name, value]) =>
    isField(value) ? [[name, value] as const] : [],
  );
  return { action: 'accept', content: Object.fromEntries(fields) };
}

type Field = string | number | boolean | string[];

function isField(value: unknown): value is Field {
  if (Array.isArray(value)) return value.every((item) => typeof item === 'string');
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}
