import type { AgentSession, DeliveredEvent } from '@attractor/agent';
import { defined, messageOf } from '@attractor/base';
import type { PermissionMode } from '@attractor/policy';
import type { AgentPort, OpenWish } from './agent-port.ts';
import { type AskedList, createAskedList } from './asked.ts';
import { displayedBy } from './displayed.ts';

/** A conversation and its session, which is opened with the first input and opened again after it was interrupted. */
export type Conversing = {
  /** Says it now, or keeps it until the work that is under way is done. */
  readonly say: (text: string) => void;
  readonly queue: () => ReadonlyArray<string>;
  /** What was said and is in no session yet: given to one a moment ago, or queued. */
  readonly unheard: () => ReadonlyArray<string>;
  /** Takes the last queued input back, to change it. */
  readonly takeBack: () => string | null;
  /** Says everything that is queued between two rounds of the work under way. */
  readonly steerNow: () => void;
  /** Stops the work; the session goes on with the next input. */
  readonly interrupt: () => Promise<void>;
  /** Finishes what a process that died left open; for a session that is gone on with. */
  readonly goOn: () => Promise<void>;
  /** Since when it works; null: it does not. */
  readonly workingSince: () => number | null;
  readonly session: () => AgentSession | null;
  /** The session's id, also while it is not open; null: nothing was said yet. */
  readonly id: () => string | null;
  readonly asked: AskedList;
  readonly wish: () => OpenWish;
  /** Another session, another model, another mode: from the next input on, or at once where the open session can. */
  readonly change: (changes: Partial<OpenWish> & { readonly isNew?: boolean }) => Promise<void>;
  readonly setMode: (mode: PermissionMode) => void;
  readonly close: () => Promise<void>;
};

export type ConversingOptions = {
  readonly port: AgentPort;
  readonly see: (event: DeliveredEvent) => void;
  readonly fail: (message: string) => void;
  readonly changed: () => void;
  readonly start: OpenWish;
  /** An earlier session is about to be opened: others may have written it meanwhile. */
  readonly reopens?: (id: string) => void;
  /** What an earlier process was told and did not get to; it waits until a person says so. */
  readonly left: ReadonlyArray<string>;
};

type State = {
  wish: OpenWish;
  session: AgentSession | null;
  since: number | null;
  isStopped: boolean;
  queue: ReadonlyArray<string>;
  /** Given to the session, which has not written it down yet: the oldest first. */
  given: ReadonlyArray<string>;
  /** What hooks are told when the session is left, and of how the next one came to be. */
  told: Pick<Circumstances, 'begunBy'> & { readonly exit: ReturnType<NonNullable<Circumstances['exit']>> };
  /** Folders that no session was told of yet. */
  added: string[];
};

type Circumstances = NonNullable<OpenWish['circumstances']>;

const LEFT_BY_PERSON = 'prompt_input_exit';

export function createConversing(options: ConversingOptions): Conversing {
  const { changed } = options;
  const asked = createAskedList(changed);
  const state = begun(options);
  const { say, work, leave } = createWork(options, state, asked);
  const put = (changes: Partial<State>): void => {
    Object.assign(state, changes);
    changed();
  };
  return {
    say: (text) => {
      if (state.since === null) void say(text);
      else put({ queue: [...state.queue, text] });
    },
    queue: () => state.queue,
    unheard: () => [...state.given, ...state.queue],
    takeBack: () => {
      const last = state.queue.at(-1) ?? null;
      put({ queue: state.queue.slice(0, -1) });
      return last;
    },
    steerNow: () => {
      // A session that is being stopped would take it and never say it.
      if (state.session === null || state.isStopped || state.session.state() === 'CLOSED') return;
      for (const text of state.queue) state.session.steer(text);
      put({ queue: [], given: [...state.given, ...state.queue] });
    },
    interrupt: async () => {
      state.isStopped = true;
      await state.session?.interrupt();
    },
    goOn: () => work((session) => session.resume()),
    workingSince: () => state.since,
    session: () => state.session,
    id: () => state.wish.resume ?? null,
    asked,
    wish: () => state.wish,
    change: async ({ isNew, ...changes }) => {
      const { model, effort } = changes;
      if (isNew === true || changes.resume !== undefined || changes.folders !== undefined)
        await leaveFor(state, { ...changes, ...defined({ isNew }) }, leave);
      else state.session?.configure({ ...defined({ model, reasoningEffort: effort }), by: { source: 'command' } });
      const { resume: _before, ...rest } = state.wish;
      put({ wish: { ...(isNew === true ? rest : state.wish), ...defined(changes) } });
    },
    setMode: (mode) => {
      state.session?.setMode(mode);
      put({ wish: { ...state.wish, mode } });
    },
    close: leave,
  };
}

