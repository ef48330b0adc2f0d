import type { Command } from 'commander';
import { defineNoun } from '../nouns/noun.ts';
import { COST_VERBS, LIST_COSTS } from '../nouns/costs.ts';

export function define(command: Command, finish: (exitCode: number) => void): void {
  defineNoun(command, finish, {
    description: 'What runs cost.',
    verbs: COST_VERBS,
    bare: LIST_COSTS,
  });
}
