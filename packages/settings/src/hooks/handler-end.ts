import type { HookAnswer } from './answer.ts';

/**
 * How one handler ended, before its answer is read. `cancelled`: the caller that fired the event ended meanwhile. `untrusted`: it did not
 * run, because a file that it names changed since a person trusted it.
 */
export type HandlerEnd = { readonly durationMs: number } & (
  | { readonly kind: 'exit'; readonly exitCode: number; readonly stdout: string; readonly stderr: string }
  /** The body of an HTTP answer with a success status. */
  | { readonly kind: 'body'; readonly text: string; readonly status: number }
  | { readonly kind: 'answer'; readonly answer: HookAnswer | undefined }
  | { readonly kind: 'error' | 'untrusted'; readonly message: string }
  | { readonly kind: 'timeout'; readonly timeoutMs: number }
  | { readonly kind: 'cancelled' }
);
