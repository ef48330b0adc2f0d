import type { Command } from 'commander';
import { PHASE_VERBS } from '../nouns/phases.ts';
import { defineNoun } from '../nouns/noun.ts';

export function define(command: Command, finish: (exitCode: number) => void): void {
  defineNoun(command, finish, {
    description: 'The parts of a task that was split.',
    verbs: PHASE_VERBS,
  });
}