function begun({ start, left }: ConversingOptions): State {
  const nothing = { session: null, since: null, isStopped: false, given: [], added: [] };
  return { ...nothing, wish: start, queue: left, told: { exit: LEFT_BY_PERSON } };
}

type Changes = Parameters<Conversing['change']>[0];

/** Hooks are told why the session is left, how the next one came to be, and which folders it has besides. */
async function leaveFor(
  state: State,
  { isNew, resume, folders = [] }: Changes,
  leave: () => Promise<void>,
): Promise<void> {
  state.told = { exit: isNew === true ? 'clear' : resume === undefined ? 'other' : 'resume' };
  await leave();
  state.told = { exit: LEFT_BY_PERSON, ...(isNew === true ? { begunBy: 'clear' } : {}) };
  state.added.push(...folders.filter((one) => !state.wish.folders.includes(one)));
}

type Work = {
  readonly say: (text: string) => Promise<void>;
  readonly work: (first: (session: AgentSession) => Promise<unknown>) => Promise<void>;
  readonly leave: () => Promise<void>;
};

type Holding = {
  /** The session, opened if it is not; null: it can't be, and the person was told. */
  readonly open: () => Promise<AgentSession | null>;
  readonly leave: () => Promise<void>;
};

function createHolding({ port, see, fail, reopens }: ConversingOptions, state: State, asked: AskedList): Holding {
  let watching: Promise<void> = Promise.resolve();
  const seeAndHear = (event: DeliveredEvent): void => {
    if (isHeard(event)) state.given = state.given.slice(1);
    see(event);
  };
  return {
    open: async () => {
      if (state.session !== null && state.session.state() !== 'CLOSED') return state.session;
      await watching;
      if (state.wish.resume !== undefined) reopens?.(state.wish.resume);
      const { begunBy } = state.told;
      const circumstances = { promptsBy: 'user' as const, exit: () => state.told.exit, ...defined({ begunBy }) };
      const opened = await port.open({ ...state.wish, circumstances }, asked.asks);
      if (!opened.ok) {
        fail(opened.error.message);
        return null;
      }
      const session = opened.value;
      state.session = session;
      state.wish = { ...state.wish, resume: session.id };
      const isDisplayed = port.hooks.some((hook) => hook.startsWith('MessageDisplay'));
      watching = watch(session, isDisplayed ? displayedBy(session, seeAndHear) : seeAndHear).catch((error: unknown) =>
        fail(messageOf(error)),
      );
      for (const note of session.notes) fail(note);
      state.told = { exit: LEFT_BY_PERSON };
      for (const directory of state.added.splice(0))
        await session.fireHook('DirectoryAdded', { directory, source: 'slash_command' });
      return session;
    },
    leave: async () => {
      const { session } = state;
      state.session = null;
      await session?.close();
      asked.withdrawAll();
      await watching;
    },
  };
}

function createWork(options: ConversingOptions, state: State, asked: AskedList): Work {
  const { changed, port } = options;
  const { open, leave } = createHolding(options, state, asked);
  /** One input after the other, until nothing is queued. After an interrupt the queue waits for the person. */
  const work: Work['work'] = async (first) => {
    Object.assign(state, { since: Date.now(), isStopped: false });
    changed();
    let session = await open();
    if (session !== null) await first(session);
    while (session !== null && !state.isStopped && state.queue.length > 0) {
      const [text = '', ...queue] = state.queue;
      Object.assign(state, { queue, given: [...state.given, text] });
      changed();
      session = await open();
      await send(session, text);
    }
    if (state.session?.state() === 'CLOSED') await leave();
    // What no session took waits for the person.
    Object.assign(state, { since: null, queue: [...state.given, ...state.queue], given: [] });
    changed();
  };
  const send = async (session: AgentSession | null, text: string): Promise<void> => {
    if (session === null) return;
    await session.send(await port.inputOf(text));
    // A command of the session is no input of it: no event tells that it was heard.
    state.given = state.given.filter((given) => given !== text);
  };
  return {
    say: (text) => {
      state.given = [...state.given, text];
      return work((session) => send(session, text));
    },
    work,
    leave,
  };
}

/** The session has written it down: it is no longer ours to keep. */
function isHeard(event: DeliveredEvent): boolean {
  return event.kind === 'USER_INPUT' || (event.kind === 'STEERING_INJECTED' && event.source === undefined);
}

async function watch(session: AgentSession, see: (event: DeliveredEvent) => void | Promise<void>): Promise<void> {
  for await (const event of session.events()) await see(event);
}
