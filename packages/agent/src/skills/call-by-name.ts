import {
  type Expanded,
  expandTemplate,
  hasCommands,
  type SettingOrigin,
  type TemplateForm,
  type UserFiles,
} from '@attractor/settings';
import { defined } from '@attractor/base';
import type { Called, DelegatedOrder } from '../contract/session.ts';
import type { ToolResult } from '../types/index.ts';
import { guardedPorts, type TemplateWorld } from './guarded-ports.ts';
import type { SkillCall, Skills } from './skill-tool.ts';
import type { SlashCommandCall, SlashCommands } from '../tools/plan/slash-command.ts';

export type CallWorld = TemplateWorld & {
  readonly sessionId: string;
  /** Told of a skill that was used. */
  readonly onSkill?: (name: string) => void;
  /** Has an agent do what a skill says, for skills that want one. Absent: they are read in the conversation. */
  readonly delegate?: (order: DelegatedOrder, signal?: AbortSignal) => Promise<ToolResult>;
};

/** What a session can call by name. `world` is read at the time of a call, because a session is made after its tools. */
export type NamedTexts = {
  readonly skills: Skills;
  readonly commands: SlashCommands;
  /** The text behind a person's `/name arguments`; null if it is neither a command nor a skill, and so stays unchanged. */
  readonly fromPerson: (input: string) => Promise<Expanded | null>;
  /** The text of any skill, for an agent that is given it; null: there is none of this name. */
  readonly skillFor: (name: string) => Promise<Expanded | null>;
  /** What a person's `/name arguments` calls; null if there is nothing of that name. */
  readonly calledIn: (input: string) => Omit<Called, 'type' | 'expand'> | null;
};

/** A skill wins over a command of the same name. A command in subfolders is also found by its last name if that is unique. */
export function namedTexts(files: Pick<UserFiles, 'skills' | 'commands'>, world: () => CallWorld): NamedTexts {
  const entries = entriesOf(files);
  const say = (entry: Entry | undefined, call: Call): Promise<Expanded | null> =>
    entry === undefined ? Promise.resolve(null) : expand(entry, call, world());
  const skills = entries.filter(({ kind }) => kind === 'skill');
  return {
    skills: {
      list: () => skills.filter(({ forModel }) => forModel),
      runsCommands: skills.some(({ text, form }) => hasCommands(text, form)),
      read: (call: SkillCall) =>
        say(
          find(
            skills.filter(({ forModel }) => forModel),
            call.name,
          ),
          call,
        ),
    },
    commands: {
      list: () => entries.filter(({ kind, forModel }) => kind === 'command' && forModel),
      runsCommands: entries.some(({ text, form }) => hasCommands(text, form)),
      run: async (call: SlashCommandCall) => {
        const said = await say(
          find(
            entries.filter(({ forModel }) => forModel),
            call.name,
          ),
          call,
        );
        return said === null || said.ok ? (said?.text ?? null) : { output: said.message, isError: true };
      },
    },
    fromPerson: async (input) => {
      const called = entryIn(entries, input);
      return called === null ? null : say(called.entry, { arguments: called.arguments, context: undefined });
    },
    // The agent is at work already: it reads what another one would carry out.
    skillFor: (name) => {
      const entry = find(skills, name);
      return say(entry && { ...entry, fork: null }, { arguments: '', context: undefined });
    },
    calledIn: (input) => {
      const called = entryIn(entries, input);
      if (called === null) return null;
      const { name, model, origin, isOfPlugin } = called.entry;
      const source = isOfPlugin ? 'plugin' : SOURCES[origin.scope];
      // A skill that an agent of its own carries out gives the model to that agent.
      const own = called.entry.fork === null ? model : undefined;
      return { name, arguments: called.arguments, source: source ?? origin.scope, ...defined({ model: own }) };
    },
  };
}

/** As Claude Code calls the places of commands. */
const SOURCES: Readonly<Record<string, string>> = { user: 'userSettings', project: 'projectSettings' };

function entryIn(
  entries: ReadonlyArray<Entry>,
  input: string,
): { readonly entry: Entry; readonly arguments: string } | null {
  const [, name, given = ''] = /^\/([^\s/]+)(?:\s+([^]*))?$/.exec(input.trim()) ?? [];
  const ofPerson = entries.filter(({ forPerson }) => forPerson);
  const entry = name === undefined ? undefined : find(ofPerson, name);
  return entry === undefined ? null : { entry, arguments: given.trim() };
}

type Call = Pick<SlashCommandCall, 'arguments' | 'context'>;

type Entry = {
  readonly kind: 'skill' | 'command';
  readonly name: string;
  readonly description: string;
  readonly text: string;
  readonly form: TemplateForm;
  readonly argumentNames: ReadonlyArray<string>;
  readonly allowedTools: ReadonlyArray<string>;
  readonly folder: string | null;
  readonly model: string | undefined;
  /** The agent that carries it out; null: it is read in the conversation. */
  readonly fork: string | null;
  readonly isOfPlugin: boolean;
  readonly forModel: boolean;
  readonly forPerson: boolean;
  readonly origin: SettingOrigin;
};

function entriesOf({ skills, commands }: Pick<UserFiles, 'skills' | 'commands'>): ReadonlyArray<Entry> {
  const taken = new Set(skills.map(({ name }) => name));
  return [
    ...skills.map((skill): Entry => ({
      ...skill,
      kind: 'skill',
      text: skill.body,
      form: 'claude',
      model: skill.model,
      fork: skill.fork ?? null,
    })),
    ...commands
      .filter(({ name }) => !taken.has(name))
      .map((command): Entry => ({
        ...command,
        kind: 'command',
        text: command.template,
        argumentNames: [],
        folder: null,
        model: command.model,
        fork: command.fork ?? null,
        forPerson: true,
      })),
  ];
}

function find(entries: ReadonlyArray<Entry>, name: string): Entry | undefined {
  const exact = entries.find((entry) => entry.name === name);
  if (exact !== undefined) return exact;
  const ending = entries.filter((entry) => entry.name.endsWith(`:${name}`));
  return ending.length === 1 ? ending[0] : undefined;
}

async function expand(entry: Entry, call: Call, world: CallWorld): Promise<Expanded> {
  const { text, form, folder, allowedTools, origin } = entry;
  const what = `the ${entry.kind} ${entry.name}`;
  const ports = guardedPorts(world, { what, allowedTools, origin, signal: call.context?.signal });
  const expanded = await expandTemplate(
    { text, form },
    {
      arguments: call.arguments,
      names: entry.argumentNames,
      // Skills count arguments from 0. Commands were written for counting from 1, unless one of them names $0.
      firstIs: entry.kind === 'skill' || /\$0(?!\d)/.test(text) ? 0 : 1,
      sessionId: world.sessionId,
      folder: folder ?? '',
    },
    ports,
  );
  if (expanded.ok && entry.kind === 'skill') world.onSkill?.(entry.name);
  if (!expanded.ok) return expanded;
  const whole = folder === null ? expanded.text : `The other files of this skill are in ${folder}\n\n${expanded.text}`;
  const { fork: agent, model } = entry;
  if (agent === null || world.delegate === undefined) return { ok: true, text: whole };
  const order = { id: entry.name, agent, instruction: whole, ...defined({ model }) };
  const { output, isError } = await world.delegate(order, call.context?.signal);
  if (isError) return { ok: false, message: output };
  return { ok: true, text: `An agent (${agent}) carried out ${what}. Its report:\n\n${output}` };
}
