import { SAMPLE_FIX } from '@attractor/facts';

/**
 * What the scripted model says in the demo. The tools it calls, the tests it runs and the commit that follows are real; only the words are
 * prepared. Paths are relative to the run's worktree.
 */
export function sampleScript(pace: { readonly turnMs: number; readonly eventMs: number }): unknown {
  const paced = (turn: Readonly<Record<string, unknown>>) => ({
    ...turn,
    delayMs: pace.turnMs,
    eventDelayMs: pace.eventMs,
    deltaChars: 24,
  });
  return {
    conversations: [
      { name: 'implement', match: { tool: 'edit_file' }, turns: IMPLEMENT.map(paced) },
      { name: 'plan', turns: PLAN.map(paced) },
    ],
  };
}

const PLAN_TEXT = `## Plan

1. \`src/slugify.js\`: decompose accented letters and drop their marks, so that \`brûlée\` becomes \`brulee\`.
2. Replace every run of characters that are not letters or digits by one dash, then drop a leading and a trailing dash.
3. Run the project's tests; they cover both rules already, so none need to change.

Risk: titles without any Latin letter or digit become an empty slug. The tests don't ask for more; I will leave that as it is.`;

const PLAN = [
  {
    text: "I'll read the function and the tests that describe it.",
    toolCalls: [
      { use: 'read', path: 'src/slugify.js' },
      { use: 'read', path: 'test/slugify.test.js' },
    ],
  },
  { text: PLAN_TEXT, toolCalls: [{ name: 'report_outcome', args: { outcome: 'plan_complete' } }] },
  { text: 'The plan is ready for your approval.' },
];

const EDIT = { use: 'edit', path: SAMPLE_FIX.path, old: SAMPLE_FIX.before, new: SAMPLE_FIX.after };

/** The last three are used only if the checks fail after all, as when a kill interrupted the edit. */
const IMPLEMENT = [
  {
    text: 'Following the plan: first the function as it stands.',
    toolCalls: [{ use: 'read', path: 'src/slugify.js' }],
  },
  { text: 'Only letters and digits may stay; everything between them becomes one dash.', toolCalls: [EDIT] },
  { text: "Now the project's own tests.", toolCalls: [{ use: 'shell', command: 'node --test' }] },
  {
    text: 'Two rules, one function; the tests are untouched.',
    toolCalls: [{ name: 'report_outcome', args: { outcome: 'pr_ready' } }],
  },
  {
    text: 'Slugs now hold only lower-case letters, digits and single dashes. The change is one function in `src/slugify.js`.',
  },
  {
    text: 'The edit did not reach the file. I read it again and make the change.',
    toolCalls: [{ use: 'read', path: 'src/slugify.js' }, EDIT],
  },
  { text: 'Done now.', toolCalls: [{ name: 'report_outcome', args: { outcome: 'pr_ready' } }] },
  { text: 'The change is in `src/slugify.js`.' },
];
