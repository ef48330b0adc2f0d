import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApiClient } from '@attractor/api';
import { findSandbox } from '@attractor/confine';
import { startSimulator } from '@attractor/simulator';
import { expect, it, onTestFinished } from 'vitest';
import { composeServer } from './compose.ts';
import { must, newFolder, newRepository } from './test-support/real-world.ts';
import { until } from './test-support/serve.ts';

const OWNER = { type: 'user', name: 'test' } as const;
const sandbox = await findSandbox({ roots: [] });

it.skipIf(!sandbox.available)(
  'further folders of a project and of a task count for its commands, its file tools and its sandbox, and no other folder does',
  async () => {
    const [home, repository] = [newFolder(), newRepository()];
    // As people have them: what is below /dev is judged as a device.
    const [ofProject = '', ofTask = '', ofNobody = ''] = ['project', 'task', 'nobody'].map(folderOnDisk);
    const missing = join(ofTask, 'missing');
    for (const folder of [ofProject, ofNobody]) writeFileSync(join(folder, 'a.txt'), 'shared\n');
    const both = `cat ${ofProject}/a.txt > copy.txt && cp ${ofProject}/a.txt ${ofTask}/b.txt`;
    const simulator = await startSimulator({
      script: {
        turns: [
          { toolCalls: [{ use: 'shell', command: both }] },
          { toolCalls: [{ use: 'write', path: join(ofProject, 'c.txt'), content: 'written\n' }] },
          { toolCalls: [{ use: 'shell', command: `echo x > ${ofNobody}/d.txt` }] },
          { toolCalls: [{ name: 'report_outcome', args: { outcome: 'pr_ready' } }] },
          { text: 'Done.' },
        ],
      },
    });
    onTestFinished(() => simulator.close());
    const composed = await composeServer({
      home,
      env: { PATH: process.env['PATH'], HOME: newFolder(), ATTRACTOR_HOME: home },
      llm: { providers: { anthropic: { apiKey: 'test-key-0001', baseUrl: simulator.baseUrls.anthropic } } },
      model: 'claude-sonnet-4-5',
      webRoot: null,
    });
    if (!composed.ok) throw new Error(composed.error.message);
    onTestFinished(() => composed.value.close());
    const { workflow, url, token } = composed.value;
    const client = createApiClient({ baseUrl: url, headers: () => ({ authorization: `Bearer ${token}` }) });
    const project = must(await workflow.createProject({ path: repository }, OWNER));
    const changed = await client.projects.update(project.id, { config: { additionalDirectories: [ofProject] } });
    expect(changed).toMatchObject({ ok: true, value: { config: { additionalDirectories: [ofProject] } } });
    for (const wrong of [['shared'], [''], ['/', ofTask]])
      expect(await client.projects.update(project.id, { config: { additionalDirectories: wrong } })).toMatchObject({
        ok: false,
        error: { message: expect.stringContaining('expected a list of folders') },
      });
    const overrides = { additionalDirectories: [ofTask, missing, repository, '/'] };
    const task = must(
      await client.tasks.create({
        projectId: project.id,
        title: 'Share',
        pipelineId: 'simple',
        overrides: { ...overrides, additionalDirectories: overrides.additionalDirectories.slice(0, 3) },
      }),
    );
    expect(await client.tasks.startRun(task.id, { mode: 'implement', overrides })).toMatchObject({ ok: false });
    must(await client.tasks.startRun(task.id, { mode: 'implement' }));
    const runs = () => workflow.listRuns({ taskId: task.id });
    let [run] = await runs();
    const stop = workflow.subscribe(() => void runs().then(([one]) => (run = one)));
    await until(() => run !== undefined && run.status !== 'running', 'the end of the run');
    stop();
    expect(run).toMatchObject({ status: 'completed' });
    expect(readFileSync(join(ofTask, 'b.txt'), 'utf8')).toBe('shared\n');
    expect(readFileSync(join(ofProject, 'c.txt'), 'utf8')).toBe('written\n');
    expect(existsSync(join(ofNobody, 'd.txt'))).toBe(false);
    const shown = execFileSync('git', ['show', `${run?.branch ?? ''}:copy.txt`], { cwd: repository }).toString();
    expect(shown).toBe('shared\n');
    const said = JSON.stringify(await workflow.events({ taskId: task.id, limit: 1000 }));
    expect(said).toContain(`There is no folder ${missing} here`);
  },
);

/** It is in the temporary folder of the run, which is removed. */
function folderOnDisk(name: string): string {
  return realpathSync(mkdtempSync(join(tmpdir(), `further-${name}-`)));
}
