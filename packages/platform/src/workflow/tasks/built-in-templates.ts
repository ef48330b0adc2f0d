import type { TaskTemplate } from '@attractor/store';

/** The four types of task that most projects have. */
export const BUILT_IN_TEMPLATES: ReadonlyArray<TaskTemplate> = [
  {
    id: 'tpl_bug-fix',
    name: 'Bug Fix',
    description: 'Something does not work as it should.',
    builtIn: true,
    fields: {
      description: '## What happens\n\n## What should happen\n\n## Steps to reproduce\n\n1. \n',
      pipelineId: 'bug',
      priority: 'high',
      size: 's',
      tags: ['bug'],
      acceptanceCriteria: [
        'A test fails before the change and passes after it',
        'The steps above no longer show the fault',
      ],
    },
  },
  {
    id: 'tpl_feature',
    name: 'Feature',
    description: 'Something new that people can do.',
    builtIn: true,
    fields: {
      description: '## Who needs it and why\n\n## What it does\n\n## What it does not do\n',
      pipelineId: 'feature',
      tags: ['feature'],
      acceptanceCriteria: ['It does what is described', 'It is covered by tests', 'It is described where users look'],
    },
  },
  {
    id: 'tpl_refactor',
    name: 'Refactor',
    description: 'The same behaviour in a better shape.',
    builtIn: true,
    fields: {
      description: '## What is hard today\n\n## The shape to reach\n',
      pipelineId: 'chore',
      priority: 'low',
      tags: ['refactor'],
      acceptanceCriteria: ['No behaviour changes', 'The existing tests pass unchanged'],
    },
  },
  {
    id: 'tpl_chore',
    name: 'Chore',
    description: 'Upkeep: dependencies, configuration, clean-up.',
    builtIn: true,
    fields: {
      description: '## What is to be done\n',
      pipelineId: 'chore',
      priority: 'low',
      size: 's',
      tags: ['chore'],
    },
  },
];
