import type { Command } from 'commander';
import { defineNoun } from '../nouns/noun.ts';
import { PIPELINE_VERBS } from '../nouns/pipelines.ts';

export function define(command: Command, finish: (exitCode: number) => void): void {
  defineNoun(command, finish, {
    description: 'The ways that tasks go, as data: statuses, transitions, guards and hooks.',
    verbs: PIPELINE_VERBS,
  });
}
