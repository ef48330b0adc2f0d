import type { RunContext } from '../run-context/run-context.ts';
import { type Check, followedConfig, type ProjectConfig } from '@attractor/project-config';

export type TrustedChecks = {
  readonly checks: ReadonlyArray<Check>;
  /** Untrusted checks of the repository: they do not run. */
  readonly untrusted: ReadonlyArray<string>;
};

/** What may run: the person's own commands, and the repository's if a person trusted exactly these. */
export function trustedChecks({ request, state }: RunContext, config: ProjectConfig): TrustedChecks {
  const own = (request.overrides.checks ?? []).map((command, index): Check => ({
    name: nameOf(command, index),
    command,
    severity: 'error',
    modes: ['implement'],
    timeoutMs: null,
    // Given for this run: it has to pass.
    strict: true,
  }));
  const mine = own.filter((check) => check.modes.includes(state.run.mode));
  const configured = config.checks.filter((check) => check.modes.includes(state.run.mode));
  if (config.trust === 'trusted') return { checks: [...configured, ...mine], untrusted: [] };
  return { checks: mine, untrusted: configured.map((check) => check.name) };
}

/** Their commands, for the agent that they will judge. A configuration that can't be read is reported when they would run. */
export function textsOfChecks(context: RunContext): ReadonlyArray<string> {
  const config = followedConfig(context.project.path, context.services);
  return config.ok ? trustedChecks(context, config.value).checks.map(({ command }) => command) : [];
}

function nameOf(command: string, index: number): string {
  const words = command.trim().split(/\s+/).slice(0, 3).join(' ');
  return words === '' ? `check ${index + 1}` : words;
}
