import { findProject, type StartGate } from '@attractor/store';
import { whyNotComplete } from './large-files.ts';
import { checkedOut, whyNotReached } from './project-checkout.ts';

/** Leaves runs to machines that have their project, with all of its files. */
export function machineGate(home: string): StartGate {
  return async (tx, run) => {
    const project = await findProject(tx, run.projectId);
    if (project === null) return null;
    const here = checkedOut(project, home);
    return here === null ? whyNotReached(project) : whyNotComplete(here);
  };
}
