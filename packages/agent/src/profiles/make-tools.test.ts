import { TOOLS, type ToolRow } from '@attractor/tool-table';
import { describe, expect, it } from 'vitest';
import { createBackgroundShells } from '../tools/background/shells.ts';
import { MADE_TOOLS, makeTool } from './make-tools.ts';
import type { ToolPorts } from './ports.ts';
import { toolsAlone } from './tools-alone.ts';

const PORTS: Required<Omit<ToolPorts, 'persistentShell'>> = {
  history: () => [],
  background: createBackgroundShells(),
  web: {},
  search: async () => [],
  agents: { agents: [], run: async () => ({ output: '', isError: false }) },
  approvePlan: async () => ({ approved: false }),
  commands: { list: () => [], run: async () => null },
  skills: { list: () => [], runsCommands: false, read: async () => null },
};

describe('a tool that a profile makes', () => {
  it.each(MADE_TOOLS)('%s has the name of its row, and needs the port that its row names', (name) => {
    const { needs, faceOf }: ToolRow = TOOLS[name];
    expect(makeTool(name, { ports: PORTS, offsetBase: 0 })?.definition.name).toBe(faceOf ?? name);
    expect(makeTool(name, { ports: {}, offsetBase: 0 }) === null).toBe(needs !== undefined);
  });

  it('works alone where it needs no session, once under its own name', () => {
    expect(toolsAlone().map(({ definition }) => definition.name)).toEqual([
      'read_file',
      'write_file',
      'edit_file',
      'multi_edit',
      'apply_patch',
      'shell',
      'grep',
      'glob',
      'list_dir',
      'read_many_files',
      'notebook_read',
      'notebook_edit',
      'todo_write',
      'web_fetch',
      'web_search',
    ]);
  });
});
