import type { Command } from 'commander';
import { defineNoun } from '../nouns/noun.ts';
import { CHANNEL_VERBS } from '../nouns/channels.ts';

export function define(command: Command, finish: (exitCode: number) => void): void {
  defineNoun(command, finish, {
    description: 'How people are told of what happens: desktop, webhook, Slack, Telegram.',
    verbs: CHANNEL_VERBS,
  });
}
