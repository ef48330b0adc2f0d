import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { decide } from './test-support/decide.ts';

type Case = { readonly cmd: string; readonly expect: 'safe-read' | 'needs-approval' | 'deny'; readonly cls: string };

const published: ReadonlyArray<Case> = JSON.parse(text('commands.json'));

type Kind = 'allow' | 'notAllowed' | 'ask' | 'deny';
const lists: ReadonlyArray<Readonly<Record<Kind, ReadonlyArray<string>>>> = [
  JSON.parse(text('further.json')),
  JSON.parse(text('everyday.json')),
  JSON.parse(text('corners.json')),
];
const of = (kind: Kind): ReadonlyArray<string> => lists.flatMap((list) => list[kind]);
const further = { allow: of('allow'), notAllowed: of('notAllowed'), ask: of('ask'), deny: of('deny') };

describe('the published list', () => {
  const of = (expected: Case['expect']): ReadonlyArray<Case> => published.filter((one) => one.expect === expected);

  it('allows nothing that needs approval or denial', () => {
    expect([...of('needs-approval'), ...of('deny')].filter(({ cmd }) => decide(cmd) === 'allow')).toEqual([]);
  });

  it('allows every safe read', () => {
    expect(of('safe-read').filter(({ cmd }) => decide(cmd) !== 'allow')).toEqual([]);
  });

  it('denies what must be denied', () => {
    expect(of('deny').filter(({ cmd }) => decide(cmd) !== 'deny')).toEqual([]);
  });
});

describe('further commands, by what bash and the programs do', () => {
  it('allows ordinary reads', () => {
    expect(further.allow.filter((cmd) => decide(cmd) !== 'allow')).toEqual([]);
  });

  it('allows no form that writes, runs something else, leaves the workspace, waits or can not be read', () => {
    expect(further.notAllowed.filter((cmd) => decide(cmd) === 'allow')).toEqual([]);
  });

  it('asks about ordinary work, and does not deny it', () => {
    expect(further.ask.filter((cmd) => decide(cmd) !== 'ask')).toEqual([]);
  });

  it('denies what destroys, leaks credentials, opens a door or acts on the agent', () => {
    expect(further.deny.filter((cmd) => decide(cmd) !== 'deny')).toEqual([]);
  });

  it('has at least 150 of each kind', () => {
    expect(Math.min(further.allow.length, further.notAllowed.length, further.deny.length)).toBeGreaterThanOrEqual(150);
  });
});

function text(name: string): string {
  return readFileSync(join(import.meta.dirname, 'fixtures', name), 'utf8');
}
