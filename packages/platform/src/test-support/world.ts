import { createScriptedAgent, type Script } from '@attractor/adapters';
import { onTestFinished } from 'vitest';
import { expectLogTellsAll } from './log-tells-all.ts';
import { lookAtEachEvent } from './look-at-each-event.ts';
import { openPlatform, type Platform, type PlatformOptions } from '../platform.ts';
import { readProjectConfig } from '@attractor/project-config';
import { unconfined } from '@attractor/run';
import type { NewTask, PlatformEvent, Project, Task } from '@attractor/store';
import { makeFolder, must, openedHome, PERSON } from '@attractor/store/testing';
import { ENV } from '@attractor/repository/testing';

export async function openTestPlatform(
  options: Partial<PlatformOptions> & { readonly scripts?: ReadonlyArray<Script> } = {},
): Promise<Platform> {
  const unexpected: unknown[] = [];
  const { scripts = [], ...rest } = options;
  const platform = must(
    await openPlatform({
      home: rest.databaseUrl === undefined ? await openedHome(makeFolder()) : makeFolder(),
      agents: [createScriptedAgent(scripts)],
      env: ENV,
      confine: unconfined,
      concurrency: 2,
      onUnexpected: (error) => unexpected.push(error),
      ...rest,
    }),
  );
  onTestFinished(async () => {
    await platform.worker.close();
    await expectLogTellsAll(platform);
    await platform.close();
    if (unexpected.length > 0) throw new AggregateError(unexpected, 'The worker met bugs');
  });
  return platform;
}

export async function addTask(
  platform: Platform,
  input: Partial<NewTask> & { readonly path: string },
): Promise<{ readonly project: Project; readonly task: Task }> {
  const { path, ...rest } = input;
  const project = must(await platform.workflow.createProject({ path }, PERSON));
  const config = must(readProjectConfig(project.path, { home: project.path }));
  must(await platform.workflow.trustConfig(project.id, config.hash, PERSON));
  const task = must(
    await platform.workflow.createTask({ title: 'Make sum add', ...rest, projectId: project.id }, PERSON),
  );
  return { project, task };
}

/** Resolves when the events satisfy the condition. */
export async function until(
  { workflow }: Pick<Platform, 'workflow'>,
  filter: { readonly taskId?: string },
  holds: (events: ReadonlyArray<PlatformEvent>) => boolean,
): Promise<ReadonlyArray<PlatformEvent>> {
  let seen: ReadonlyArray<PlatformEvent> = [];
  const look = async (): Promise<boolean> => {
    seen = [...seen, ...(await workflow.events({ ...filter, after: seen.at(-1)?.seq ?? 0, limit: 100_000 }))];
    return holds(seen);
  };
  const inVain = (): string => {
    const last = seen.slice(-12).map((event) => `${event.type}: ${event.summary}`);
    return `Waited in vain; last events:\n${last.join('\n')}`;
  };
  await lookAtEachEvent(workflow, { ...filter, look, inVain });
  return seen;
}

export const statusOf = async (platform: Platform, taskId: string): Promise<string | undefined> =>
  (await platform.workflow.getTask(taskId))?.status;
