import type { SettingOrigin } from '../settings/origin.ts';
import type { HookEventName } from './events.ts';
import type { HookAnswer } from './answer.ts';

/** What is told to a handler: the fields of the published wire, in its spelling. */
export type HookInput = Readonly<Record<string, unknown>>;

/** Whose words a handler understands and speaks. Absent in a definition: Claude Code's, which is ours. */
export type HookWire = 'gemini' | 'cline';

type Common = {
  /** One permission rule: the handler runs only for calls that it speaks of. */
  readonly when?: string;
  readonly timeoutMs?: number;
  /** What a person is shown while it runs. */
  readonly statusMessage?: string;
  /** It runs the first time and never again in this session. */
  readonly once?: boolean;
  /** An error or a timeout blocks, where the event can be blocked. Without it they let the work go on. */
  readonly failClosed?: boolean;
};

/** With `args` it is a program that is started without a shell; else a line for the shell. */
export type CommandHandler = Common & {
  readonly kind: 'command';
  readonly command: string;
  readonly args?: ReadonlyArray<string>;
  /** Nobody waits for it; what it says comes with the next turn. */
  readonly isAsync?: boolean;
};

export type HttpHandler = Common & {
  readonly kind: 'http';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The variables that may stand in headers as `$NAME`; every other one is empty. */
  readonly allowedEnvVars?: ReadonlyArray<string>;
};

/** For programs that use the library. It answers like any other handler; a throw is an error of the hook. */
export type FunctionHandler = Common & {
  readonly kind: 'function';
  readonly run: (
    input: HookInput,
    context: { readonly signal: AbortSignal },
  ) => Promise<HookAnswer | void> | HookAnswer | void;
  readonly name?: string;
};

export type HookHandler = CommandHandler | HttpHandler | FunctionHandler;

/**
 * Handlers of one event and what they are for. `origin` absent: made by the program itself, which is as good as a person. Those of a
 * repository come here only after a person trusted it.
 */
export type HookDefinition = {
  readonly event: HookEventName;
  readonly matcher?: string;
  readonly handlers: ReadonlyArray<HookHandler>;
  readonly origin?: SettingOrigin;
  /** Whose words its handlers understand, and what they call the event. Absent: the published ones. */
  readonly spoken?: { readonly wire: HookWire; readonly as: string };
  /** Further variables of its commands, such as where a plugin stands. */
  readonly variables?: Readonly<Record<string, string>>;
};

/** Written in a repository: it has fewer rights than what a person wrote in their own files. */
export function isOfRepository({ origin }: Pick<HookDefinition, 'origin'>): boolean {
  return origin?.scope === 'project' || origin?.scope === 'local';
}

/** What a person is shown for a handler. */
export function handlerText(handler: HookHandler): string {
  switch (handler.kind) {
    case 'command':
      return [handler.command, ...(handler.args ?? [])].join(' ');
    case 'http':
      return handler.url;
    case 'function':
      return handler.name ?? (handler.run.name || 'function');
  }
}
