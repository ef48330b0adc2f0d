import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { wholeProgram } from '../main.ts';
import { completionScript } from './script.ts';
import { completionPoints } from './completion-points.ts';

it('completes commands, verbs and flags in a real bash, and files where nothing fits', async () => {
  const script = completionScript('bash', await wholeProgram());
  const complete = (words: ReadonlyArray<string>): ReadonlyArray<string> => {
    const line = words.map((word) => `'${word}'`).join(' ');
    const ask = `COMP_WORDS=(${line}); COMP_CWORD=${words.length - 1}; _attractor; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return execFileSync('/bin/bash', ['-c', `${script}\n${ask}`], { encoding: 'utf8' })
      .trim()
      .split('\n');
  };
  expect(complete(['attractor', 'templ'])).toEqual(['templates']);
  expect(complete(['attractor', 'tasks', 'bulk-'])).toEqual(['bulk-update', 'bulk-delete']);
  expect(complete(['attractor', 'task', '--project', 'create', '--prio'])).toEqual(['--priority']);
  expect(complete(['attractor', 'tasks', 'get', '/et'])).toContain('/etc');
});

it('describes every flag of every visible command, for zsh and fish too', async () => {
  const program = await wholeProgram();
  const points = completionPoints(program);
  expect(points.find(({ path }) => path === 'tasks create')?.words.map(({ word }) => word)).toContain('--from-file');
  expect(points.find(({ path }) => path === 'project add')?.words).toEqual(
    points.find(({ path }) => path === 'projects create')?.words,
  );
  expect(points.some(({ path }) => path.startsWith('file-tools'))).toBe(false);
  expect(completionScript('zsh', program)).toContain('_describe');
  expect(completionScript('fish', program)).toContain(`-l from-file`);
});
