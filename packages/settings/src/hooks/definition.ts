import type { SettingOrigin } from '../settings/origin.ts';
import type { HookEventName } from './events.ts';
import type { HookAnswer } from './answer.ts';

/** A handler's input: the fields of the published wire, in its spelling. */
export type HookInput = Readonly<Record<string, unknown>>;

/** The wire format that a handler understands. Absent in a definition: Claude Code's, which is ours. */
export type HookWire = 'gemini' | 'cline';

type Common = {
  /** One permission rule: the handler runs only for calls that it covers. */
  readonly when?: string;
  readonly timeoutMs?: number;
  /** What a person is shown while it runs. */
  readonly statusMessage?: string;
  /** It runs once per session. */
  readonly once?: boolean;
  /** An error or a timeout blocks, if the event can be blocked. Otherwise the work continues. */
  readonly failClosed?: boolean;
};

/** With `args` it is a program that is started without a shell; otherwise a line for the shell. */
export type CommandHandler = Common & {
  readonly kind: 'command';
  readonly command: string;
  readonly args?: ReadonlyArray<string>;
  /** Nobody waits for it; its answer comes with the next turn. */
  readonly isAsync?: boolean;
  /** Nobody waits for it, and what it objects to is told to the model when it comes. */
  readonly rewakes?: boolean;
};

export type HttpHandler = Common & {
  readonly kind: 'http';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The variables that headers may use as `$NAME`; every other one is empty. */
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

/** A model decides: `prompt` asks one once, `agent` lets one look around first. `$ARGUMENTS` in the text stands for the input. */
export type ModelHandler = Common & {
  readonly kind: 'prompt' | 'agent';
  readonly prompt: string;
  /** Absent: the session's. */
  readonly model?: string;
};

/** A tool of one of the session's MCP servers; `${path.to.field}` in its input stands for a field of what the hook is told. */
export type ToolHandler = Common & {
  readonly kind: 'mcp_tool';
  readonly server: string;
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
};

export type HookHandler = CommandHandler | HttpHandler | FunctionHandler | ModelHandler | ToolHandler;

/**
 * The handlers of one event, and when they apply. `origin` absent: made by the program itself, which counts like a person. Those of a
 * repository are included only after a person trusted it.
 */
export type HookDefinition = {
  readonly event: HookEventName;
  readonly matcher?: string;
  readonly handlers: ReadonlyArray<HookHandler>;
  readonly origin?: SettingOrigin;
  /** The wire format of its handlers, and their name for the event. Absent: the published ones. */
  readonly spoken?: { readonly wire: HookWire; readonly as: string };
  /** Of a repository's: the SHA-256 of the files that were trusted with it, by their paths from the root. Absent: it needs none. */
  readonly trusted?: ReadonlyMap<string, string>;
  /** Where a person's trust is kept: what they trust later counts from then on. */
  readonly trustHome?: string;
  /** Further variables for its commands, such as a plugin's folder. */
  readonly variables?: Readonly<Record<string, string>>;
  /** It counts only in agents of this type, or once this skill was used. */
  readonly within?: HookPlace;
};

export type HookPlace = { readonly agent: string } | { readonly skill: string };

/** Written in a repository: it has fewer rights than what a person wrote in their own files. */
export function isOfRepository({ origin }: Pick<HookDefinition, 'origin'>): boolean {
  return origin?.scope === 'project' || origin?.scope === 'local';
}

/** How a handler is shown to a person. */
export function handlerText(handler: HookHandler): string {
  switch (handler.kind) {
    case 'command':
      return [handler.command, ...(handler.args ?? [])].join(' ');
    case 'http':
      return handler.url;
    case 'prompt':
    case 'agent':
      return `${handler.kind}: ${handler.prompt}`;
    case 'mcp_tool':
      return `mcp__${handler.server}__${handler.tool}`;
    case 'function':
      return handler.name ?? (handler.run.name || 'function');
  }
}
