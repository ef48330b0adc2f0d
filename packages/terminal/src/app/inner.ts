import { defined } from '@attractor/base';
import type { CommandContext } from '../commands/command.ts';
import { MODES } from '../commands/choice-commands.ts';
import { argumentCandidates, commandCandidates } from '../commands/commands.ts';
import { sessionItems } from '../commands/conversation-commands.ts';
import { type Candidate, completableIn } from '../complete/completion.ts';
import { createFileNames } from '../complete/files.ts';
import { bestMatches, fuzzyScore } from '../complete/fuzzy.ts';
import { createTelling } from '../conversation/telling.ts';
import type { AgentPort } from '../converse/agent-port.ts';
import { type Conversing, createConversing } from '../converse/conversing.ts';
import { giveAnswer } from '../converse/live-ask.ts';
import { createServerPrompts } from '../converse/server-prompts.ts';
import { type SharedAsks, shareAsks } from '../converse/shared-asks.ts';
import type { Acts, Loaded } from '../converse/world.ts';
import type { SentInput } from '../editor/draft-file.ts';
import { VI_AT_START } from '../editor/vi-keys.ts';
import { type Lexer, loadLexer } from '../markdown/render-block.ts';
import { createPicker } from '../prompts/picker.ts';
import { EMPTY_LINE, type Line, linesOf, plainLine } from '../themes/line.ts';
import { type AskedActs, showAsked } from './asked-panels.ts';
import { collectEarly } from './collect-early.ts';
import { earlierLines, isCutOff } from './earlier-turns.ts';
import type { Start } from './start.ts';
import { showImages } from './show-images.ts';
import { createStatusCommand, type StatusCommand } from './status-command.ts';
import { submitted } from './submit.ts';

/** What is there once the agent was loaded. */
export type Inner = {
  readonly submit: (text: string) => boolean;
  readonly complete: () => void;
  readonly cycleMode: () => void;
  readonly expand: () => void;
  readonly close: () => Promise<void>;
};

export async function createInner(acts: Acts, port: AgentPort, start: Start): Promise<Inner> {
  const { world, screen, print } = acts;
  const lexer = await loadLexer();
  const columns = (): number => screen.size().columns;
  const telling = createTelling({ lexer, columns });
  const tell = (text: string): void => print(linesOf(text, 'dim').map((line) => [{ text: '  ' }, ...line]));
  const shown: Shown = { id: '', turns: 0 };
  const keepUnheard = (): void => acts.draft.keepSaid([...conversing.unheard(), ...world.early]);
  const conversing = createConversing({
    port,
    start: { folders: [], ...defined({ mode: port.mode }) },
    left: notHeard(world.left, port, acts.folder),
    see: (event) => {
      const lines = telling.see(event);
      if (lines.length > 0) print(lines);
      screen.touch();
      if (event.kind === 'ASSISTANT_TEXT_DELTA') collectEarly();
      if (DELTAS.has(event.kind)) return;
      if (event.kind === 'HOOK_ENDED' && event.terminalSequence !== undefined) screen.send(event.terminalSequence);
      showImages(acts, event);
      keepUnheard();
      status.changed();
    },
    fail: (message) => print(linesOf(message, 'warn')),
    reopens: (id) => print(meanwhile(shown, port, id, lexer)),
    changed: () => {
      shared.put(conversing.id(), conversing.asked.list());
      keepUnheard();
      status.changed();
      showAsked(askedActs);
      screen.touch();
    },
  });
  const shared = shareHere(port, conversing, tell);
  const askedActs: AskedActs = {
    ...acts,
    lexer,
    columns,
    now: Date.now,
    touch: screen.touch,
    setMode: conversing.setMode,
  };
  const prompts = createServerPrompts(conversing.session);
  const loaded: Loaded = { port, conversing, telling, files: createFileNames(acts.folder), prompts };
  world.loaded = loaded;
  const status = createStatusCommand(acts, loaded);
  const context: CommandContext = {
    ...acts,
    loaded,
    tell,
    say: conversing.say,
    goTo: (id) => goTo({ ...context, shown }, lexer, id),
    setVi: (isOn) => {
      world.editing = { ...world.editing, vi: isOn ? VI_AT_START : null };
    },
  };
  for (const note of port.notes) tell(note);
  await begin(context, start);
  return innerOf(context, status);
}

/** Another window may answer what is asked here; the person is told what it said. */
function shareHere({ transcriptOf }: AgentPort, conversing: Conversing, tell: (text: string) => void): SharedAsks {
  return shareAsks({
    journalOf: transcriptOf,
    answered: (asked, answer) => {
      const said = [answer.isAllowed ? 'yes' : 'no', answer.words].filter((part) => part !== '');
      tell(`Answered in another window: ${said.join(', ')}`);
      giveAnswer(asked, answer, conversing);
    },
  });
}

function innerOf(context: CommandContext, status: StatusCommand): Inner {
  const { loaded, print } = context;
  const { conversing, telling, port } = loaded;
  return {
    submit: (text) => submitted(context, text),
    complete: () => complete(context),
    cycleMode: () => {
      const { mode = port.mode } = conversing.wish();
      const next = MODES[(MODES.indexOf(mode) + 1) % MODES.length] ?? 'default';
      conversing.setMode(next);
    },
    expand: () => {
      if (telling.toggle()) return;
      const lines = telling.folded();
      print(lines.length === 0 ? [plainLine('  Nothing is folded.', 'dim')] : [EMPTY_LINE, ...lines]);
    },
    close: async () => {
      status.stop();
      await close(context);
    },
  };
}

