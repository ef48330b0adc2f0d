import { StringDecoder } from 'node:string_decoder';
import { isRecord } from '@attractor/base';
import type { CommandEnd, ExecutionEnvironment, RunningCommand } from '@attractor/agent';
import { RpcError } from '@attractor/rpc';

type Params = Readonly<Record<string, unknown>>;

type Heard = { output: string; isCut: boolean; end: CommandEnd | null };
type Terminal = { readonly running: RunningCommand; readonly heard: Heard };

const MAX_OUTPUT = 1 << 20;

/** Commands that an agent runs through its host, where our own would run. Whoever judged them did so before. */
export function openTerminals(environment: ExecutionEnvironment) {
  const terminals = new Map<string, Terminal>();
  let count = 0;
  const find = (id: string): Terminal => {
    const terminal = terminals.get(id);
    if (terminal === undefined) throw new RpcError(-32602, `There is no terminal ${id}.`);
    return terminal;
  };
  return {
    create: async (command: string, { cwd, env, outputByteLimit }: Params): Promise<string> => {
      const { startCommand } = environment;
      if (startCommand === undefined) throw new RpcError(-32603, 'Nothing can run here.');
      const limit = Math.min(typeof outputByteLimit === 'number' ? outputByteLimit : MAX_OUTPUT, MAX_OUTPUT);
      const heard: Heard = { output: '', isCut: false, end: null };
      const decoder = new StringDecoder('utf8');
      const onOutput = (chunk: Uint8Array): void => {
        const all = `${heard.output}${decoder.write(Buffer.from(chunk))}`;
        heard.isCut ||= all.length > limit;
        heard.output = all.slice(-limit);
      };
      const where = typeof cwd === 'string' ? { workingDir: cwd } : {};
      const running = await startCommand(command, { ...where, envVars: variablesOf(env), onOutput });
      void running.ended.then((end) => (heard.end = end));
      const id = `term-${(count += 1)}`;
      terminals.set(id, { running, heard });
      return id;
    },
    output: (id: string): object => {
      const { output, isCut, end } = find(id).heard;
      return { output, truncated: isCut, ...(end === null ? {} : { exitStatus: statusOf(end) }) };
    },
    wait: async (id: string): Promise<object> => statusOf(await find(id).running.ended),
    kill: async (id: string): Promise<object> => {
      await find(id).running.kill();
      return {};
    },
    release: async (id: string): Promise<object> => {
      await find(id).running.kill();
      terminals.delete(id);
      return {};
    },
    close: async (): Promise<void> => {
      await Promise.all([...terminals.values()].map(({ running }) => running.kill()));
      terminals.clear();
    },
  };
}

function statusOf({ exitCode, signal }: CommandEnd): object {
  return { exitCode: signal === undefined ? exitCode : null, signal: signal ?? null };
}

function variablesOf(list: unknown): Readonly<Record<string, string>> {
  const named = Array.isArray(list) ? list.filter(isRecord) : [];
  return Object.fromEntries(named.map(({ name, value }) => [String(name), String(value)]));
}
