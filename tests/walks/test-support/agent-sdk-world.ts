import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { compileCache } from '@attractor/base/testing';
import { parseScript, type RecordedRequest, startSimulator } from '@attractor/simulator';
import { COMMAND, makeFolder } from '../attractor.ts';

export type Message = Readonly<Record<string, unknown>> & { readonly type: string };

export type Query = AsyncIterable<Message> & {
  readonly interrupt: () => Promise<unknown>;
  readonly setPermissionMode: (mode: string) => Promise<void>;
  readonly setModel: (model?: string) => Promise<void>;
  readonly setMaxThinkingTokens: (tokens: number | null, display?: string | null) => Promise<void>;
  readonly mcpServerStatus: () => Promise<ReadonlyArray<Readonly<Record<string, unknown>>>>;
  readonly supportedCommands: () => Promise<ReadonlyArray<{ readonly name: string }>>;
  readonly rewindFiles: (id: string, options?: { readonly dryRun?: boolean }) => Promise<unknown>;
  readonly reloadSkills: () => Promise<unknown>;
  readonly reloadPlugins: (options?: Options) => Promise<Readonly<Record<string, unknown>>>;
  readonly reloadOutputStyles: () => Promise<unknown>;
  readonly readFile: (file: string, options?: Options) => Promise<unknown>;
  readonly seedReadState: (file: string, mtime: number) => Promise<void>;
  readonly applyFlagSettings: (settings: Options) => Promise<void>;
  readonly updateSettings: (source: string, settings: Options) => Promise<void>;
  readonly usage_EXPERIMENTAL_MAY_CHANGE_DO_NOT_RELY_ON_THIS_API_YET: () => Promise<unknown>;
  readonly setMcpPermissionModeOverride: (server: string, mode: string | null) => Promise<unknown>;
  readonly readMcpResource: (server: string, uri: string) => Promise<unknown>;
  readonly reinitialize: () => Promise<unknown>;
  readonly backgroundTasks: (toolUseId?: string) => Promise<boolean>;
  readonly reconnectMcpServer: (name: string) => Promise<void>;
  readonly toggleMcpServer: (name: string, isOn: boolean) => Promise<void>;
  readonly setMcpServers: (servers: Options) => Promise<unknown>;
  readonly stopTask: (id: string) => Promise<void>;
};

type Options = Readonly<Record<string, unknown>>;

/** What is used of the real SDK; its own types are not installed. */
export type Sdk = {
  readonly query: (about: { readonly prompt: unknown; readonly options: Options }) => Query;
  readonly startup: (about: { readonly options: Options }) => Promise<{ readonly query: (prompt: unknown) => Query }>;
  readonly prewarm: (about: { readonly options: Options }) => Promise<unknown>;
  readonly HOOK_EVENTS: ReadonlyArray<string>;
  readonly InMemorySessionStore: new () => MemoryStore;
  readonly listSessions: (about: Options) => Promise<ReadonlyArray<{ readonly sessionId: string }>>;
  readonly getSessionInfo: (id: string, about: Options) => Promise<unknown>;
  readonly getSessionMessages: (id: string, about: Options) => Promise<ReadonlyArray<Options>>;
  readonly forkSession: (id: string, about: Options) => Promise<{ readonly sessionId: string }>;
  readonly renameSession: (id: string, title: string, about: Options) => Promise<void>;
  readonly tagSession: (id: string, tag: string, about: Options) => Promise<void>;
  readonly deleteSession: (id: string, about: Options) => Promise<void>;
  readonly tool: (...about: ReadonlyArray<unknown>) => unknown;
  readonly createSdkMcpServer: (about: Options) => {
    readonly instance: {
      readonly server: HostServer;
      readonly registerResource: (name: string, uri: string, about: Options, read: () => Promise<Options>) => unknown;
    };
  };
};

export type StoreKey = { readonly projectKey: string; readonly sessionId: string };

export type MemoryStore = {
  readonly size: number;
  readonly append: (key: StoreKey, entries: ReadonlyArray<Options>) => Promise<void>;
  readonly load: (key: StoreKey) => Promise<ReadonlyArray<Options> | null>;
  readonly listSessions: (projectKey: string) => Promise<ReadonlyArray<{ readonly sessionId: string }>>;
};

type HostServer = {
  readonly elicitInput: (about: Options) => Promise<{ readonly action: string; readonly content?: Options }>;
};

