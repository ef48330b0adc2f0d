import { isDeepStrictEqual } from 'node:util';
import type { AgentSession } from '@attractor/agent';
import type { ControlChannel } from './channel.ts';
import type { Controlled } from './controlled.ts';
import { initializedResponse } from './answers.ts';
import { type Initialized, readInitialize } from './initialize.ts';

type Beginning = {
  readonly initialized: Initialized | null;
  readonly channel: ControlChannel;
  readonly session: AgentSession;
  readonly version: string;
};

/**
 * A program that lost the connection says again what it is. Its hooks count as it says them now; what else it says must be what it said at
 * first. It is told what it was asked and has not answered.
 */
export function initializingAgain({
  initialized,
  channel,
  session,
  version,
}: Beginning): Controlled['initializeAgain'] {
  return (request) => {
    if (initialized === null) return { error: 'initialize must be the first line on stdin.' };
    const { request: first } = initialized;
    const changed = [...new Set([...Object.keys(first), ...Object.keys(request)])].filter(
      (key) => !MAY_CHANGE.has(key) && !isDeepStrictEqual(first[key], request[key]),
    );
    const { hooks, refused } = readInitialize({ request }, channel);
    const errors = [...changed.map((key) => `${key}: it stays as it was when the session began`), ...refused];
    if (errors.length > 0) return { error: `initialize: ${errors.join('; ')}.` };
    session.renewHooks(hooks);
    const pending = channel.open().filter((line) => Object(line['request'])['subtype'] === 'can_use_tool');
    return { response: initializedResponse({ session, version }), pending_permission_requests: pending };
  };
}

/** Hooks are renewed, and servers inside the program are what it last set them to. */
const MAY_CHANGE: ReadonlySet<string> = new Set([
  'hooks',
  'sdkMcpServers',
  'sdkMcpServerConfigs',
  'sdkMcpServerManifests',
  'sdkMcpServerManifestsOrigin',
]);
