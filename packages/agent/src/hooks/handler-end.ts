import type { HookAnswer } from '@attractor/settings';

/** How one handler ended, before anybody looked at what it said. `cancelled`: whoever fired it ended meanwhile. */
export type HandlerEnd = { readonly durationMs: number } & (
  | { readonly kind: 'exit'; readonly exitCode: number; readonly stdout: string; readonly stderr: string }
  /** An http body of a good status. */
  | { readonly kind: 'body'; readonly text: string; readonly status: number }
  | { readonly kind: 'answer'; readonly answer: HookAnswer | undefined }
  | { readonly kind: 'error'; readonly message: string }
  | { readonly kind: 'timeout'; readonly timeoutMs: number }
  | { readonly kind: 'cancelled' }
);
