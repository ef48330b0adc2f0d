import type { FileLines, TaskDiff } from '@attractor/api';
import type { CheckResult, Task } from '@attractor/platform';
import { HOSTILE_TEXTS } from './hostile-texts.ts';
import { newRun, newTask, type MemoryWorkflow } from './memory-workflow.ts';
import { tellRun } from './sample-world.ts';

const text = (at: number) => HOSTILE_TEXTS[at % HOSTILE_TEXTS.length] ?? '';
const IN_A_TURN = 4;

/** Every text as the title and the label of a task of its own; all of them in one task: said, thought, run, printed and made by its agent. */
export function fillHostileTask(workflow: MemoryWorkflow): Task {
  HOSTILE_TEXTS.forEach((title, at) => addTask(workflow, `tsk_h${at}`, { title, tags: [title] }));
  const all = HOSTILE_TEXTS.join('\n\n');
  const task = addTask(workflow, 'tsk_hostile', { title: text(9), description: all, plan: all, tags: [text(1)] });
  const run = newRun({ id: 'run_hostile', taskId: task.id, agentType: text(2), model: text(3), branch: text(4) });
  const tell = tellRun(workflow, run);
  tell.start();
  HOSTILE_TEXTS.forEach((one, at) => {
    tell.message({ kind: at % 2 === 0 ? 'text' : 'thinking', text: one });
    tell.tool(one.slice(0, 60), { command: one, [one]: one }, one, at % 3 === 0)();
    if (at % IN_A_TURN === IN_A_TURN - 1) tell.usage(10, 1, null);
  });
  HOSTILE_TEXTS.forEach((label, at) => addArtifact(workflow, task, { at, label }));
  for (const phase of ['base', 'branch'] as const) tell.check(failedCheck(phase, text(0)));
  tell.end({ error: text(5), outcome: 'pr_ready' });
  return task;
}

/** A change whose branch, files, sections and lines are hostile. */
export function hostileDiff(): TaskDiff {
  const files = HOSTILE_TEXTS.map((one, at) => ({
    path: `${at}/${one}.js`,
    status: 'changed' as const,
    movedFrom: null,
    binary: false,
    additions: 1,
    deletions: 1,
    contents: one,
    hunks: [
      {
        oldStart: HOSTILE_TEXTS.length + 1,
        newStart: HOSTILE_TEXTS.length + 1,
        section: one,
        lines: [
          { kind: 'removed' as const, text: one },
          { kind: 'added' as const, text: `${one} ` },
        ],
      },
    ],
  }));
  const count = files.length;
  const commits = { baseBranch: text(6), baseCommit: 'a', headCommit: 'b' };
  return {
    branch: text(7),
    ...commits,
    filesChanged: count,
    additions: count,
    deletions: count,
    files,
    truncated: false,
  };
}

/** What stands above them, as far as it is asked for. */
export function hostileLines(url: string): FileLines {
  const { searchParams } = new URL(url);
  const [from, count] = ['from', 'count'].map((name) => Number(searchParams.get(name)));
  const lines = HOSTILE_TEXTS.slice((from ?? 1) - 1, (from ?? 1) - 1 + (count ?? 0));
  return { commit: 'b', from: from ?? 1, lines, total: HOSTILE_TEXTS.length + 1 };
}

function failedCheck(phase: CheckResult['phase'], name: string): CheckResult {
  const ran = { passed: false, exitCode: 1, severity: 'error', durationMs: 1 } as const;
  return { name, command: name, phase, commit: 'a', output: name, ...ran };
}

function addTask(workflow: MemoryWorkflow, id: Task['id'], more: Partial<Task> & Pick<Task, 'title'>): Task {
  const task = newTask({ id, status: 'open', ...more });
  workflow.append({ type: 'task.created', summary: `Task created: ${task.title}`, taskId: id, data: { task } });
  return task;
}

function addArtifact(
  workflow: MemoryWorkflow,
  task: Task,
  { at, label }: { readonly at: number; readonly label: string },
): void {
  const artifact = {
    id: `art_h${at}`,
    key: `art_h${at}`,
    taskId: task.id,
    runId: null,
    phaseId: null,
    type: at % 2 === 0 ? 'branch' : 'commit',
    label,
    url: label,
    content: label,
    filePath: label,
    createdBy: 'agent',
    metadata: { branchName: label, message: label, author: label },
    createdAt: task.createdAt,
  };
  const data = { artifact };
  workflow.append({
    type: 'artifact.added',
    summary: label,
    taskId: task.id,
    runId: 'run_hostile',
    category: 'git',
    data,
  });
}
