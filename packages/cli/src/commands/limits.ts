import type { Command } from 'commander';
import { defineNoun } from '../nouns/noun.ts';
import { LIMIT_VERBS, LIST_LIMITS } from '../nouns/supervise.ts';

export function define(command: Command, finish: (exitCode: number) => void): void {
  defineNoun(command, finish, {
    description: 'Limits of providers that runs wait for.',
    verbs: LIMIT_VERBS,
    bare: LIST_LIMITS,
  });
}
