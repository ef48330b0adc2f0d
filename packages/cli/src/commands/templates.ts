import type { Command } from 'commander';
import { TEMPLATE_VERBS } from '../nouns/templates.ts';
import { defineNoun } from '../nouns/noun.ts';

export function define(command: Command, finish: (exitCode: number) => void): void {
  defineNoun(command, finish, {
    description: 'How a kind of task usually begins.',
    verbs: TEMPLATE_VERBS,
  });
}