/** Pieces of something whose end is told as well: nothing but the screen changes with them. */
const DELTAS: ReadonlySet<string> = new Set(['ASSISTANT_TEXT_DELTA', 'THINKING_DELTA', 'TOOL_CALL_OUTPUT_DELTA']);

async function begin(context: CommandContext, { question, resume }: Start): Promise<void> {
  const { folder, show, goTo, tell, say } = context;
  if (resume !== undefined) {
    const items = resume.type === 'id' ? [] : sessionItems(context, folder);
    if (resume.type === 'id') await goTo(resume.id);
    else if (items.length === 0) tell('There is no earlier conversation in this folder: this is a new one.');
    else if (resume.type === 'latest') await goTo(items[0]?.value ?? '');
    else
      show(
        createPicker({
          title: 'Continue a conversation',
          items,
          cancel: () => show(null),
          choose: ({ value }) => {
            show(null);
            void goTo(value);
          },
        }),
      );
  }
  if (question !== undefined) say(question);
}

/** A process may have died after a session wrote it down and before that was noted here. */
function notHeard(left: ReadonlyArray<SentInput>, { sessions }: AgentPort, folder: string): ReadonlyArray<string> {
  const [newest] = left.length === 0 ? [] : sessions.list({ cwd: folder, limit: 1 });
  const turns = newest === undefined ? [] : [...sessions.turns(newest.id)];
  const isIn = ({ text, at }: SentInput): boolean => turns.some((turn) => turn.text === text && turn.at >= at);
  return left.filter((said) => !isIn(said)).map(({ text }) => text);
}

/** Another session: what was said last in it is shown, and the next input goes on with it. */
async function goTo(
  { loaded, print, world, tell, shown }: CommandContext & { readonly shown: Shown },
  lexer: Parameters<typeof earlierLines>[1],
  id: string,
): Promise<void> {
  const { port, conversing } = loaded;
  const found = port.sessions.find(id);
  if (!found.ok) return tell(found.error.message);
  const { id: whole, title, turns, writer, model } = found.value;
  await conversing.change({ resume: whole, ...(model === null ? {} : { model }) });
  loaded.telling.begin();
  const entries = [...port.sessions.turns(whole)];
  world.isUnfinished = isCutOff(entries);
  Object.assign(shown, { id: whole, turns: entries.length });
  print([
    EMPTY_LINE,
    plainLine(`Continuing: ${title === '' ? whole : title} (${turns} turns)`, 'dim'),
    ...earlierLines(entries, lexer),
  ]);
  if (writer !== null && writer !== process.pid)
    tell(
      `Another process (${writer}) has this conversation open. To watch it: attractor sessions show ${whole}; to work on a copy: /fork`,
    );
}

/** How much of an earlier session the person has seen. */
type Shown = { id: string; turns: number };

/** What another window, such as one of the web app, said in the session since it was shown. */
function meanwhile(shown: Shown, { sessions }: AgentPort, id: string, lexer: Lexer): ReadonlyArray<Line> {
  const from = shown.turns;
  const isKnown = shown.id === id;
  shown.id = '';
  const entries = isKnown ? [...sessions.turns(id)].slice(from) : [];
  if (entries.length === 0) return [];
  return [EMPTY_LINE, plainLine('Meanwhile, in another window:', 'dim'), ...earlierLines(entries, lexer)];
}

const MOST_CANDIDATES = 50;
let asking = 0;

/** Looks for what the word at the cursor could become; an older search that is still under way is forgotten. */
function complete({ world, loaded, screen }: CommandContext): void {
  const of = completableIn(world.editing.draft);
  const mine = (asking += 1);
  const put = (candidates: ReadonlyArray<Candidate>): void => {
    const isAlone = candidates.length === 1 && candidates[0]?.text === of?.typed;
    world.completion = of === null || candidates.length === 0 || isAlone ? null : { of, candidates, at: 0 };
  };
  if (of === null) {
    world.completion = null;
    return;
  }
  if (of.kind !== 'file') {
    const found = (): ReadonlyArray<Candidate> =>
      of.kind === 'command' ? commandCandidates(loaded) : argumentCandidates(loaded, of.command ?? '');
    put(ranked(found(), of.typed));
    // Prompts of servers begin with mcp__: nobody is asked before somebody may mean one.
    if (of.kind === 'command' && of.typed.startsWith('m'))
      void loaded.prompts.ask().then(() => {
        if (mine !== asking) return;
        put(ranked(found(), of.typed));
        screen.touch();
      });
    return;
  }
  void loaded.files.list().then(async (names) => {
    const best = await bestMatches(of.typed, names, { most: MOST_CANDIDATES, isCurrent: () => mine === asking });
    if (best === null || mine !== asking) return;
    put(best.map((text) => ({ text })));
    screen.touch();
  });
}

function ranked(all: ReadonlyArray<Candidate>, typed: string): ReadonlyArray<Candidate> {
  if (typed === '') return all;
  return all
    .flatMap((candidate) => {
      const score = fuzzyScore(typed, candidate.text);
      return score === null ? [] : [{ candidate, score }];
    })
    .toSorted((one, other) => other.score - one.score)
    .map(({ candidate }) => candidate);
}

/** Leaves the session as it is, and says how to come back. */
async function close({ loaded, print, world }: CommandContext): Promise<void> {
  const { conversing, port } = loaded;
  const id = conversing.id();
  world.running?.stop();
  await conversing.close();
  await port.close();
  if (id !== null) print([EMPTY_LINE, plainLine(`Continue with: attractor -r ${id}`, 'dim')]);
}
