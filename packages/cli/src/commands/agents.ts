import type { Command } from 'commander';
import { AGENT_VERBS, LIST_AGENTS } from '../nouns/agents.ts';
import { defineNoun } from '../nouns/noun.ts';

export function define(command: Command, finish: (exitCode: number) => void): void {
  defineNoun(command, finish, {
    description: 'The kinds of agents that can work here, and starting and stopping them.',
    verbs: AGENT_VERBS,
    bare: LIST_AGENTS,
  });
}
