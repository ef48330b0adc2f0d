import type { Command } from 'commander';
import { defineNoun } from '../nouns/noun.ts';
import { ATTEMPT_VERBS } from '../nouns/attempts.ts';

export function define(command: Command, finish: (exitCode: number) => void): void {
  defineNoun(command, finish, {
    description: 'Several attempts at one task at once, judged by the checks of the project.',
    verbs: ATTEMPT_VERBS,
  });
}
