import { homedir } from 'node:os';
import { join } from 'node:path';
import { defined, done, failed, type Result } from '@attractor/base';
import { createLocalExecutionEnvironment } from '../execution/local.ts';
import { joinFolders } from '../execution/several-folders.ts';
import {
  createPolicy,
  excludedCommands,
  type IsExcluded,
  type ParsedRule,
  parseRule,
  type PermissionMode,
  type PermissionRule,
  type Policy,
  type RuleFiles,
} from '@attractor/policy';
import { createProfile, PROFILE_IDS, profileFor } from '../profiles/choose.ts';
import { withOldNames } from '../profiles/old-names.ts';
import type { ToolPorts } from '../profiles/ports.ts';
import type { Sandbox } from '@attractor/confine';
import { outputFolder } from '@attractor/journal';
import { isOfferedWhereNothingChanges, ownNameOf } from '@attractor/tool-table';
import type { BackgroundShells } from '../tools/background/shells.ts';
import type { SearchWeb } from '@attractor/pages/search';
import { searchOfProvider, searchServiceIn } from '@attractor/pages/search';
import { withinDomains } from '../tools/web/within-domains.ts';
import {
  createToolRegistry,
  type ExecutionEnvironment,
  type ProviderProfile,
  type RegisteredTool,
  type ToolRegistry,
} from '../types/index.ts';
import type { AgentSessionOptions, SessionPlace } from './agent-session.ts';
import type { SessionFiles } from './session-files.ts';

/** The environment of a session's tools: all of its folders together, with commands in the sandbox. */
export function environmentOf(
  options: AgentSessionOptions,
  { place, sandbox, variables, seen }: Commands & { readonly place: SessionPlace | null },
): ExecutionEnvironment {
  const { folder } = options;
  const folders = [folder, ...furtherFoldersOf(options)];
  const isExcluded = sandbox === null ? undefined : exclusionOf(options, seen);
  const confined = {
    sandbox: sandbox ?? undefined,
    variables,
    folders,
    isExcluded,
    ...defined({ env: options.variables }),
  };
  const outputs = place === null ? {} : { outputFolder: outputFolder(place) };
  return joinFolders(
    createLocalExecutionEnvironment(folder, 'inherit_none', { ...confined, ...outputs }),
    furtherFoldersOf(options).map((further) => createLocalExecutionEnvironment(further, 'inherit_none', confined)),
  );
}

type Commands = Pick<Judging, 'sandbox' | 'seen'> & {
  readonly variables: () => Readonly<Record<string, string>>;
};

export function furtherFoldersOf({ furtherFolders, setup }: AgentSessionOptions): ReadonlyArray<string> {
  return furtherFolders ?? setup?.folders ?? [];
}

export function modeOf({ readOnly, mode, setup }: AgentSessionOptions): PermissionMode {
  return readOnly === true ? 'plan' : (mode ?? setup?.mode ?? 'default');
}

/** Rules are taken as they are; a text is an allow rule. The first text that does not parse as a rule is reported. */
export function rulesOf({ rules = [], folder }: AgentSessionOptions): Result<ReadonlyArray<PermissionRule>> {
  const value: PermissionRule[] = [];
  for (const rule of rules) {
    const parsed = typeof rule === 'string' ? readRule(rule, folder) : { ok: true as const, rule };
    if (!parsed.ok) return failed({ code: 'refused', message: parsed.error.message, retryable: false });
    value.push(parsed.rule);
  }
  return done(value);
}

function readRule(text: string, root: string): ParsedRule {
  return parseRule(text, 'allow', { scope: 'flag', file: null, line: null, root });
}

/** The same answer for whoever judges a command and for whoever runs it; undefined: nothing is excluded. */
function exclusionOf(options: AgentSessionOptions, variables: Judging['seen']): IsExcluded | undefined {
  const { folder, setup } = options;
  const patterns = setup?.excludedCommands ?? [];
  const folders = [folder, ...furtherFoldersOf(options)];
  const home = setup?.userHome ?? homedir();
  return patterns.length === 0 ? undefined : excludedCommands(patterns, { root: folder, home, folders, variables });
}

type Judging = {
  readonly rules: ReadonlyArray<PermissionRule>;
  readonly sandbox: Sandbox | null;
  readonly environment?: ExecutionEnvironment;
  /** What commands see now; hooks may add to it. */
  readonly seen: () => Readonly<Record<string, string>>;
};

/** What a session may do without asking, and which pages it may read. */
export function policyOf(options: AgentSessionOptions, { rules, sandbox, environment, seen }: Judging): Policy {
  const { folder, setup, policy, limit, hostFiles } = options;
  if (policy !== undefined) return policy;
  const judging = createPolicy({
    rules: [...rules, ...(setup?.rules ?? [])],
    mode: modeOf(options),
    root: folder,
    home: setup?.userHome ?? options.variables?.['HOME'] ?? homedir(),
    additionalDirectories: furtherFoldersOf(options),
    variables: seen,
    ...defined({ limit, hostFiles, isExcluded: sandbox === null ? undefined : exclusionOf(options, seen) }),
    sandboxed: sandbox !== null || options.sandbox === 'none',
    checks: sandbox === null ? [] : (options.checks ?? []),
    containment: defined({
      tools: environment?.refuses,
      together: environment?.refusesTogether,
      commands: sandbox?.refuses,
      addresses: sandbox?.cutsOff,
    }),
  });
  return withinDomains(judging, { ...setup?.limits.network, commands: sandbox === null ? 'free' : 'confined' });
}

