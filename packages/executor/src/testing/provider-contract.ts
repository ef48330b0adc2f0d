import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Result } from '@attractor/base';
import { createLocalExecutionEnvironment } from '@attractor/agent';
import { openSessions } from '@attractor/journal';
import type { Executed } from '../execute-options.ts';
import { execute } from '../executor.ts';
import { FILE_TOOLS } from '../file-tools/definitions.ts';
import { createFileTools } from '../file-tools/file-tools.ts';
import type {
  Provider,
  ProviderErrorCode,
  ProviderFactory,
  ProviderHost,
  Response,
  Session,
  ToolCall,
  ToolResult,
} from '../provider.ts';
import type { AgentSpec } from '../spec/agent-spec.ts';
import { CONTRACT_FILES } from './dialogues.ts';

/** One rule of the port, for any test runner: `for (const { name, run } of cases) it(name, run)`. Rejects if the rule is broken. */
export type ContractCase = { readonly name: string; readonly run: () => Promise<void> };

export type ProviderWorld = {
  /** Over a model that says what `CONTRACT_DIALOGUES` has. */
  readonly provider: ProviderFactory;
  /** Over a service that fails in this way, for as many ways as it can. */
  readonly failing?: Readonly<Partial<Record<ProviderErrorCode, ProviderFactory>>>;
  /** Over a model that never answers. */
  readonly silent?: ProviderFactory;
  readonly dispose?: () => void | Promise<void>;
};

/** What every `Provider` must do. `make` creates a fresh world for each case. */
export function providerContract(make: () => ProviderWorld | Promise<ProviderWorld>): ReadonlyArray<ContractCase> {
  return Object.entries(RULES).map(([name, rule]) => ({
    name,
    run: async () => {
      const world = await make();
      const folder = mkdtempSync(path.join(tmpdir(), 'provider-contract-'));
      try {
        await rule(world, placeIn(folder));
      } finally {
        await world.dispose?.();
        rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
      }
    },
  }));
}

type Place = { readonly workspace: string; readonly home: string };

function placeIn(folder: string): Place {
  const workspace = mkdtempSync(path.join(folder, 'workspace-'));
  for (const [name, text] of Object.entries(CONTRACT_FILES)) writeFileSync(path.join(workspace, name), text);
  return { workspace, home: path.join(folder, 'home') };
}

const SPEC: AgentSpec = {
  name: 'Contract',
  systemPrompt: 'You take part in a contract test.',
  instructions: '',
  path: 'contract.md',
  ignored: [],
};

const RULES: Readonly<Record<string, (world: ProviderWorld, place: Place) => Promise<void>>> = {
  'gives each session an id of its own, its name and the agent': async ({ provider: factory }, place) => {
    const { provider } = openOn(factory, place);
    const one = await begin(provider, place);
    const two = await begin(provider, place);
    assert.notEqual(one.id, two.id);
    assert.match(one.id, /^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$/);
    assert.equal(one.provider, factory.id);
    assert.equal(one.agentSpec, SPEC);
    await provider.close?.();
  },
  'answers completely when no tool is needed': async ({ provider: factory }, place) => {
    const { provider } = openOn(factory, place);
    const session = await begin(provider, place);
    const response = value(await provider.sendMessage(session, 'Say hello.'));
    assert.deepEqual([response.text, response.toolCalls, response.isComplete], ['Hello.', [], true]);
    await provider.close?.();
  },
  'has a call run once, under its public name, and hears its result': async (world, place) => {
    const { text, runs } = await drive(world.provider, place, 'Read one file.');
    assert.equal(text, 'One is read.');
    assert.deepEqual(runs, [['file.read', 'one.txt']]);
  },
  'has each of several calls of one reply run, with an id of its own': async (world, place) => {
    const { text, runs } = await drive(world.provider, place, 'Read two files.');
    assert.equal(text, 'Both are read.');
    assert.deepEqual(runs.toSorted(), [
      ['file.read', 'one.txt'],
      ['file.read', 'two.txt'],
    ]);
  },
  'tells its model when a tool failed': async (world, place) => {
    const { text } = await drive(world.provider, place, 'Read a file that is missing.');
    assert.equal(text, 'There is none.');
  },
  'knows no session that never was': async ({ provider: factory }, place) => {
    const { provider } = openOn(factory, place);
    assert.equal(value(await provider.resumeSession('00000000-0000-4000-8000-000000000000')), null);
    await provider.close?.();
  },
  'goes on with a session by its id, with its history, in another opening': async ({ provider }, place) => {
    const first = await runAgent(provider, place, { instructions: 'Say hello.' });
    assert.equal(first.text, 'Hello.');
    const second = await runAgent(provider, place, { instructions: 'Say hello.', sessionId: first.sessionId });
    assert.deepEqual([second.text, second.sessionId], ['Hello again.', first.sessionId]);
  },
  'gives failures as values that say what to do': async ({ failing = {} }, place) => {
    for (const [code, factory] of Object.entries(failing)) {
      const { provider } = openOn(factory, place);
      const session = await begin(provider, place);
      const answer = await provider.sendMessage(session, 'Say hello.');
      assert.ok(!answer.ok, `${code}: the message was answered`);
      assert.equal(answer.error.code, code, answer.error.message);
      assert.match(answer.error.message, /\w+ \w+ \w+/);
      await provider.close?.();
    }
  },
  'ends what it waits for when it is told to stop': async ({ silent }, place) => {
    if (silent === undefined) return;
    const stopper = new AbortController();
    const { provider } = openOn(silent, place, stopper.signal);
    const session = await begin(provider, place);
    const answer = provider.sendMessage(session, 'Say hello.');
    setTimeout(() => stopper.abort(), 300);
    assert.equal((await answer).ok, false);
    await provider.close?.();
  },
};

