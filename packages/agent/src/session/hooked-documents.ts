import path from 'node:path';
import type { LoadedDocument } from '../types/index.ts';

/** What InstructionsLoaded hooks are told about a document that the model gets. */
export function documentFields({
  file,
  scope,
  globs,
  parent,
  trigger,
}: LoadedDocument): Readonly<Record<string, unknown>> {
  const nested = globs === undefined ? 'nested_traversal' : 'path_glob_match';
  const reason = trigger === undefined ? (parent === undefined ? 'session_start' : 'include') : nested;
  const isLocal = path.basename(file) === 'CLAUDE.local.md';
  return {
    file_path: file,
    memory_type: scope === 'user' ? 'User' : isLocal ? 'Local' : 'Project',
    load_reason: reason,
    ...(globs === undefined ? {} : { globs }),
    ...(trigger === undefined ? {} : { trigger_file_path: trigger }),
    ...(parent === undefined ? {} : { parent_file_path: parent }),
  };
}
