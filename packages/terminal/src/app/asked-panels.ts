import type { Asked } from '../converse/asked.ts';
import type { Acts, World } from '../converse/world.ts';
import type { Lexer } from '../markdown/render-block.ts';
import { createMarkdownStream } from '../markdown/stream.ts';
import { approvalLines, createApprovalPanel } from '../prompts/approval.ts';
import { createMenu } from '../prompts/menu.ts';
import type { Panel } from '../prompts/panel.ts';
import { createQuestionPanel } from '../prompts/questions.ts';
import { EMPTY_LINE, type Line, plainLine } from '../themes/line.ts';

/** A key so soon after the one before, or after the question came up, was meant for something else. */
const PAUSE_MS = 400;

export type AskedActs = Pick<Acts, 'world' | 'print' | 'editOutside'> & {
  readonly lexer: Lexer;
  readonly columns: () => number;
  readonly setMode: (mode: 'acceptEdits' | 'default') => void;
  readonly now: () => number;
  readonly touch: () => void;
};

/** Brings what is asked first in front of the person, and takes away what nobody waits for any more. */
export function showAsked(acts: AskedActs): void {
  const { world, print } = acts;
  const list = world.loaded?.conversing.asked.list() ?? [];
  const isGone = world.panelFor !== null && !list.some(({ id }) => id === world.panelFor);
  if (isGone) Object.assign(world, { panel: null, panelFor: null });
  const [next] = list;
  if (next === undefined || world.panelFor === next.id || (world.panel !== null && world.panelFor === null)) return;
  print(contentOf(next, acts));
  Object.assign(world, { panel: panelOf(next, acts), panelFor: next.id });
}

function contentOf(asked: Asked, { lexer, columns }: AskedActs): ReadonlyArray<Line> {
  if (asked.type === 'approval') return approvalLines(asked.request);
  if (asked.type === 'questions') return [EMPTY_LINE];
  const plan = createMarkdownStream(lexer, columns);
  return [EMPTY_LINE, plainLine('The plan:', 'accent'), EMPTY_LINE, ...plan.add(asked.plan), ...plan.end()];
}

function panelOf(asked: Asked, acts: AskedActs): Panel {
  const { world, print } = acts;
  const isArmed = armed(world, acts.now);
  if (asked.type === 'approval')
    return createApprovalPanel({
      request: asked.request,
      answer: asked.answer,
      explain: print,
      waiting: () => world.loaded?.conversing.asked.list().length ?? 1,
      asker: () => world.loaded?.telling.askerOf(asked.request.toolCallId) ?? null,
      isArmed,
    });
  if (asked.type === 'questions')
    return createQuestionPanel({
      questions: asked.questions,
      answer: asked.answer,
      isArmed,
      show: (panel) => {
        world.panel = panel;
      },
    });
  return planPanel(asked, acts, isArmed);
}

function planPanel(asked: Extract<Asked, { readonly type: 'plan' }>, acts: AskedActs, isArmed: () => boolean): Panel {
  const begin = (mode: 'acceptEdits' | 'default', plan?: string): void => {
    // It may have been answered elsewhere while the person's editor was open.
    if (acts.world.panelFor !== asked.id) return;
    acts.setMode(mode);
    asked.answer({ approved: true, ...(plan === undefined ? {} : { plan }) });
  };
  return createMenu({
    title: [plainLine('Begin with this plan?', 'warn')],
    choices: [
      { key: 'y', value: 'begin', label: 'Yes, and ask before each change' },
      { key: 'a', value: 'edits', label: 'Yes, and edit files without asking' },
      { key: 'e', value: 'edit', label: 'Change the plan in my editor first' },
      { key: 'n', value: 'no', label: 'No, go on planning', asks: { question: 'What should be different?' } },
    ],
    isArmed,
    cancel: () => asked.answer({ approved: false }),
    choose: ([value], text) => {
      if (value === 'begin') begin('default');
      else if (value === 'edits') begin('acceptEdits');
      else if (value === 'edit')
        void acts.editOutside(asked.plan, 'plan.md').then((plan) => begin('default', plan ?? asked.plan));
      else asked.answer({ approved: false, ...(text === '' ? {} : { feedback: text }) });
    },
  });
}

/** Whether a key is an answer: the person has seen the question, and was not in the middle of a word. */
function armed(world: World, now: () => number): () => boolean {
  const shownAt = now();
  return () => now() - shownAt > PAUSE_MS && now() - world.lastKeyAt > PAUSE_MS / 4;
}
