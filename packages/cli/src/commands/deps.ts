import type { Command } from 'commander';
import { DEPENDENCY_VERBS } from '../nouns/dependencies.ts';
import { defineNoun } from '../nouns/noun.ts';

export function define(command: Command, finish: (exitCode: number) => void): void {
  defineNoun(command, finish, {
    description: 'Which task has to wait for which.',
    verbs: DEPENDENCY_VERBS,
  });
}
