import type { Command } from 'commander';
import { ACTIVITY } from '../nouns/activity.ts';
import { defineVerb } from '../nouns/noun.ts';

export function define(command: Command, finish: (exitCode: number) => void): void {
  defineVerb(command, finish, ACTIVITY);
}
