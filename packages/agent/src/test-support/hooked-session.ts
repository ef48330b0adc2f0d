import { defined } from '@attractor/base';
import { makeFolder } from '@attractor/base/testing';
import { createPolicy, type Decision, parseRule, type PermissionRule } from '@attractor/policy';
import type { FunctionHandler, HookDefinition, HookEventName } from '@attractor/settings';
import { onTestFinished } from 'vitest';
import type { Session, SessionOptions } from '../contract/session.ts';
import { createLocalExecutionEnvironment } from '../execution/local.ts';
import { createHooks, type Hooks } from '../hooks/hooks.ts';
import { createAnthropicProfile } from '../profiles/anthropic.ts';
import { createSession } from '../session/session.ts';
import { createScriptedClient, type Script, type ScriptedClient } from '../testing/scripted-client.ts';
import type { DeliveredEvent, SessionEvent } from '../types/index.ts';
import { follow } from './session-world.ts';

export type HookedSession = {
  readonly root: string;
  readonly session: Session;
  readonly client: ScriptedClient;
  readonly hooks: Hooks;
  readonly options: SessionOptions;
  readonly events: DeliveredEvent[];
  readonly of: <Kind extends SessionEvent['kind']>(
    kind: Kind,
  ) => ReadonlyArray<Extract<DeliveredEvent, { kind: Kind }>>;
};

type More = Partial<SessionOptions> & { readonly rules?: Readonly<Partial<Record<Decision, string>>> };

/** A session in a folder with one file, whose model answers by a script. */
export function walk(definitions: ReadonlyArray<HookDefinition>, replies: Script, more: More = {}): HookedSession {
  const root = makeFolder({ 'a.txt': 'alpha\n' });
  const environment = createLocalExecutionEnvironment(root);
  const hooks = createHooks({ definitions, environment });
  onTestFinished(hooks.close);
  const client = createScriptedClient(replies);
  const { rules, ...rest } = more;
  const options: SessionOptions = {
    client,
    environment,
    hooks,
    profile: createAnthropicProfile(),
    config: { model: 'scripted', provider: 'scripted' },
    ...(rules === undefined ? {} : { policy: createPolicy({ ...policyOf(rules, root) }) }),
    ...rest,
  };
  const session = createSession(options);
  onTestFinished(() => session.close());
  return { root, client, hooks, options, ...watched(session) };
}

export function watched(session: Session): Pick<HookedSession, 'session' | 'events' | 'of'> {
  const events: DeliveredEvent[] = [];
  follow(session, events).catch(() => undefined);
  return {
    session,
    events,
    of: (kind) =>
      events.filter((event): event is Extract<DeliveredEvent, { kind: typeof kind }> => event.kind === kind),
  };
}

function policyOf(rules: NonNullable<More['rules']>, root: string): Parameters<typeof createPolicy>[0] {
  const parsed = Object.entries(rules).map(([behavior, text]): PermissionRule => {
    const rule = parseRule(text, behavior as Decision, { scope: 'user', file: null, line: null, root });
    if (!rule.ok) throw new Error(rule.error.message);
    return rule.rule;
  });
  return { rules: parsed, mode: 'default', root, home: '/nowhere', sandboxed: false };
}

export const on = (event: HookEventName, run: FunctionHandler['run'], matcher?: string): HookDefinition => ({
  event,
  ...defined({ matcher }),
  handlers: [{ kind: 'function', run }],
});

export const adds = (additionalContext: string): { hookSpecificOutput: Record<string, unknown> } => ({
  hookSpecificOutput: { additionalContext },
});
