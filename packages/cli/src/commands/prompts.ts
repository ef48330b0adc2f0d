import type { Command } from 'commander';
import { defineNoun } from '../nouns/noun.ts';
import { PROMPT_VERBS } from '../nouns/prompts.ts';

export function define(command: Command, finish: (exitCode: number) => void): void {
  defineNoun(command, finish, {
    description: 'Questions to a person: plans to approve, commands to allow, reviews, and what agents want to know.',
    verbs: PROMPT_VERBS,
  });
}
