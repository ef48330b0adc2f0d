import type { ClientCapabilities, RequestPermissionRequest, SessionUpdate } from '@agentclientprotocol/sdk/unstable';
import { isRecord } from '@attractor/base';
import type { Rpc } from '@attractor/rpc';

/** What the editor at the other end can do, as it said itself. */
export type EditorOffers = {
  readonly readsFiles: boolean;
  readonly writesFiles: boolean;
  readonly hasTerminals: boolean;
  readonly asksInForms: boolean;
  readonly showsNotices: boolean;
  /** It draws the output of a command that runs here as a terminal. */
  readonly drawsOutput: boolean;
};

/** One conversation's side of the editor. */
export type Editor = {
  readonly sessionId: () => string;
  readonly can: EditorOffers;
  readonly update: (update: SessionUpdate) => void;
  /** What was chosen; null: the person cancelled, or nobody answers any more. */
  readonly choose: (asked: Omit<RequestPermissionRequest, 'sessionId'>, signal?: AbortSignal) => Promise<string | null>;
  readonly call: (method: string, params: object, signal?: AbortSignal) => ReturnType<Rpc['call']>;
};

export function offersOf(capabilities: ClientCapabilities | undefined): EditorOffers {
  const { fs, terminal, elicitation, session, _meta } = capabilities ?? {};
  return {
    readsFiles: fs?.readTextFile === true,
    writesFiles: fs?.writeTextFile === true,
    hasTerminals: terminal === true,
    asksInForms: isRecord(elicitation?.form),
    showsNotices: isRecord(session?.notices),
    drawsOutput: _meta?.['terminal_output'] === true,
  };
}

export function createEditor(rpc: Rpc, can: EditorOffers, sessionId: () => string): Editor {
  const call: Editor['call'] = (method, params, signal) =>
    rpc.call(method, { sessionId: sessionId(), ...params }, signal);
  return {
    sessionId,
    can,
    update: (update) => rpc.notify('session/update', { sessionId: sessionId(), update }),
    choose: async (asked, signal) => {
      const answer = await call('session/request_permission', asked, signal);
      const outcome = answer.ok ? answer.result['outcome'] : null;
      if (!isRecord(outcome) || outcome['outcome'] !== 'selected') return null;
      return typeof outcome['optionId'] === 'string' ? outcome['optionId'] : null;
    },
    call,
  };
}
