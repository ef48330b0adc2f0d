import type { Command } from 'commander';
import { defineNoun } from '../nouns/noun.ts';
import { BUDGET_VERBS, LIST_BUDGETS } from '../nouns/budgets.ts';

export function define(command: Command, finish: (exitCode: number) => void): void {
  defineNoun(command, finish, {
    description: 'What may be spent on everything, a project or a task.',
    verbs: BUDGET_VERBS,
    bare: LIST_BUDGETS,
  });
}
