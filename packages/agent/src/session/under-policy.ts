import { hideDenied } from '../execution/hide-denied.ts';
import { livePolicy, type LivePolicy } from '@attractor/policy';
import type { ToolRegistry } from '../types/index.ts';
import type { SessionOptions } from '../contract/session.ts';

/** The session's policy as one that can change, and its environment with searches that obey it. */
export function underPolicy(given: SessionOptions): {
  readonly options: SessionOptions;
  readonly policy: LivePolicy | undefined;
} {
  if (given.policy === undefined) return { options: given, policy: undefined };
  const policy = 'current' in given.policy ? given.policy : livePolicy(given.policy);
  return { options: { ...given, policy, environment: hideDenied(given.environment, policy) }, policy };
}

/** A tool that is denied as a whole is not offered; if called anyway, it is denied like any other. */
export function withoutDenied(given: SessionOptions['policy'], registry: ToolRegistry): ToolRegistry {
  if (given === undefined) return registry;
  const policy = 'current' in given ? given.current : () => given;
  return { ...registry, definitions: () => registry.definitions().filter(({ name }) => !policy().hides(name)) };
}
