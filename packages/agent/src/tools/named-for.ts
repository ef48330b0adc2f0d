import { familyNameOf } from '@attractor/tool-table';
import type { ProfileId, RegisteredTool } from '../types/index.ts';

/** The tool under the name that a family's models know. */
export function namedFor(tool: RegisteredTool, family: ProfileId): RegisteredTool {
  return { ...tool, definition: { ...tool.definition, name: familyNameOf(tool.definition.name, family) } };
}
