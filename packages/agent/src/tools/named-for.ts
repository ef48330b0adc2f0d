import { familyNameOf } from '@attractor/tool-table';
import type { ProfileId, RegisteredTool } from '../types/index.ts';

/** The tool under the name that models of a family know it by. */
export function namedFor(tool: RegisteredTool, family: ProfileId): RegisteredTool {
  return { ...tool, definition: { ...tool.definition, name: familyNameOf(tool.definition.name, family) } };
}
