import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { programFiles } from '@attractor/confine';
import { RUN_DEFAULTS } from '@attractor/facts';
import { defined } from '@attractor/base';
import { acpDialogue } from './acp/dialogue.ts';
import { KNOWN_ACP_AGENTS, type KnownAcpAgent } from './acp/known-agents.ts';
import type { Agent, AgentFailure, AgentRunOptions } from './agent.ts';
import { availabilityOf } from './program/availability.ts';
import type { ForeignAgentOptions } from './program/foreign-definition.ts';
import { ownHome } from './program/own-home.ts';
import { passedOn } from './program/passed-on.ts';
import { programCalls, type ProgramKind } from './program/run-program.ts';

/**
 * Any agent of the Agent Client Protocol: a known one by its name, or whatever `command` starts. What it asks the run for (files,
 * terminals, permissions) passes our guard; what it does without asking is held by the sandbox alone.
 */
export function createAcpAgent({ type, definition, env, silenceMs }: ForeignAgentOptions): Agent {
  const known = KNOWN_ACP_AGENTS[definition.agent ?? type] ?? anyAgent(type, definition.command);
  const [file, ...args] = definition.command ?? known.command;
  const name = definition.displayName ?? known.facts.name;
  const manners = { ...known, name, ...defined({ mode: definition.mode }) };
  const kind: ProgramKind = {
    name,
    remembers: true,
    silenceMs,
    secrets: passedOn(definition.env, env),
    refuses: ({ readOnly, sandbox }) =>
      readOnly && sandbox === undefined && known.readOnlyMode === undefined ? notHeld(name) : null,
    prepare: async (call) => {
      const { folders, own } = ownHome(call.options, { isUsed: definition.useMyLogin, folders: known.loginFolders });
      const held = heldSettings(known, call.options);
      const { dialogue, served, close } = await acpDialogue(manners, call);
      return {
        argv: [file, ...args],
        readable: [...programFiles([file, ...args]), ...Object.values(held)],
        own: { ...own, ...known.variables, ...held },
        given: { folders, socket: served.socket },
        dialogue,
        close,
      };
    },
  };
  // The protocol has no way to speak into a turn: what people say is its next one.
  const { run, say } = programCalls(kind);
  return {
    type,
    displayName: name,
    isAvailable: () => availabilityOf({ file, facts: known.facts, definition, type, kind: 'acp', env }),
    getDefaultConfig: () => RUN_DEFAULTS,
    run,
    say,
  };
}

/** The variable of the file with its settings, which is outside of what it may change. */
function heldSettings({ settings }: KnownAcpAgent, { statePath }: AgentRunOptions): Readonly<Record<string, string>> {
  if (settings === undefined) return {};
  const file = path.join(statePath, 'settings.json');
  mkdirSync(statePath, { recursive: true, mode: 0o700 });
  writeFileSync(file, JSON.stringify(settings.content), { mode: 0o600 });
  return { [settings.variable]: file };
}

function anyAgent(type: string, command: ForeignAgentOptions['definition']['command']): KnownAcpAgent {
  const [file] = command ?? [type];
  const install = `Give agents.${type} in config.json its "command", or an "agent" that is known: ${Object.keys(KNOWN_ACP_AGENTS).join(', ')}`;
  return {
    facts: { name: file, install, keys: [], loginFiles: [], logIn: '' },
    command: command ?? [type],
    loginFolders: [],
  };
}

function notHeld(name: string): AgentFailure {
  return {
    code: 'not_read_only',
    message: `This run is read-only, and nothing here can hold ${name} to that. Run it in a sandbox.`,
    retryable: false,
  };
}