export type SdkWorld = {
  readonly folder: string;
  readonly home: string;
  readonly other: string;
  /** What every query has. */
  readonly base: Options;
  readonly start: (prompt: unknown, options?: Options) => Query;
  readonly ask: (prompt: unknown, options?: Options) => Promise<ReadonlyArray<Message>>;
  /** The same of a query that ends with an error result, and fails behind it. */
  readonly answered: (prompt: unknown, options?: Options) => Promise<ReadonlyArray<Message>>;
  /** One query of several prompts: each step is taken between a result and the next prompt. */
  readonly converse: (
    first: string,
    options: Options,
    steps: ReadonlyArray<(query: Query) => Promise<void>>,
  ) => Promise<ReadonlyArray<Message>>;
  /** What a query fails with. */
  readonly failure: (prompt: unknown, options: Options) => Promise<string>;
  readonly requests: (firstUser: string) => ReadonlyArray<RecordedRequest>;
  readonly unexpected: () => ReadonlyArray<unknown>;
  readonly close: () => Promise<void>;
};

export async function loadSdk(folder: string): Promise<Sdk> {
  const file = path.join(folder, 'node_modules', '@anthropic-ai', 'claude-agent-sdk', 'sdk.mjs');
  const sdk: Sdk = await import(pathToFileURL(file).href);
  return sdk;
}

/** One model and one home for all queries: conversations are told apart by their first words. */
export async function makeSdkWorld(
  sdk: Sdk,
  conversationsIn: (other: string) => ReadonlyArray<unknown>,
): Promise<SdkWorld> {
  const [home, folder, other] = [makeFolder(), makeFolder(), makeFolder()];
  const parsed = parseScript({ conversations: conversationsIn(other) });
  if (!parsed.ok) throw new Error(parsed.error.message);
  const simulator = await startSimulator({ script: parsed.script });
  writeFileSync(path.join(folder, 'notes.txt'), 'one\ntwo\n');
  mkdirSync(path.join(home, '.claude'));
  const env = {
    PATH: '/usr/bin:/bin',
    HOME: home,
    ANTHROPIC_API_KEY: 'none',
    ANTHROPIC_BASE_URL: simulator.baseUrls.anthropic,
    ...compileCache(),
  };
  const base = {
    cwd: folder,
    env,
    executable: process.execPath,
    pathToClaudeCodeExecutable: COMMAND,
    model: 'claude-sonnet-4-5-20250929',
    extraArgs: { 'allow-unsandboxed': null, 'max-retries': '0' },
  };
  const start: SdkWorld['start'] = (prompt, options = {}) => sdk.query({ prompt, options: { ...base, ...options } });
  const ask: SdkWorld['ask'] = async (prompt, options) => {
    const messages: Message[] = [];
    for await (const message of start(prompt, options)) messages.push(message);
    return messages;
  };
  const answered: SdkWorld['answered'] = async (prompt, options) => {
    const messages: Message[] = [];
    try {
      for await (const message of start(prompt, options)) messages.push(message);
    } catch {
      // The result says what went wrong.
    }
    return messages;
  };
  const converse: SdkWorld['converse'] = async (first, { onMessage, ...options }, steps) => {
    const isTaken = steps.map(() => Promise.withResolvers<void>());
    async function* prompts() {
      yield userMessage(first);
      for (const [at, { promise }] of isTaken.entries()) {
        await promise;
        if (at < steps.length - 1) yield userMessage('go on');
      }
    }
    const query = start(prompts(), options);
    const messages: Message[] = [];
    let taken = 0;
    for await (const message of query) {
      messages.push(message);
      if (typeof onMessage === 'function') await onMessage(message, query);
      if (message.type !== 'result') continue;
      await steps[taken]?.(query);
      isTaken[taken]?.resolve();
      taken += 1;
    }
    return messages;
  };
  return {
    converse,
    base,
    folder,
    home,
    other,
    start,
    ask,
    answered,
    failure: (prompt, options) =>
      ask(prompt, options).then(
        (messages) => `it worked: ${JSON.stringify(messages.at(-1))}`,
        (error: unknown) => String(error),
      ),
    requests: (firstUser) => simulator.requests().filter(({ body }) => firstWords(body).includes(firstUser)),
    unexpected: () => simulator.failures(),
    close: () => simulator.close(),
  };
}

export function userMessage(content: unknown): Message {
  return { type: 'user', message: { role: 'user', content }, parent_tool_use_id: null };
}

export function resultOf(messages: ReadonlyArray<Message>): Message {
  const result = messages.findLast(({ type }) => type === 'result');
  if (result === undefined) throw new Error('there is no result');
  return result;
}

function firstWords(body: unknown): string {
  const { messages }: { readonly messages?: ReadonlyArray<unknown> } = Object(body);
  return JSON.stringify(messages?.[0] ?? '');
}
