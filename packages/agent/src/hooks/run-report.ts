import type { HookEventName } from '@attractor/settings';
import type { HandlerStatus } from './read-end.ts';

type About = { readonly hookId: string; readonly event: HookEventName; readonly handler: string };

/** That a handler starts, or how it ended; texts are shortened and without secrets. */
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
      }
  );
