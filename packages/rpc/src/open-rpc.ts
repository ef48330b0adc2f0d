import { isRecord, messageOf } from '@attractor/base';

export type RpcFailure = { readonly code: number; readonly message: string };
export type RpcAnswer =
  | { readonly ok: true; readonly result: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly error: RpcFailure };

type Params = Readonly<Record<string, unknown>>;

export type RpcSide = {
  readonly send: (message: object) => void;
  /** The result, or an `RpcError`. Whatever else it throws is an internal error to the other side. */
  readonly onRequest: (method: string, params: Params, id: string | number) => Promise<unknown>;
  readonly onNotification: (method: string, params: Params) => void;
  /** What is no message of the protocol. */
  readonly onOdd?: (message: unknown) => void;
};

/** One side of a JSON-RPC conversation over any transport. Nothing that the other side sends makes it throw. */
export type Rpc = {
  readonly heard: (message: unknown) => void;
  /** Aborted, it is answered at once, and the other side is told that nobody waits any more. */
  readonly call: (method: string, params: object, signal?: AbortSignal) => Promise<RpcAnswer>;
  readonly notify: (method: string, params?: object) => void;
  /** The other side is gone: every open call is answered with this. */
  readonly end: (reason: string) => void;
};

export class RpcError extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

const GONE = -32099;
const CANCELLED = -32800;

export function openRpc(side: RpcSide): Rpc {
  const open = new Map<number, (answer: RpcAnswer) => void>();
  let [last, gone]: [number, string | null] = [0, null];
  const send = (message: object): void => side.send({ jsonrpc: '2.0', ...message });
  const answer = async (id: string | number, method: string, params: Params): Promise<void> => {
    try {
      send({ id, result: (await side.onRequest(method, params, id)) ?? {} });
    } catch (error) {
      const code = error instanceof RpcError ? error.code : -32603;
      send({ id, error: { code, message: messageOf(error) } });
    }
  };
  const settle = (id: unknown, given: RpcAnswer): boolean => {
    const waiting = typeof id === 'number' ? open.get(id) : undefined;
    if (waiting === undefined) return false;
    open.delete(Number(id));
    waiting(given);
    return true;
  };
  const notify: Rpc['notify'] = (method, params) => send(params === undefined ? { method } : { method, params });
  return {
    heard: (message) => {
      if (!isRecord(message)) return side.onOdd?.(message);
      const { id, method, params } = message;
      if (typeof method !== 'string') return void (settle(id, readAnswer(message)) || side.onOdd?.(message));
      const given = isRecord(params) ? params : {};
      if (typeof id === 'string' || typeof id === 'number') void answer(id, method, given);
      else side.onNotification(method, given);
    },
    call: (method, params, signal) => {
      if (gone !== null) return Promise.resolve(failure(GONE, gone));
      if (signal?.aborted === true) return Promise.resolve(failure(CANCELLED, 'cancelled'));
      const id = (last += 1);
      const cancel = (): void => {
        if (settle(id, failure(CANCELLED, 'cancelled'))) notify('$/cancel_request', { requestId: id });
      };
      return new Promise((resolve) => {
        signal?.addEventListener('abort', cancel, { once: true });
        open.set(id, (given) => {
          signal?.removeEventListener('abort', cancel);
          resolve(given);
        });
        send({ id, method, params });
      });
    },
    notify,
    end: (reason) => {
      gone = reason;
      for (const id of open.keys()) settle(id, failure(GONE, reason));
    },
  };
}

function failure(code: number, message: string): RpcAnswer {
  return { ok: false, error: { code, message } };
}

function readAnswer({ error, result }: Params): RpcAnswer {
  if (!isRecord(error)) return { ok: true, result: isRecord(result) ? result : {} };
  const data = isRecord(error['data']) ? error['data'] : {};
  const details = typeof data['details'] === 'string' ? `: ${data['details']}` : '';
  return failure(Number(error['code']), `${String(error['message'])}${details}`);
}