type Opened = {
  readonly provider: Provider;
  readonly runs: Array<readonly [name: string, path: unknown]>;
  readonly run: Runner;
};
type Runner = (call: ToolCall) => Promise<ToolResult>;

/** The provider on a host that runs real tools and records the calls. */
function openOn(factory: ProviderFactory, { workspace }: Place, signal = new AbortController().signal): Opened {
  const tools = createFileTools(createLocalExecutionEnvironment(workspace));
  const runs: Array<readonly [string, unknown]> = [];
  const run: Runner = async ({ id, name, input }) => {
    runs.push([name, input['path']]);
    return { toolCallId: id, ...(await tools.run({ name, input })) };
  };
  const host: ProviderHost = {
    agentSpec: SPEC,
    workspaceRoot: workspace,
    tools: FILE_TOOLS,
    signal,
    history: () => null,
    onProgress: () => undefined,
    runTool: run,
  };
  return { provider: factory.open(host), runs, run };
}

async function begin(provider: Provider, { workspace }: Place): Promise<Session> {
  return value(await provider.createSession(SPEC, workspace));
}

/** Sends a message and runs the calls that the provider leaves to the executor. */
async function drive(
  factory: ProviderFactory,
  place: Place,
  message: string,
): Promise<{ text: string; runs: Opened['runs'] }> {
  const { provider, runs, run } = openOn(factory, place);
  const session = await begin(provider, place);
  let response: Response = value(await provider.sendMessage(session, message));
  if (runs.length > 0)
    assert.ok(provider.continueSession !== undefined, 'a provider that runs tools can continue a session');
  while (!response.isComplete) {
    assert.ok(response.toolCalls.length > 0, 'an incomplete response has calls');
    assert.equal(provider.continueSession, undefined, 'a provider that runs tools itself leaves none to the executor');
    assert.equal(new Set(response.toolCalls.map(({ id }) => id)).size, response.toolCalls.length);
    const results: ToolResult[] = [];
    for (const call of response.toolCalls) results.push(await run(call));
    response = value(await provider.submitToolResults(session, results));
  }
  assert.deepEqual(response.toolCalls, [], 'a complete response has no calls');
  await provider.close?.();
  return { text: response.text, runs };
}

type AgentRun = { readonly instructions: string; readonly sessionId?: string };

async function runAgent(
  provider: ProviderFactory,
  place: Place,
  { instructions, ...rest }: AgentRun,
): Promise<Executed> {
  const environment = createLocalExecutionEnvironment(place.workspace);
  const sessions = openSessions({ home: place.home });
  return value(await execute({ spec: { ...SPEC, instructions }, environment, provider, sessions, ...rest }));
}

function value<Value>(result: Result<Value, { readonly message: string }>): Value {
  if (!result.ok) throw new assert.AssertionError({ message: result.error.message });
  return result.value;
}
