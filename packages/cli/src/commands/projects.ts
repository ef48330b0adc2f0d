import type { Command } from 'commander';
import { defineNoun } from '../nouns/noun.ts';
import { PROJECT_VERBS } from '../nouns/projects.ts';

export function define(command: Command, finish: (exitCode: number) => void): void {
  defineNoun(command, finish, {
    description: 'Repositories that agents may work in, and what people chose for them.',
    verbs: PROJECT_VERBS,
  });
}
