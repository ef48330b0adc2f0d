import { defined, isRecord } from '@attractor/base';
import { HOOK_EVENTS, type HookAnswer, type HookDefinition, type HookEventName } from '@attractor/settings';
import type { ControlChannel, Fields } from './channel.ts';

export type HooksByControl = {
  readonly definitions: ReadonlyArray<HookDefinition>;
  /** Hooks that would never be called, one line each. */
  readonly refused: ReadonlyArray<string>;
};

/**
 * Hooks that the program at the other end answers itself. Hooks are guards: one for an event that never happens here is refused, because
 * whoever wrote it relies on it.
 */
export function hooksByControl(hooks: unknown, channel: Pick<ControlChannel, 'request'>): HooksByControl {
  const events = isRecord(hooks) ? Object.entries(hooks) : [];
  const refused = events.flatMap(([event, groups]) => {
    if (!Array.isArray(groups) || groups.length === 0 || happensHere(event)) return [];
    return [`hooks.${event}: this never happens here, so the hook would never be called`];
  });
  const definitions = events.flatMap(([event, groups]) =>
    happensHere(event) && Array.isArray(groups)
      ? groups.filter(isRecord).map((group) => definitionOf(event, group, channel))
      : [],
  );
  return { definitions, refused };
}

function happensHere(event: string): event is HookEventName {
  return Object.hasOwn(HOOK_EVENTS, event) && HOOK_EVENTS[event as HookEventName].firedBy !== null;
}

function definitionOf(
  event: HookEventName,
  { matcher, hookCallbackIds, timeout, onFailure }: Fields,
  channel: Pick<ControlChannel, 'request'>,
): HookDefinition {
  const ids = Array.isArray(hookCallbackIds) ? hookCallbackIds.map(String) : [];
  return {
    event,
    ...(typeof matcher === 'string' ? { matcher } : {}),
    handlers: ids.map((id) => ({
      kind: 'function' as const,
      name: `${event} (${id})`,
      failClosed: onFailure === 'block',
      ...(typeof timeout === 'number' ? { timeoutMs: timeout * 1_000 } : {}),
      run: async (input, { signal }): Promise<HookAnswer> => {
        const call = defined({ tool_use_id: input['tool_use_id'] });
        const answer = await channel.request({ subtype: 'hook_callback', callback_id: id, input, ...call }, signal);
        if (!answer.ok) throw new Error(answer.error.message);
        return answer.value;
      },
    })),
  };
}
