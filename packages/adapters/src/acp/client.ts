import { isRecord, messageOf } from '@attractor/base';
import { createLocalExecutionEnvironment } from '@attractor/agent';
import type { AgentRunOptions } from '../agent.ts';
import type { CallJudge, ForeignCall } from '../program/judge-calls.ts';
import { RpcError } from '@attractor/rpc';
import { isRunTool } from '../run-tools/run-tools.ts';
import { type AcpTool, toolOf } from '../translate/acp.ts';
import { openTerminals } from './terminals.ts';

type Params = Readonly<Record<string, unknown>>;

export type AcpClient = {
  /** What an agent asks of the editor that hosts it: here, of the run. */
  readonly answer: (method: string, params: Params) => Promise<unknown>;
  readonly close: () => Promise<void>;
};

export type AcpWorld = {
  readonly options: AgentRunOptions;
  readonly judge: CallJudge;
  readonly toolOf: (toolCallId: string) => AcpTool | undefined;
};

/** The error code of the protocol for "invalid params". */
const INVALID = -32602;

/** Files, terminals and permissions for an agent. Every path and every command is judged as one of our own tools' would be. */
export function createAcpClient(world: AcpWorld): AcpClient {
  const { options, judge } = world;
  const environment = createLocalExecutionEnvironment(options.projectPath, 'inherit_none', {
    variables: () => ({ ...options.env }),
    sandbox: options.sandbox,
  });
  const terminals = openTerminals(environment);
  let count = 0;
  const insist = async (toolName: string, args: Params): Promise<void> => {
    const answer = await judge.decide({ toolCallId: `client-${(count += 1)}`, toolName, args });
    if (!answer.allowed) throw new RpcError(INVALID, answer.message);
  };
  const answers: Readonly<Record<string, (params: Params) => Promise<unknown>>> = {
    'session/request_permission': (params) => permission(world, params),
    'fs/read_text_file': async ({ path, line, limit }) => {
      await insist('Read', { file_path: textOf(path) });
      return { content: part(await spoken(environment.readText(textOf(path))), line, limit) };
    },
    'fs/write_text_file': async ({ path, content }) => {
      await insist('Write', { file_path: textOf(path), content: textOf(content) });
      await spoken(environment.writeFile(textOf(path), textOf(content)));
      return {};
    },
    'terminal/create': async (params) => {
      const command = commandLine(params);
      await insist('Bash', { command, ...(typeof params['cwd'] === 'string' ? { workdir: params['cwd'] } : {}) });
      return { terminalId: await terminals.create(command, params) };
    },
    'terminal/output': async ({ terminalId }) => terminals.output(textOf(terminalId)),
    'terminal/wait_for_exit': ({ terminalId }) => terminals.wait(textOf(terminalId)),
    'terminal/kill': async ({ terminalId }) => terminals.kill(textOf(terminalId)),
    'terminal/release': async ({ terminalId }) => terminals.release(textOf(terminalId)),
  };
  return {
    answer: (method, params) => {
      const answer = answers[method];
      if (answer === undefined) throw new RpcError(-32601, `There is no ${method} here.`);
      return answer(params);
    },
    close: async () => {
      await terminals.close();
      await environment.cleanup();
    },
  };
}

/** The answer is one of the agent's options, and never one that would count for later calls. */
async function permission({ judge, toolOf: known }: AcpWorld, params: Params): Promise<object> {
  const asked = isRecord(params['toolCall']) ? params['toolCall'] : {};
  const toolCallId = String(asked['toolCallId']);
  const options = Array.isArray(params['options']) ? params['options'].filter(isRecord) : [];
  const choose = (...kinds: ReadonlyArray<string>): object => {
    const [option] = kinds.flatMap((kind) => options.filter((one) => one['kind'] === kind));
    if (option === undefined) return { outcome: { outcome: 'cancelled' } };
    return { outcome: { outcome: 'selected', optionId: option['optionId'] } };
  };
  const tool = toolOf(asked, known(toolCallId));
  // What runs, reads or changes something is judged, whatever it is called.
  if (tool.kind === 'other' && (isRunTool(tool.toolName) || isRunTool(tool.title)))
    return choose('allow_once', 'allow_always');
  const answer = await judge.decide(callOf(toolCallId, tool));
  return answer.allowed ? choose('allow_once') : choose('reject_once', 'reject_always');
}

/** The kinds that change what is at their places. */
const CHANGING: ReadonlySet<string> = new Set(['edit', 'delete', 'move']);

function callOf(toolCallId: string, tool: AcpTool): ForeignCall {
  const { kind, title, input, paths, toolName } = tool;
  const [first] = paths;
  if (CHANGING.has(kind))
    return { toolCallId, toolName: 'Edit', args: { ...input, file_path: first ?? '' }, places: paths, shown: title };
  if (kind === 'read' && first !== undefined)
    return { toolCallId, toolName: 'Read', args: { file_path: first }, places: paths };
  return { toolCallId, toolName, args: input, shown: title, ...(kind === 'search' ? { places: paths } : {}) };
}

function commandLine({ command, args }: Params): string {
  const words = Array.isArray(args) ? args.filter((word) => typeof word === 'string') : [];
  if (words.length === 0) return textOf(command);
  return [textOf(command), ...words].map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');
}

function part(text: string, line: unknown, limit: unknown): string {
  if (typeof line !== 'number' && typeof limit !== 'number') return text;
  const from = typeof line === 'number' ? Math.max(0, line - 1) : 0;
  const lines = text.split('\n').slice(from, typeof limit === 'number' ? from + limit : undefined);
  return lines.join('\n');
}

/** What our own tools say of a failure is what the agent hears. */
async function spoken<Value>(work: Promise<Value>): Promise<Value> {
  try {
    return await work;
  } catch (error) {
    throw new RpcError(INVALID, messageOf(error));
  }
}

function textOf(value: unknown): string {
  if (typeof value !== 'string') throw new RpcError(INVALID, 'A text is missing.');
  return value;
}
