import { createBashTool } from '../tools/background/bash.ts';
import { createShellTool } from '../tools/shell.ts';
import type { RegisteredTool } from '../types/index.ts';
import type { ToolPorts } from './ports.ts';

/** The tool for commands, with what the ports allow besides. */
export function createCommandTool(defaultTimeoutMs: number, ports: ToolPorts = {}): RegisteredTool {
  return createBashTool({
    shell: createShellTool({ defaultTimeoutMs }),
    background: ports.background,
    persistent: ports.persistentShell,
  });
}
