import { followedConfig, readHomeConfig } from '@attractor/project-config';
import type { RunContext } from '../run-context/run-context.ts';
import type { RetryChoices } from '@attractor/store';
import { isRetryChoices } from './retry-settings.ts';

/** Later ones win: the person's own file, the project's if it is trusted, and what people chose for the project here. */
export async function readRetryChoices({ services, project }: RunContext): Promise<RetryChoices> {
  const home = await readHomeConfig(services.home);
  const followed = followedConfig(project.path, services);
  const layers: ReadonlyArray<unknown> = [
    home.ok ? home.value.whole['retry'] : undefined,
    followed.ok && followed.value.trust === 'trusted' ? followed.value.whole['retry'] : undefined,
    project.config.retry,
  ];
  return Object.assign({}, ...layers.filter(isRetryChoices));
}
