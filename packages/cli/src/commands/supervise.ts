import type { Command } from 'commander';
import { defineVerb } from '../nouns/noun.ts';
import { SUPERVISE } from '../nouns/supervise.ts';

export function define(command: Command, finish: (exitCode: number) => void): void {
  defineVerb(command, finish, SUPERVISE);
}
