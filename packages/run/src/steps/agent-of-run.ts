import type { Agent } from '@attractor/adapters';
import { resultOf, type RunContext } from '../run-context/run-context.ts';
import { findAgent } from '@attractor/project-config';

/** The agent of a run that is already configured; null if it is gone since. */
export async function agentOf(context: RunContext): Promise<Agent | null> {
  const { services, project } = context;
  const found = await findAgent({ ...services, projectPath: project.path }, resultOf(context, 'configure').agentType);
  return found.ok ? found.value : null;
}
