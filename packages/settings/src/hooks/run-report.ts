import type { HookEventName } from './events.ts';
import type { MoreOutput } from '@attractor/system';
import type { HandlerStatus } from './read-end.ts';

/** More of what a handler's program says, as it says it. */
export type HookOutput = About & MoreOutput;

type About = { readonly hookId: string; readonly event: HookEventName; readonly handler: string };

/** The start or the end of a handler; its texts are shortened and contain no secrets. */
export type HookRun = About &
  (
    | { readonly kind: 'started'; readonly statusMessage?: string }
    | {
        readonly kind: 'ended';
        readonly status: HandlerStatus;
        readonly durationMs: number;
        readonly exitCode?: number;
        readonly stdout?: string;
        readonly stderr?: string;
        readonly problem?: string;
        readonly terminalSequence?: string;
      }
  );
