import { createLocalExecutionEnvironment } from '@attractor/agent';
import { SAMPLE_FIX } from '@attractor/facts';
import type { Agent, AgentRunOptions } from './agent.ts';
import { chooseScript, type Script } from './script.ts';
import { createScriptedAgent } from './scripted.ts';

/**
 * The scripted agent that is there without any configuration, so that a first task runs with no account and no model. It says what it is,
 * plans and makes one small change, and does nothing else.
 */
export function createReadyScriptedAgent(): Agent {
  const forRun = (options: AgentRunOptions): Agent => {
    const other = otherScripts(options.runId);
    return createScriptedAgent([...SAMPLE_SCRIPTS, ...other], 'scripted', async (all) =>
      chooseScript((await isSample(options)) ? all : other, options),
    );
  };
  return {
    ...createScriptedAgent([]),
    run: (options) => forRun(options).run(options),
    say: async (options) => {
      const agent = forRun(options);
      return agent.say?.(options) ?? agent.run(options);
    },
  };
}

const WHO = 'I am the scripted agent: no model, only steps that were written beforehand, to show how a task goes.';

const REPLIES: NonNullable<Script['replies']> = {
  message: [{ do: 'output', text: `${WHO} I can't read messages. Choose another agent for real work.` }],
};

const SAMPLE_SCRIPTS: ReadonlyArray<Script> = [
  {
    when: { outcome: 'plan_complete' },
    steps: [
      {
        do: 'output',
        text: `${WHO}

## Plan

1. \`${SAMPLE_FIX.path}\`: drop the marks of accented letters, so that \`brûlée\` becomes \`brulee\`.
2. Replace every run of other characters by one dash, and drop dashes at both ends.

That is what the failing tests of this sample ask for, whatever the task says.`,
      },
      { do: 'outcome', outcome: 'plan_complete' },
    ],
    replies: REPLIES,
  },
  {
    when: { outcome: 'pr_ready' },
    steps: [
      { do: 'output', text: `${WHO} I change one function of the sample.` },
      { do: 'modifyFile', path: SAMPLE_FIX.path, find: SAMPLE_FIX.before, replace: SAMPLE_FIX.after },
      { do: 'output', text: `The change is in \`${SAMPLE_FIX.path}\`: the tests of the sample pass with it.` },
      { do: 'outcome', outcome: 'pr_ready' },
    ],
    replies: REPLIES,
  },
];

/** In any other repository: a note of its own, which no other run has. */
function otherScripts(runId: string): ReadonlyArray<Script> {
  const path = `scripted-agent/${runId.replaceAll(/[^\w-]/g, '')}.md`;
  return [
    {
      when: { outcome: 'plan_complete' },
      steps: [
        {
          do: 'output',
          text: `${WHO}\n\n## Plan\n\n1. Add one note in the folder \`scripted-agent\`, and change nothing else.\n\nThe task itself is left for another agent.`,
        },
        { do: 'outcome', outcome: 'plan_complete' },
      ],
      replies: REPLIES,
    },
    {
      when: { outcome: 'pr_ready' },
      steps: [
        { do: 'output', text: `${WHO} I add one note.` },
        {
          do: 'createFile',
          path,
          content: 'The scripted agent was here. It shows how a task goes, and does no work.\n',
        },
        { do: 'output', text: `I added \`${path}\`. The task itself is left for another agent.` },
        { do: 'outcome', outcome: 'pr_ready' },
      ],
      replies: REPLIES,
    },
    {
      steps: [
        {
          do: 'error',
          message: 'The scripted agent only plans and makes one small change. Choose another agent for this step.',
        },
      ],
    },
  ];
}

/** Still as it was made: what the sample lacks can be added once. */
async function isSample({ projectPath, sandbox, env }: AgentRunOptions): Promise<boolean> {
  const environment = createLocalExecutionEnvironment(projectPath, 'inherit_none', {
    variables: () => ({ ...env }),
    sandbox,
  });
  const text = await environment.readText(SAMPLE_FIX.path).catch(() => '');
  await environment.cleanup();
  return text.includes(SAMPLE_FIX.before);
}
