import { execFileSync } from 'node:child_process';
import { type NextStep, type HttpRoute, type Route, ROUTES } from '@attractor/api';
import { everyStateFacts, stateOf } from '@attractor/states/testing';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { wholeProgram } from './main.ts';

/** Every step that any task may have, once. */
function everyStep(): ReadonlyArray<NextStep> {
  const steps = new Map<string, NextStep>();
  for (const facts of everyStateFacts()) for (const step of stateOf(facts).steps) steps.set(step.command, step);
  return [...steps.values()];
}

describe('a next step', () => {
  const steps = everyStep();

  it('is a command that the command line takes as it is written, from a shell', async () => {
    const program = await wholeProgram();
    const taken: string[] = [];
    silence(program, (command) => taken.push(command.name()));
    for (const words of shellWords(steps.map(({ command }) => command))) {
      expect(words[0]).toBe('attractor');
      await program.parseAsync(words.slice(1), { from: 'user' });
    }
    expect(taken).toHaveLength(steps.length);
    expect([...new Set(taken)].toSorted()).toEqual(
      expect.arrayContaining(['answer', 'lift', 'merge', 'reopen', 'resume', 'serve', 'start', 'stop', 'transition']),
    );
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

/** What runs is noted instead; what is refused throws. */
function silence(command: Command, note: (command: Command) => void): void {
  command.exitOverride().configureOutput({ writeErr: () => undefined });
  if (command.commands.length === 0) command.action(() => note(command));
  for (const sub of command.commands) silence(sub, note);
}

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
