import { isRecord } from '@attractor/base';
import { openRpc, parseLine, readLines, type Rpc, type RpcSide } from '@attractor/rpc';
import type { Dialogue, Pipe } from './dialogue.ts';
import type { Hearing } from './hearing.ts';

type Side = Pick<RpcSide, 'onRequest' | 'onNotification'> & {
  readonly pipe: () => Pipe | null;
  readonly hearing: Pick<Hearing, 'garbage'>;
};

/** Why a call has no answer: the program's own exit says more. */
export const PROGRAM_ENDED = 'the program ended';

/** JSON-RPC with a program, one message a line. A line that is no message is shown. */
export function openRpcLines({ pipe, hearing, ...side }: Side): { readonly rpc: Rpc } & Pick<Dialogue, 'push' | 'end'> {
  const rpc = openRpc({ ...side, send: (message) => pipe()?.write(`${JSON.stringify(message)}\n`) });
  const lines = readLines((line) => {
    const parsed = parseLine(line);
    if (isRecord(parsed)) rpc.heard(parsed);
    else hearing.garbage(line);
  });
  return {
    rpc,
    push: lines.push,
    end: () => {
      lines.end();
      rpc.end(PROGRAM_ENDED);
    },
  };
}
