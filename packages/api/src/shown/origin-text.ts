import type { RunConfigView } from '../server-parts.ts';
import { showControls } from './plain-text.ts';

const LAYERS = {
  agent: 'The agent',
  home: 'Your settings',
  project: 'The project',
  hook: 'The pipeline',
  run: 'The run',
} as const;

/** Where a value of a run comes from. */
export function originText(origin: RunConfigView['values'][number]['origin']): string {
  if (origin === null) return 'Nowhere: the default';
  const { layer, file, line } = origin;
  const where = file === undefined ? '' : ` (${file}${line === undefined ? '' : `:${line}`})`;
  return showControls(LAYERS[layer] + where);
}
