import type { TaskField } from '@attractor/facts';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { shapeFor } from './task-shapes.ts';

const planted: Readonly<Record<string, TaskField>> = {
  risk: {
    kind: 'choice',
    choices: ['safe', 'risky'],
    in: ['create', 'edit'],
    flag: '--risk <level>',
    about: 'how risky',
  },
};

it('a field of the table is in the shapes of the places where it may be said, and in no other', () => {
  const create = z.strictObject(shapeFor('create', planted));
  expect(create.safeParse({ risk: 'safe' }).success).toBe(true);
  expect(create.safeParse({}).success).toBe(true);
  expect(create.safeParse({ risk: 'none' }).success).toBe(false);
  expect(Object.keys(shapeFor('template', planted))).toEqual([]);
});

it('only what can be taken away may be null, and only in an edit', () => {
  const fields: Readonly<Record<string, TaskField>> = {
    plan: { kind: 'text', longest: 9, in: ['create', 'edit'], clearable: true, flag: '--plan <text>', about: '' },
  };
  expect(z.strictObject(shapeFor('edit', fields)).safeParse({ plan: null }).success).toBe(true);
  expect(z.strictObject(shapeFor('create', fields)).safeParse({ plan: null }).success).toBe(false);
});
