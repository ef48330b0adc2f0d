import type { Command } from 'commander';
import { defineNoun } from '../nouns/noun.ts';
import { RUN_VERBS } from '../nouns/runs.ts';

export function define(command: Command, finish: (exitCode: number) => void): void {
  defineNoun(command, finish, {
    description: 'Runs of agents: what each did, is doing, and cost.',
    verbs: RUN_VERBS,
  });
}
