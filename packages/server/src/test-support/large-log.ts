import { newTask, type MemoryWorkflow } from './memory-workflow.ts';

/** Tasks that nobody has begun. */
export function fillBoard(workflow: MemoryWorkflow, count: number): void {
  for (let number = 1; number <= count; number += 1) {
    const task = newTask({ id: `tsk_many${number}`, title: `One of many, ${number}`, status: 'open' });
    workflow.append({ type: 'task.created', summary: task.title, taskId: task.id, data: { task } });
  }
}

type Said = { readonly taskId: string; readonly runId: string };

/** What an agent says, each of it a turn. */
export function sayMuch(workflow: MemoryWorkflow, of: Said, count: number): void {
  for (let number = 1; number <= count; number += 1) {
    tell(workflow, of, { key: `much${number}`, kind: 'text', text: `Said as number ${number}.` });
    const usage = { inputTokens: 10, outputTokens: 10, totalTokens: 20 };
    tell(workflow, of, { key: `spent${number}`, kind: 'usage', model: 'm', usage, costUsd: 0.001 });
  }
}

/** A call whose output nobody wants to read whole. */
export function callWithLongOutput(workflow: MemoryWorkflow, of: Said, output: string): void {
  const call = { toolCallId: 'call_long', toolName: 'shell' };
  tell(workflow, of, { key: 'long', kind: 'tool_call', ...call, input: { command: 'seq 3000' } });
  tell(workflow, of, { key: 'out', kind: 'tool_result', ...call, output, isError: false });
}

function tell(workflow: MemoryWorkflow, of: Said, message: Readonly<Record<string, unknown>>): void {
  workflow.append({ type: 'agent.message', summary: '', ...of, data: { message } });
}
