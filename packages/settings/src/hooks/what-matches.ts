import path from 'node:path';
import { type HookDefinition, type HookHandler, type HookInput, isOfRepository } from './definition.ts';
import { type HookEventName, rowOf } from './events.ts';
import { namesForMatcher } from './matcher.ts';

/** What a matcher looks at. Null: the event has nothing to match on. */
export function matchedValues(event: HookEventName, input: HookInput): ReadonlyArray<string> | null {
  const { matchedOn } = rowOf(event);
  if (matchedOn === null) return null;
  const value = input[matchedOn];
  if (typeof value !== 'string') return [''];
  if (matchedOn === 'file_path') return [path.basename(value)];
  return matchedOn === 'tool_name' ? namesForMatcher(value) : [value];
}

/** Equal for handlers that do the same with the same rights. */
export function handlerIdentity(handler: HookHandler, definition: HookDefinition): unknown {
  if (handler.kind === 'function') return handler.run;
  return JSON.stringify([isOfRepository(definition), definition.variables ?? {}, definition.spoken ?? null, handler]);
}
