import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findSandbox } from '@attractor/confine';
import { startSimulator } from '@attractor/simulator';
import { expect, it, onTestFinished } from 'vitest';
import { composeServer } from './compose.ts';
import { must, newFolder, newRepository } from './test-support/real-world.ts';
import { until } from './test-support/serve.ts';

const OWNER = { type: 'user', name: 'test' } as const;

/** Tries everything that it can find, in its variables, its files and other processes, as the token of the server. */
const attack = (port: number, promptId: string, home: string) => `
body='{"answer":{"decision":"approve"}}'
tokens=$( { env; cat ${home}/token ~/.attractor/token "$ATTRACTOR_HOME/token"; tr '\\0' '\\n' < /proc/1/environ; cat /proc/[0-9]*/environ | tr '\\0' '\\n'; grep -rhoE '[A-Za-z0-9_-]{43}' ${home} /tmp --include=token; } 2>/dev/null | grep -oE '[A-Za-z0-9_-]{20,}' | sort -u | head -12)
for token in none $tokens; do
  for host in 127.0.0.1 localhost; do
    timeout 2 bash -c "exec 3<>/dev/tcp/$host/${port} && printf 'POST /api/prompts/${promptId}/answer HTTP/1.1\\r\\nHost: 127.0.0.1\\r\\nAuthorization: Bearer $token\\r\\nContent-Type: application/json\\r\\nContent-Length: 33\\r\\nConnection: close\\r\\n\\r\\n$body' >&3 && cat <&3" >> answers.txt 2>/dev/null && echo reached >> answers.txt
  done
done
[ -r ${home}/token ] && echo token >> answers.txt
echo tried >> answers.txt
`;

const sandbox = await findSandbox({ roots: [] });

it.skipIf(!sandbox.available)(
  'the shell of an agent neither reaches the server nor finds what would open it',
  async () => {
    const home = newFolder();
    const repository = newRepository();
    const simulator = await startSimulator({
      script: {
        conversations: [
          {
            name: 'asks',
            match: { firstUser: { contains: 'ASKING' } },
            turns: [{ toolCalls: [{ use: 'shell', command: 'rm -rf sum.sh' }] }, { text: 'Done.' }],
          },
          {
            name: 'attacks',
            turns: [
              { toolCalls: [{ use: 'shell', command: 'bash attack.sh' }] },
              { toolCalls: [{ name: 'report_outcome', args: { outcome: 'pr_ready' } }] },
              { text: 'Done.' },
            ],
          },
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
    const { workflow, port } = composed.value;
    const project = must(await workflow.createProject({ path: repository }, OWNER));
    const start = async (title: string) => {
      const task = must(await workflow.createTask({ projectId: project.id, title, pipelineId: 'simple' }, OWNER));
      must(await workflow.startAgent({ taskId: task.id, mode: 'implement' }, OWNER));
      return task;
    };
    await start('ASKING');
    let prompts = await workflow.listPrompts({ status: 'pending' });
    const look = async () => {
      prompts = await workflow.listPrompts({ status: 'pending' });
    };
    const stop = workflow.subscribe(() => void look());
    await until(() => prompts.length > 0, 'the question of the first run');
    const [asked] = prompts;
    writeFileSync(join(repository, 'attack.sh'), attack(port, asked?.id ?? '', home));
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.test', 'add', '--all'], { cwd: repository });
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.test', 'commit', '-qm', 'x'], {
      cwd: repository,
    });
    must(await workflow.updateProject(project.id, { config: { permissionMode: 'bypassPermissions' } }, OWNER));
    const attacker = await start('Attack');
    let ended = false;
    const see = workflow.subscribe(() => {
      void workflow.listRuns({ taskId: attacker.id }).then(([run]) => {
        ended = run !== undefined && run.status !== 'running';
      });
    });
    await until(() => ended, 'the end of the attack');
    see();
    stop();
    const events = await workflow.events({ taskId: attacker.id, limit: 1000 });
    const [run] = await workflow.listRuns({ taskId: attacker.id });
    const shown = execFileSync('git', ['show', `${run?.branch ?? ''}:answers.txt`], { cwd: repository }).toString();
    expect([shown, events.filter(({ type }) => type === 'agent.failed')]).toEqual(['tried\n', []]);
    expect(await workflow.getPrompt(asked?.id ?? '')).toMatchObject({ status: 'pending' });
  },
);
