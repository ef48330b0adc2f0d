import type { Command } from 'commander';
import { defineNoun } from '../nouns/noun.ts';
import { CHECK_VERBS } from '../nouns/checks.ts';

export function define(command: Command, finish: (exitCode: number) => void): void {
  defineNoun(command, finish, {
    description: 'Results of the checks of a project, each for the commit that it looked at.',
    verbs: CHECK_VERBS,
  });
}
