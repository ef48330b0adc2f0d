import type { SessionEvent } from '../types/index.ts';
import type { Run } from './run.ts';

/**
 * Starts the programs that offer tools once a person lets them run, where they changed since they were trusted and what they offer is not
 * known: no call of theirs could ask. That comes with an input, when somebody is there to see it; a child's parent has done it.
 */
export async function* startHeld(run: Run): AsyncGenerator<SessionEvent, void> {
  for (const { name, changed, start } of run.held()) {
    if (run.ending() !== null) return;
    if (!(await run.confirmChanged(`the MCP server ${name}`, changed))) continue;
    changed.accept();
    const problem = await start();
    if (problem !== null) yield { kind: 'WARNING', message: problem };
  }
}
