import { messageOf } from '@attractor/base';
import { journalOf } from '@attractor/journal';
import type { AgentPort } from './converse/agent-port.ts';
import { type Conversing, createConversing } from './converse/conversing.ts';
import { askOf, giveAnswer, type LiveAnswer, type LiveAsk } from './converse/live-ask.ts';
import { answerShared, sharedAsks } from './converse/shared-asks.ts';

type LiveSession = {
  readonly isWorking: boolean;
  /** The answer as far as it is written. */
  readonly text: string;
  readonly asks: ReadonlyArray<LiveAsk>;
  readonly problem: string | null;
};

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

/**
 * Conversations that people go on with from the web app: what they say is said as in a terminal of the folder. What a terminal waits for in
 * one that it has open can be answered here as well.
 */
export function createLiveSessions(home: string, openPort: (folder: string) => Promise<AgentPort>): LiveSessions {
  const under = new Map<string, GoingOn>();
  const problems = new Map<string, string>();
  const inTurn = createTurns();
  const live = (id: string): LiveSession => {
    const one = under.get(id);
    const problem = problems.get(id) ?? null;
    if (one === undefined) return { isWorking: false, text: '', asks: sharedAsks(journalOf(home, id)), problem };
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
      const conversing = under.get(id)?.conversing;
      if (conversing === undefined) return answerShared(journalOf(home, id), given) ? live(id) : null;
      const asked = conversing.asked.list().find((one) => one.id === given.ask);
      if (asked === undefined) return null;
      giveAnswer(asked, given, conversing);
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
