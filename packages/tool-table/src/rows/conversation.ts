import { ALL, type ToolRow } from '../row.ts';
import { COMMANDS, staysInside, usesSkill } from '../touch.ts';

/** What concerns the conversation and the person. */
export const CONVERSATION = {
  exit_plan_mode: {
    does: 'presents a plan and leaves plan mode',
    families: { ...ALL, anthropic: { always: 'ExitPlanMode' } },
    use: 'converse',
    touches: staysInside,
    rule: null,
    whereNothingChanges: 'promised',
    subject: [],
    needs: 'approvePlan',
    advice: {
      say: 'While you plan, change nothing; when the plan is ready, present it with exit_plan_mode and wait.',
    },
  },
  slash_command: {
    does: 'runs a command that is kept for the project',
    families: { ...ALL, anthropic: { always: 'SlashCommand' } },
    use: 'converse',
    touches: usesSkill,
    rule: 'SlashCommand',
    whereNothingChanges: 'promised',
    subject: COMMANDS,
    needs: 'commands',
  },
  skill: {
    does: 'gives instructions for one kind of work',
    families: { ...ALL, anthropic: { always: 'Skill' } },
    use: 'converse',
    touches: usesSkill,
    rule: 'Skill',
    whereNothingChanges: 'promised',
    subject: ['skill', 'name'],
    needs: 'skills',
  },
  recall: {
    does: 'shows what a compaction left out',
    families: ALL,
    use: 'converse',
    touches: staysInside,
    rule: null,
    whereNothingChanges: 'promised',
    subject: ['id'],
    needs: 'compaction',
    by: 'session',
  },
  AskUserQuestion: {
    does: 'asks the person',
    families: ALL,
    use: 'converse',
    touches: staysInside,
    rule: null,
    whereNothingChanges: 'promised',
    subject: [],
    needs: 'askUser',
    by: 'session',
  },
} as const satisfies Readonly<Record<string, ToolRow>>;
