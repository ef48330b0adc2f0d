import type { AgentSession } from '@attractor/agent';
import type { Line } from '@attractor/stream-json';

type Fields = Readonly<Record<string, unknown>>;

export type Controlled = {
  readonly session: AgentSession;
  readonly write: (line: Line) => void;
  /** Ends the run like a person's interrupt. */
  readonly interrupt: () => void;
};

/** What a program at the other end of the pipes may request during the session. Every request is answered, also unknown ones. */
export function answerControl(controlled: Controlled): (line: Fields) => void {
  return (line) => {
    if (line['type'] !== 'control_request') return;
    const request = Object(line['request']) as Fields;
    const answer = ANSWERS[String(request['subtype'])];
    const outcome = answer?.(controlled, request) ?? {
      error: `${String(request['subtype'])} can't be asked for here. Known: ${Object.keys(ANSWERS).join(', ')}.`,
    };
    const subtype = 'error' in outcome ? 'error' : 'success';
    controlled.write({
      type: 'control_response',
      response: { subtype, request_id: line['request_id'] ?? null, ...outcome },
    });
  };
}

type Outcome = { readonly response: Fields } | { readonly error: string };

const ANSWERS: Readonly<Record<string, (controlled: Controlled, request: Fields) => Outcome>> = {
  initialize: ({ session: { names } }) => ({
    response: { commands: names.commands.map((name) => ({ name })), output_style: names.style },
  }),
  interrupt: ({ interrupt }) => {
    interrupt();
    return { response: {} };
  },
  set_model: ({ session }, { model }) => {
    if (typeof model !== 'string' || model === '') return { error: 'set_model needs the name of a model.' };
    session.configure({ model });
    return { response: {} };
  },
};