/**
 * Where "allow always" is saved. A rule in a file of the repository would change what was trusted, so permanent rules go to the person's
 * own file.
 */
export function ruleFilesOfPerson({ setup, folder, isFolderPassing }: AgentSessionOptions): RuleFiles | undefined {
  if (setup === undefined) return undefined;
  const userSettings = join(setup.home, 'config.json');
  return { root: folder, ...defined({ isPassing: isFolderPassing }), userSettings };
}

type Equipping = {
  readonly provider: string;
  readonly model: string | undefined;
  readonly files: SessionFiles;
  readonly background: BackgroundShells | null;
  readonly isResumed: boolean;
};

export type Profiles = {
  readonly profile: ProviderProfile;
  readonly profiles: ReadonlyArray<ProviderProfile>;
  /** Makes the tools anew that give a model the texts of a person's files. */
  readonly renew: () => void;
};

/** The session's profile, and those that it may have been switched to before. */
export async function profilesOf(options: AgentSessionOptions, equipping: Equipping): Promise<Profiles> {
  const { provider, model, files, background, isResumed } = equipping;
  const { profile: wanted = profileFor, tools = [], readOnly } = options;
  const portsNow = (): ToolPorts => ({
    // Every call carries its own conversation.
    history: () => [],
    web: {},
    ...defined({
      search: searchServiceIn(options.setup?.env ?? options.variables ?? {}, ownSearch(options, equipping)),
    }),
    ...(background === null ? {} : { background }),
    ...files.ports(),
    ...options.ports,
  });
  let ports = portsNow();
  const choose = (): ProviderProfile =>
    typeof wanted === 'string' ? createProfile({ id: wanted, ports }) : wanted(provider, model, { ports });
  const profile = await files.equip(choose());
  const further = isResumed ? PROFILE_IDS.map((id) => files.equip(createProfile({ id, ports }))) : [];
  const profiles = await Promise.all(further);
  const { systemText } = options;
  const speaking = { ...profile, ...defined({ systemText }) };
  const isOffered = (tool: RegisteredTool): boolean => readOnly !== true || isOfferedWhereNothingChanges(tool);
  const toolRegistry = createToolRegistry([...profile.toolRegistry.list().filter(isOffered), ...tools]);
  const own = withOldNames(
    tools.length === 0 && readOnly !== true ? speaking : { ...speaking, toolRegistry },
    () => ports,
  );
  const given = new Set(tools.map(({ definition }) => definition.name));
  const renew = (): void => {
    ports = portsNow();
    const isRenewed = (tool: RegisteredTool): boolean => isOffered(tool) && !given.has(tool.definition.name);
    renewTexts(own.toolRegistry, choose().toolRegistry.list().filter(isRenewed));
    for (const one of profiles) renewTexts(one.toolRegistry, createProfile({ id: one.id, ports }).toolRegistry.list());
  };
  return { profile: own, profiles, renew };
}

/** The tools that give a model the texts of a person's files. */
const OF_TEXTS: ReadonlySet<string> = new Set(['skill', 'slash_command']);

function renewTexts(registry: ToolRegistry, made: ReadonlyArray<RegisteredTool>): void {
  const isOfTexts = ({ definition }: RegisteredTool): boolean => OF_TEXTS.has(ownNameOf(definition.name));
  for (const { definition } of registry.list().filter(isOfTexts)) registry.unregister(definition.name);
  for (const tool of made.filter(isOfTexts)) registry.register(tool);
}

function ownSearch({ client }: AgentSessionOptions, { provider, model }: Equipping): SearchWeb | undefined {
  return model === undefined ? undefined : searchOfProvider(client, { provider, model });
}

/** Which tools a session has of those that are built in; undefined: all. Tools that were given to it are always there. */
function offersOf({ onlyTools, tools = [] }: AgentSessionOptions): ((toolName: string) => boolean) | undefined {
  if (onlyTools === undefined) return undefined;
  const given = new Set(tools.map(({ definition }) => definition.name));
  const own = new Set(onlyTools.map(ownNameOf));
  return (toolName) => given.has(toolName) || own.has(ownNameOf(toolName));
}

/** What the session gets as it was given. */
export function passedOn(options: AgentSessionOptions, background: BackgroundShells | null) {
  const { approve, askUser, questionPreviews, beforeChange, confirmStart, now, saidMeanwhile } = options;
  return {
    approve,
    askUser,
    questionPreviews,
    beforeChange,
    confirmStart,
    now,
    saidMeanwhile,
    setupTrigger: options.setupTrigger,
    toolAliases: options.toolAliases,
    circumstances: { ...options.circumstances, background: () => background?.list() ?? [] },
    offers: offersOf(options),
  };
}

/** The session goes on without what can't be read; who goes on with it should know. */
export function damageOf(place: SessionPlace | null): ReadonlyArray<string> {
  const [first, ...more] = place?.journal.damaged ?? [];
  if (first === undefined) return [];
  const words = more.length === 0 ? `line ${first.line}` : `${more.length + 1} lines, from line ${first.line} on,`;
  return [`Damaged and left out: ${words} of the conversation's journal. Everything else is there.`];
}
