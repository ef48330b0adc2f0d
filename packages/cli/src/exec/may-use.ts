import { createPolicy, type PermissionMode } from '@attractor/policy';
import type { SessionSetup } from '@attractor/settings';
import { type AgentSpec, type CanUse, FILE_TOOLS } from '@attractor/executor';
import { isPermissionMode, refuseProblems } from '../headless/permissions.ts';

/**
 * Applies the person's rules, and those of a trusted repository, before every file tool. Nobody can be asked, so what would ask is denied.
 * Edits in the workspace are what an agent is started for, unless it asks for less itself.
 */
export function mayUse({ permissionMode = '' }: AgentSpec, workspace: string, setup: SessionSetup): CanUse {
  const mode: PermissionMode =
    LESS.has(permissionMode) && isPermissionMode(permissionMode) ? permissionMode : 'acceptEdits';
  refuseProblems(setup);
  const { rules, userHome } = setup;
  const policy = createPolicy({ rules, mode, root: workspace, home: userHome, sandboxed: false });
  return async ({ name, input, readOnly }) => {
    const { decision, reason, rule, isSecret } = await policy.judge({
      toolName: judgedAs(name),
      args: input,
      readOnly,
    });
    // What asks by no rule lies outside the workspace or is protected: the tool itself refuses that, and says it more clearly.
    if (decision === 'allow' || (decision === 'ask' && rule === undefined && isSecret !== true))
      return { allowed: true };
    return { allowed: false, reason: `Not allowed here: ${reason}.` };
  };
}

const LESS: ReadonlySet<string> = new Set(['plan', 'dontAsk']);

/** The name that rules use. */
function judgedAs(name: string): string {
  return FILE_TOOLS.find((tool) => tool.name === name)?.judgedAs ?? name;
}
