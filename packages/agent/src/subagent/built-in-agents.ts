import type { AgentDefinition } from '@attractor/settings';
import { toolsWhere } from '@attractor/tool-table';

const LOOK = toolsWhere(({ use }) => use === 'look');
const STEPS = toolsWhere(({ use }) => use === 'steps');
const RUN = toolsWhere(({ use }) => use === 'run');
const CHANGE = toolsWhere(({ use }) => use === 'change');

/** Agents that every application has: for anything, exploring, planning, changing code and testing. */
export const BUILT_IN_AGENTS: ReadonlyArray<AgentDefinition> = [
  {
    name: 'general-purpose',
    description: 'Does any part of the work that takes several steps: searches, reads, changes and checks.',
    prompt:
      'You do one part of a larger piece of work, exactly as it is described. Search widely where you do not know the place, do what is asked and nothing else, and check it. Report what you found or changed with path:line, and what you left open.',
  },
  {
    name: 'explore',
    description: 'Finds things in the code and explains how they hang together. Changes nothing.',
    prompt:
      'You look around in this code to answer one question. Search widely, then read what matters. Change nothing and run nothing. Report what you found with path:line for each point, and say what you looked for in vain.',
    tools: LOOK,
  },
  {
    name: 'plan',
    description: 'Works out how a change should be made, step by step. Changes nothing.',
    prompt:
      'You plan a change to this code; somebody else makes it. Read what it touches and what depends on that. Report the steps in order, each with the files it changes and how it is checked, then what could go wrong and what is still open. Change nothing.',
    tools: [...LOOK, ...STEPS],
  },
  {
    name: 'code',
    description: 'Makes a change that is described completely, and checks it.',
    prompt:
      'You make one change to this code, exactly as it is described. Follow the conventions around it, keep it small, and run the checks that are nearest to it. Report what you changed with path:line, how you checked it, and what you left open.',
    tools: [...LOOK, ...STEPS, ...RUN, ...CHANGE],
  },
  {
    name: 'test',
    description: 'Runs the tests and checks of the project, finds out why some fail, and writes missing ones.',
    prompt:
      'You test this code. Find out how the project runs its tests, types and lint, run them, and look into every failure until you know its cause. Write tests only where you are asked to, and change nothing else. Report what ran, what failed and why, with path:line.',
    tools: [...LOOK, ...STEPS, ...RUN, ...CHANGE],
  },
];
