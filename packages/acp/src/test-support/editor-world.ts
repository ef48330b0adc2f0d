import { readFileSync, writeFileSync } from 'node:fs';
import { PassThrough, Readable, Writable } from 'node:stream';
import {
  client as createSdkClient,
  type ClientCapabilities,
  type ClientConnection,
  type CreateTerminalRequest,
  type RequestPermissionRequest,
  methods,
  ndJsonStream,
  type SessionUpdate,
} from '@agentclientprotocol/sdk/unstable';
import { openAgentSession } from '@attractor/agent';
import { createScriptedClient, type Script } from '@attractor/agent/testing';
import { defined, done, failed } from '@attractor/base';
import { makeFolder } from '@attractor/base/testing';
import { openSessions } from '@attractor/journal';
import { readSetup } from '@attractor/settings';
import { onTestFinished } from 'vitest';
import type { AcpHost, FolderAgent } from '../host.ts';
import { serveAcp } from '../serve-acp.ts';

export type EditorWorld = {
  readonly folder: string;
  readonly home: string;
  readonly agent: ClientConnection['agent'];
  readonly updates: ReadonlyArray<SessionUpdate>;
  readonly asked: ReadonlyArray<RequestPermissionRequest>;
  /** Buffers with unsaved text, by path; what is written goes there and to disk. */
  readonly buffers: Map<string, string>;
  readonly terminals: CreateTerminalRequest[];
  /** The texts of the updates of one kind, joined. */
  readonly said: (kind: SessionUpdate['sessionUpdate']) => string;
  /** As bytes, for what no client of the SDK would send. */
  readonly raw: (line: string) => void;
  readonly lines: () => string;
  readonly isOver: Promise<void>;
  readonly hangUp: () => void;
};

export type WorldOptions = {
  readonly can?: ClientCapabilities;
  readonly files?: Readonly<Record<string, string>>;
  readonly home?: string;
  readonly folder?: string;
  /** Which option is chosen, in order; absent or null: it is cancelled. */
  readonly choose?: (asked: RequestPermissionRequest) => string | null | Promise<string | null>;
  readonly fill?: (asked: unknown) => Record<string, string>;
  readonly loggedOut?: true;
};

/** The SDK's own client and our agent at the two ends of a pair of pipes, with a scripted model. */
export async function openEditor(script: Script, options: WorldOptions = {}): Promise<EditorWorld> {
  const folder = options.folder ?? makeFolder(options.files ?? { 'sum.js': 'export const sum = (a, b) => a - b;\n' });
  const home = options.home ?? makeFolder();
  const [toAgent, toEditor] = [new PassThrough(), new PassThrough()];
  let written = '';
  const over = Promise.withResolvers<void>();
  const isOver = serveAcp(hostOf(script, { home, isLoggedOut: options.loggedOut === true }), {
    write: (text) => {
      written += text;
      toEditor.write(text);
    },
    onBytes: (take) => void toAgent.on('data', take),
    ended: over.promise,
  });
  const world = {
    updates: [] as SessionUpdate[],
    asked: [] as RequestPermissionRequest[],
    terminals: [] as CreateTerminalRequest[],
  };
  const buffers = new Map<string, string>();
  const app = editorApp(options, { ...world, buffers });
  const stream = ndJsonStream(Writable.toWeb(toAgent), Readable.toWeb(toEditor) as ReadableStream<Uint8Array>);
  const connection = app.connect(stream);
  onTestFinished(async () => {
    over.resolve();
    await isOver;
    connection.close();
  });
  await connection.agent.request(methods.agent.initialize, {
    protocolVersion: 1,
    ...defined({ clientCapabilities: options.can }),
  });
  return {
    ...world,
    folder,
    home,
    agent: connection.agent,
    buffers,
    said: (kind) => world.updates.map((update) => (update.sessionUpdate === kind ? textOf(update) : '')).join(''),
    raw: (line) => void toAgent.write(`${line}\n`),
    lines: () => written,
    isOver,
    hangUp: over.resolve,
  };
}

function textOf(update: SessionUpdate): string {
  return 'content' in update && !Array.isArray(update.content) && update.content?.type === 'text'
    ? update.content.text
    : '';
}

type Held = Pick<EditorWorld, 'buffers' | 'terminals'> & {
  readonly updates: SessionUpdate[];
  readonly asked: RequestPermissionRequest[];
};

function editorApp({ choose, fill }: WorldOptions, { updates, asked, buffers, terminals }: Held) {
  return createSdkClient({ name: 'editor' })
    .onNotification(methods.client.session.update, ({ params }) => void updates.push(params.update))
    .onRequest(methods.client.session.requestPermission, async ({ params }) => {
      asked.push(params);
      const optionId = (await choose?.(params)) ?? null;
      return { outcome: optionId === null ? { outcome: 'cancelled' } : { outcome: 'selected', optionId } };
    })
    .onRequest(methods.client.fs.readTextFile, ({ params }) => ({
      content: buffers.get(params.path) ?? readFileSync(params.path, 'utf8'),
    }))
    .onRequest(methods.client.fs.writeTextFile, ({ params }) => {
      buffers.set(params.path, params.content);
      writeFileSync(params.path, params.content);
      return {};
    })
    .onRequest(methods.client.terminal.create, ({ params }) => ({ terminalId: `t${terminals.push(params)}` }))
    .onRequest(methods.client.terminal.waitForExit, () => ({ exitCode: 0 }))
    .onRequest(methods.client.terminal.output, () => ({ output: 'from the terminal\n', truncated: false }))
    .onRequest(methods.client.terminal.release, () => ({}))
    .onRequest(methods.client.elicitation.create, ({ params }) => ({
      action: 'accept',
      content: fill?.(params) ?? {},
    }));
}

function hostOf(script: Script, at: { readonly home: string; readonly isLoggedOut: boolean }): AcpHost {
  const { home } = at;
  const loggedOut = failed({ code: 'unauthorised', message: 'no model is configured.', retryable: false });
  return {
    version: 'test',
    sessions: openSessions({ home }),
    howToLogIn: 'Set a key.',
    checkLogin: () => (at.isLoggedOut ? loggedOut : done(null)),
    agentIn: async (folder) =>
      at.isLoggedOut ? loggedOut : done(await agentIn(folder, { home, client: createScriptedClient(script) })),
  };
}

type Means = { readonly home: string; readonly client: ReturnType<typeof createScriptedClient> };

async function agentIn(folder: string, { home, client }: Means): Promise<FolderAgent> {
  const setup = await readSetup({ home, userHome: home, env: {}, folder });
  const open: FolderAgent['open'] = ({ effort: _effort, folders, ...wish }, { approve, askUser, approvePlan }) =>
    openAgentSession({
      model: 'claude-sonnet-4-5',
      ...wish,
      folder,
      furtherFolders: folders,
      client,
      provider: 'anthropic',
      setup,
      home,
      sandbox: 'none',
      approve,
      askUser,
      ports: { approvePlan },
    });
  return {
    model: 'claude-sonnet-4-5',
    mode: setup.mode,
    isSandboxed: false,
    open,
    notes: [],
    commands: setup.files.commands,
    skills: setup.files.skills,
    models: [
      { name: 'claude-sonnet-4-5', description: 'Sonnet' },
      { name: 'claude-opus-4-1', description: 'Opus' },
    ],
    windowOf: () => 200_000,
    close: async () => undefined,
  };
}
