import { programFiles } from '@attractor/confine';
import { RUN_DEFAULTS } from '@attractor/facts';
import type { Agent } from './agent.ts';
import { codexDialogue } from './codex/dialogue.ts';
import { availabilityOf, type ProgramFacts } from './program/availability.ts';
import type { ForeignAgentOptions } from './program/foreign-definition.ts';
import { ownHome } from './program/own-home.ts';
import { passedOn } from './program/passed-on.ts';
import { programCalls, type ProgramKind } from './program/run-program.ts';

const FACTS: ProgramFacts = {
  name: 'Codex',
  install: 'Install it with: npm install -g @openai/codex',
  atLeast: '0.100.0',
  keys: ['OPENAI_API_KEY', 'CODEX_API_KEY'],
  loginFiles: ['.codex/auth.json'],
  logIn: 'run "codex login"',
};

/**
 * The installed Codex as an agent. Every command and every change of a file passes our guard before it happens, and its conversation is
 * continued by its own id. Of the person's settings and secrets it sees what its definition names.
 */
export function createCodexAgent({ type, definition, env, silenceMs }: ForeignAgentOptions): Agent {
  const [file, ...before] = definition.command ?? ['codex'];
  const kind: ProgramKind = {
    name: definition.displayName ?? FACTS.name,
    remembers: true,
    silenceMs,
    secrets: passedOn(definition.env, env),
    prepare: async (call) => {
      const { folders, own } = ownHome(call.options, { isUsed: definition.useMyLogin, folders: ['.codex'] });
      const { dialogue, served } = await codexDialogue(FACTS.name, call);
      return {
        argv: [file, ...before, 'app-server', ...QUIET],
        readable: programFiles([file, ...before]),
        own,
        given: { folders, socket: served.socket },
        dialogue,
        close: served.close,
      };
    },
  };
  return {
    type,
    displayName: kind.name,
    isAvailable: () => availabilityOf({ file, facts: FACTS, definition, type, kind: 'codex', env }),
    getDefaultConfig: () => RUN_DEFAULTS,
    ...programCalls(kind),
  };
}

const QUIET = ['-c', 'analytics.enabled=false', '-c', 'check_for_update_on_startup=false'];
