import { messageOf } from '@attractor/base';
import { toolTitle } from '@attractor/tool-table';
import type { AgentPort } from './converse/agent-port.ts';
import type { Asked } from './converse/asked.ts';
import { type Conversing, createConversing } from './converse/conversing.ts';

/** Something for which a conversation waits for a person. */
type LiveAsk = {
  readonly id: number;
  readonly kind: 'approval' | 'question' | 'plan';
  readonly title: string;
  readonly text: string;
  readonly why: string;
  readonly options: ReadonlyArray<string>;
};

type LiveSession = {
  readonly isWorking: boolean;
  /** The answer as far as it is written. */
  readonly text: string;
  readonly asks: ReadonlyArray<LiveAsk>;
  readonly problem: string | null;
};

/** `words`: why not, or the answer to a question. */
type LiveAnswer = { readonly ask: number; readonly isAllowed: boolean; readonly words: string };

type Kept = { readonly id: string; readonly cwd: string; readonly model: string | null };

/** Conversations that go on without a screen. */
export type LiveSessions = {
  readonly live: (id: string) => LiveSession;
  readonly say: (session: Kept, text: string) => Promise<LiveSession>;
  /** Null: nobody waits for that answer any more. */
  readonly answer: (id: string, answer: LiveAnswer) => LiveSession | null;
  readonly stop: (id: string) => Promise<LiveSession>;
  readonly close: () => Promise<void>;
};

/** Conversations that people go on with from the web app: what they say is said as in a terminal of the folder. */
export function createLiveSessions(openPort: (folder: string) => Promise<AgentPort>): LiveSessions {
  const under = new Map<string, GoingOn>();
  const problems = new Map<string, string>();
  const inTurn = createTurns();
  const live = (id: string): LiveSession => {
    const one = under.get(id);
    const problem = problems.get(id) ?? null;
    if (one === undefined) return { isWorking: false, text: '', asks: [], problem };
    const { conversing, text } = one;
    return { isWorking: true, text: text(), asks: conversing.asked.list().map(askOf), problem };
  };
  const sayNow = async ({ id, cwd, model }: Kept, text: string): Promise<LiveSession> => {
    problems.delete(id);
    const before = under.get(id);
    if (before !== undefined && before.conversing.workingSince() !== null) {
      before.conversing.say(text);
      return live(id);
    }
    await before?.over;
    try {
      const port = await openPort(cwd);
      const one = begin(port, { id, model, fail: (message) => void problems.set(id, message) });
      under.set(id, one);
      void one.over.then(() => under.delete(id));
      one.conversing.say(text);
    } catch (error) {
      problems.set(id, messageOf(error));
    }
    return live(id);
  };
  return {
    live,
    say: (session, text) => inTurn(session.id, () => sayNow(session, text)),
    answer: (id, given) => {
      const asked = under
        .get(id)
        ?.conversing.asked.list()
        .find((one) => one.id === given.ask);
      if (asked === undefined) return null;
      answer(asked, given);
      return live(id);
    },
    stop: async (id) => {
      await under.get(id)?.conversing.interrupt();
      return live(id);
    },
    close: async () => {
      await Promise.all([...under.values()].map(({ leave }) => leave()));
    },
  };
}

/** Of several who say something at the same moment one opens the conversation. */
function createTurns() {
  const last = new Map<string, Promise<undefined>>();
  return <Value>(id: string, work: () => Promise<Value>): Promise<Value> => {
    const turn = (last.get(id) ?? Promise.resolve()).then(work);
    const over = turn.then(
      () => undefined,
      () => undefined,
    );
    last.set(id, over);
    void over.then(() => last.get(id) === over && last.delete(id));
    return turn;
  };
}

type GoingOn = {
  readonly conversing: Conversing;
  readonly text: () => string;
  /** Once the turn is over and a terminal may have the conversation. */
  readonly over: Promise<void>;
  readonly leave: () => Promise<void>;
};

type Beginning = { readonly id: string; readonly model: string | null; readonly fail: (message: string) => void };

function begin(port: AgentPort, { id, model, fail }: Beginning): GoingOn {
  let text = '';
  const { promise: over, resolve } = Promise.withResolvers<void>();
  let leaving: Promise<void> | null = null;
  const leave = (): Promise<void> => (leaving ??= left());
  const left = async (): Promise<void> => {
    await conversing.close();
    await port.close();
    resolve();
  };
  let isBegun = false;
  const conversing: Conversing = createConversing({
    port,
    start: { resume: id, folders: [], mode: port.mode, ...(model === null ? {} : { model }) },
    left: [],
    see: (event) => {
      if (event.kind === 'ASSISTANT_TEXT_DELTA') text += event.text;
      else if (event.kind === 'ASSISTANT_MESSAGE' || event.kind === 'ASSISTANT_TEXT_DISCARDED') text = '';
    },
    fail,
    changed: () => {
      isBegun ||= conversing.workingSince() !== null;
      if (isBegun && conversing.workingSince() === null) void leave();
    },
  });
  return { conversing, text: () => text, over, leave };
}

function askOf(asked: Asked): LiveAsk {
  const { id } = asked;
  if (asked.type === 'plan')
    return { id, kind: 'plan', title: 'Begin with this plan?', text: asked.plan, why: '', options: [] };
  if (asked.type === 'questions') {
    const { questions } = asked;
    const options = questions.length === 1 ? (questions[0]?.options ?? []).map(({ label }) => label) : [];
    const text = questions.map(({ question }) => question).join('\n');
    return { id, kind: 'question', title: 'The agent asks', text, why: '', options };
  }
  const { toolName, input, shown = JSON.stringify(input), reason = '' } = asked.request;
  return { id, kind: 'approval', title: `Allow ${toolTitle(toolName)}?`, text: shown, why: reason, options: [] };
}

function answer(asked: Asked, { isAllowed, words }: LiveAnswer): void {
  if (asked.type === 'plan')
    return asked.answer(
      isAllowed ? { approved: true } : { approved: false, ...(words === '' ? {} : { feedback: words }) },
    );
  if (asked.type === 'questions')
    return asked.answer(
      Object.fromEntries(asked.questions.map(({ question }) => [question, words === '' ? 'No answer.' : words])),
    );
  const { contentHash } = asked.request;
  const bound = contentHash === undefined ? {} : { contentHash };
  const said = words === '' ? {} : { message: words };
  asked.answer(isAllowed ? { decision: 'approve', ...bound } : { decision: 'reject', ...said, ...bound });
}
