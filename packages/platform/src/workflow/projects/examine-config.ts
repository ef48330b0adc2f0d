import { done } from '@attractor/base';
import { readProjectConfig } from '@attractor/project-config';
import { examineTrust } from '@attractor/settings';
import { findProject, refuse, type Result, type Store } from '@attractor/store';
import type { ConfigExamination } from './contract.ts';

/** The same examination that `attractor trust show` prints; the checks are read from the same bytes, and none is run. */
export async function examineConfig(
  store: Store,
  { projectId, home }: { readonly projectId: string; readonly home: string },
): Promise<Result<ConfigExamination>> {
  const project = await findProject(store.read, projectId);
  if (project === null) return refuse('not_found', `There is no project ${projectId}.`);
  const { state, hash, files, difference, problems } = examineTrust(project.path, { home });
  const config = readProjectConfig(project.path, { home });
  return done({
    state,
    hash,
    files: files.map(({ path, content }) => ({ path, content: content.slice(0, MOST) })),
    difference,
    problems: config.ok ? problems : [...problems, config.error.message],
    checks: config.ok ? config.value.checks.map(({ name, command }) => ({ name, command })) : [],
  });
}

/** Of one file, for a screen; the whole is in the repository. */
const MOST = 64 * 1024;
