import { defined } from '@attractor/base';
import type { RunConfigView } from '@attractor/api';
import { table } from '@attractor/console/lines';
import { verb } from '../verbs/verb.ts';

export const SHOW_RUN_CONFIG = verb({
  name: 'run',
  summary: 'show what a run of a project would be configured with, and which layer gave each value',
  flags: [{ flag: '--agent <type>', about: 'for this kind of agent (default: the one of the project)' }],
  notes:
    'Weakest to strongest: the agent itself, your config.json, the project (its repository only if you trust it), the hook\nof the pipeline, the run. The last two are known when a run starts; see the event run.configured.',
  examples: ['config run', 'config run --agent native --json'],
  call: async ({ client, flags, project }) => {
    const agentType = flags.text('agent');
    return client.runConfig.get(await project(), defined({ agentType }));
  },
  ids: ({ agentType }) => [agentType],
  show: ({ agentType, values, isProjectIgnored }, { style }) => [
    `${style.dim('agent')}  ${agentType}`,
    ...table(values, {
      style,
      none: '',
      columns: [
        { head: 'NAME', cell: ({ name }) => name, paint: style.accent },
        { head: 'VALUE', cell: ({ value }) => (typeof value === 'string' ? value : JSON.stringify(value)) },
        { head: 'FROM', cell: ({ origin }) => originText(origin) },
      ],
    }),
    ...(isProjectIgnored
      ? ["The repository's settings for agents are not used: nobody has trusted them (see attractor trust show)."]
      : []),
  ],
});

function originText(origin: RunConfigView['values'][number]['origin']): string {
  if (origin === null) return '';
  const { layer, file, line } = origin;
  return file === undefined ? layer : `${layer} (${file}${line === undefined ? '' : `:${line}`})`;
}
