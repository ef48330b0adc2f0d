import { done, failed, type Failure, isRecord, type Result } from '@attractor/base';
import { newId } from '@attractor/base/id';
import type { Line } from '@attractor/stream-json';

export type Fields = Readonly<Record<string, unknown>>;

/** Requests to the program at the other end of the pipes, and its answers. Every request ends: answered, withdrawn, or with the pipe. */
export type ControlChannel = {
  readonly request: (request: Fields, signal?: AbortSignal) => Promise<Result<Fields>>;
  /** A line from the other end; true if it was an answer or withdraws nothing of ours. */
  readonly take: (line: Fields) => boolean;
  /** Requests that are not answered, as they were sent. */
  readonly open: () => ReadonlyArray<Line>;
  /** Nobody answers any more. */
  readonly end: () => void;
};

type Settle = (answer: Result<Fields>) => void;

export function createControlChannel(write: (line: Line) => void): ControlChannel {
  const open = new Map<string, Settle>();
  const sent = new Map<string, Line>();
  let isOver = false;
  return {
    request: (request, signal) => {
      if (isOver || signal?.aborted === true) return Promise.resolve(refused(isOver ? GONE : WITHDRAWN));
      const id = newId('req');
      const { promise, resolve } = Promise.withResolvers<Result<Fields>>();
      const withdraw = (): void => {
        write({ type: 'control_cancel_request', request_id: id });
        resolve(refused(WITHDRAWN));
      };
      open.set(id, resolve);
      signal?.addEventListener('abort', withdraw, { once: true });
      const line = { type: 'control_request', request_id: id, request };
      sent.set(id, line);
      write(line);
      return promise.finally(() => {
        open.delete(id);
        sent.delete(id);
        signal?.removeEventListener('abort', withdraw);
      });
    },
    take: (line) => {
      if (line['type'] !== 'control_response') return NOT_OURS.has(line['type']);
      const response = isRecord(line['response']) ? line['response'] : {};
      open.get(String(response['request_id']))?.(answerIn(response));
      return true;
    },
    open: () => [...sent.values()],
    end: () => {
      isOver = true;
      for (const settle of open.values()) settle(refused(GONE));
    },
  };
}

/** Lines that need no answer: our answers come at once, so there is nothing to withdraw. */
const NOT_OURS: ReadonlySet<unknown> = new Set(['control_cancel_request', 'keep_alive']);

const GONE: Failure = { code: 'closed', message: 'the program that started this session has gone', retryable: false };
const WITHDRAWN: Failure = { code: 'aborted', message: 'nobody waits for the answer any more', retryable: false };

function answerIn(response: Fields): Result<Fields> {
  const { subtype, response: value, error } = response;
  const message = typeof error === 'string' ? error : 'it was refused';
  if (subtype !== 'success') return refused({ code: 'refused', message, retryable: false });
  if (isRecord(value)) return done(value);
  if (value === undefined || value === null) return done({});
  return refused({ code: 'refused', message: `the answer is no object: ${JSON.stringify(value)}`, retryable: false });
}

function refused(error: Failure): { readonly ok: false; readonly error: Failure } {
  return failed(error);
}
