import { execFileSync } from 'node:child_process';
import { isRecord } from '@attractor/base';
import { type NextStep, type HttpRoute, type Route, ROUTES } from '@attractor/api';
import { everyStateFacts, stateOf } from '@attractor/states/testing';
import { describe, expect, it } from 'vitest';
import { parsedOnly } from './test-support/parsed-only.ts';

type Facts = Parameters<typeof stateOf>[0];

/** Every step that any task may have, once; the pipelines of those tasks; and steps that name what is not there. */
function lookAtAll() {
  const steps = new Map<string, { readonly step: NextStep; readonly names: ReadonlyArray<string> }>();
  const pipelines = new Set<string>();
  const unknown = new Set<string>();
  for (const facts of everyStateFacts()) {
    pipelines.add(facts.pipeline.id);
    for (const step of stateOf(facts).steps) {
      const { names } = steps.get(step.command) ?? { names: namesIn(step) };
      steps.set(step.command, { step, names });
      for (const name of names)
        if (!isThere(facts, name)) unknown.add(`${facts.task.status}: ${step.command}: there is no ${name}`);
    }
  }
  return { steps: [...steps.values()].map(({ step }) => step), pipelines: [...pipelines], unknown: [...unknown] };
}

const KEY = /\b[A-Z]+-\d+(?:\.q?\d+)?\b/g;
const ID = /\b(?:tsk|run|prm|prj)_\w+/g;

/** The keys in the command, the ids in the call, and the status that either leads to. */
function namesIn({ command, call }: NextStep): ReadonlyArray<string> {
  const to = isRecord(call?.body) ? call.body['to'] : undefined;
  const names = [...command.matchAll(KEY), ...(call?.path ?? '').matchAll(ID)].map(([name]) => name);
  return typeof to === 'string' ? [...names, to] : names;
}

function isThere({ task, run, prompts, split, waitingFor, pipeline }: Facts, name: string): boolean {
  const has = (thing: { readonly id: string; readonly key?: string } | null): boolean =>
    thing !== null && (thing.id === name || thing.key === name);
  const some = [prompts, waitingFor, split?.subtasks ?? [], pipeline.statuses];
  return has(task) || has(run) || some.some((things) => things.some(has));
}

describe('a next step', () => {
  const { steps, pipelines, unknown } = lookAtAll();

  it('is a command that the command line takes as it is written, from a shell', async () => {
    const parse = await parsedOnly();
    const taken: string[] = [];
    for (const words of shellWords(steps.map(({ command }) => command))) {
      // A person's own changes in the base are put aside by git itself.
      if (words[0] === 'git') expect(words).toContain('stash');
      else expect(words[0]).toBe('attractor');
      taken.push(words[0] === 'git' ? 'git' : await parse(words.slice(1)));
    }
    expect(taken).toHaveLength(steps.length);
    expect([...new Set(taken.map((name) => name.split(' ').at(-1)))].toSorted()).toEqual(
      expect.arrayContaining(['answer', 'lift', 'merge', 'reopen', 'resume', 'serve', 'start', 'stop', 'transition']),
    );
  });

  it('names only tasks, runs, questions and statuses that there are, in every pipeline', () => {
    expect(unknown).toEqual([]);
    const built = ['coding', 'coding-stages', 'coding-tdd', 'coding-auto', 'feature', 'bug', 'chore', 'simple'];
    expect(pipelines).toEqual(expect.arrayContaining(built));
  });

  it('is a call that the API has, with a body that it takes', () => {
    const routes = Object.values(ROUTES).flatMap((noun) => Object.values<Route | HttpRoute>(noun()));
    for (const { label, call } of steps) {
      if (call === null) continue;
      const route = routes.find(({ method, path }) => method === call.method && asPattern(path).test(call.path));
      expect(route, `${label}: ${call.method} ${call.path}`).toBeDefined();
      const read = route?.body?.().safeParse(call.body);
      expect(read?.error?.message ?? null, label).toBeNull();
      if (route?.body === undefined) expect(call.body).toBeUndefined();
    }
  });
});

/** As a POSIX shell splits them. */
function shellWords(commands: ReadonlyArray<string>): ReadonlyArray<ReadonlyArray<string>> {
  const script = commands.map((command) => `printf '%s\\0' ${command}; printf '\\n\\0'`).join('\n');
  const words = execFileSync('/bin/sh', ['-s'], { input: script, encoding: 'utf8' }).split('\0').slice(0, -1);
  const lines: string[][] = [[]];
  for (const word of words) {
    if (word === '\n') lines.push([]);
    else lines.at(-1)?.push(word);
  }
  return lines.slice(0, -1);
}

function asPattern(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`);
}
