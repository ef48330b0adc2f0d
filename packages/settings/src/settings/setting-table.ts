import type { ValueType } from './value-types.ts';
import { whyNotVariable } from './repository-variables.ts';

/**
 * replace  the strongest scope's value counts
 * concat   entries of all scopes count
 * by-key   for each entry of the map the strongest scope's counts
 */
export type MergeRule = 'replace' | 'concat' | 'by-key';

/**
 * One setting. `isLimit`: it may forbid something, so a file in which it can't be parsed fails closed. `fromRepository`: `always` for what
 * can only forbid, so that a limit holds before anybody trusted the repository; `trusted` for what could allow or run something.
 */
export type SettingRow = {
  readonly name: string;
  readonly type: ValueType;
  readonly merge: MergeRule;
  readonly isLimit: boolean;
  readonly fromRepository: 'always' | 'trusted' | 'never';
  /** Values that a repository may not set, trusted or not. */
  readonly notFromRepository?: ReadonlyArray<unknown>;
  /** Why a repository may not set this entry of the map, trusted or not; null if it may. */
  readonly whyNotFromRepository?: (key: string, value: unknown) => string | null;
  readonly default?: unknown;
  /** Nobody reads it: why it has no effect here. It is shown as such. */
  readonly idle?: string;
  /** The only value that has no effect. Absent: none has. */
  readonly idleValue?: unknown;
  /** Claude Code's settings.json has it too, under the same name or this one. */
  readonly claude?: true | string;
};

const plain = { merge: 'replace', isLimit: false, fromRepository: 'trusted' } as const;
const own = { merge: 'replace', isLimit: false, fromRepository: 'never' } as const;
const limit = { merge: 'replace', isLimit: true, fromRepository: 'trusted', claude: true } as const;
const ownLimit = { merge: 'replace', isLimit: true, fromRepository: 'never', claude: true } as const;
const lists = { type: 'texts', merge: 'concat', isLimit: true, fromRepository: 'trusted', claude: true } as const;
const ownLists = { ...lists, fromRepository: 'never', isLimit: false } as const;
/** What can't be read of them allows nothing. */
const allowances = { ...lists, isLimit: false } as const;
const denials = { ...lists, fromRepository: 'always' } as const;

/** All settings. Addresses, keys, headers and proxies are never taken from a repository, nor variables that programs obey. */
export const SETTINGS: ReadonlyArray<SettingRow> = [
  { ...own, name: 'home', type: 'text' },
  { ...plain, name: 'provider', type: 'text' },
  { ...plain, name: 'model', type: 'text', claude: true },
  { ...own, name: 'providers', type: 'field-map', merge: 'by-key' },
  { ...own, name: 'codexProvider', type: 'text' },
  { ...own, name: 'apiKeyHelper', type: 'text', claude: true },
  { ...plain, name: 'fallbackModel', type: 'text', claude: true },
  { ...own, name: 'proxies.http', type: 'text' },
  { ...own, name: 'proxies.https', type: 'text' },
  { ...own, name: 'proxies.no', type: 'text' },
  { ...plain, name: 'agents', type: 'field-map', merge: 'by-key' },
  { ...plain, name: 'defaultAgentType', type: 'text' },
  { ...plain, name: 'checks', type: 'checks', merge: 'by-key' },
  { ...plain, name: 'failOnError', type: 'switch', default: true },
  { ...plain, name: 'failOnWarning', type: 'switch', default: false },
  { ...plain, name: 'strict', type: 'switch', default: false },
  { ...plain, name: 'setup', type: 'whole' },
  { ...plain, name: 'git', type: 'whole' },
  { ...plain, name: 'defaultBranch', type: 'text' },
  { ...plain, name: 'retry', type: 'whole' },
  { ...plain, name: 'supervisor', type: 'whole' },
  { ...plain, name: 'queue', type: 'whole' },
  { ...plain, name: 'labels', type: 'texts', merge: 'concat' },
  { ...plain, name: 'notifications', type: 'whole' },
  { ...own, name: 'budgets', type: 'whole' },
  { ...own, name: 'maxDiskGb', type: 'number' },
  { ...plain, name: 'env', type: 'text-map', merge: 'by-key', claude: true, whyNotFromRepository: whyNotVariable },
  { ...own, name: 'variables.inherit', type: 'inherit', isLimit: true },
  { ...own, name: 'variables.includeOnly', type: 'texts', merge: 'concat', isLimit: true },
  { ...plain, name: 'variables.exclude', type: 'texts', merge: 'concat', isLimit: true, fromRepository: 'always' },
  { ...own, name: 'variables.pass', type: 'texts', merge: 'concat' },
  { ...allowances, name: 'permissions.allow' },
  { ...denials, name: 'permissions.ask' },
  { ...denials, name: 'permissions.deny' },
  { ...allowances, name: 'permissions.additionalDirectories' },
  {
    ...limit,
    name: 'permissions.defaultMode',
    type: 'mode',
    default: 'default',
    notFromRepository: ['bypassPermissions'],
  },
  { ...limit, name: 'permissions.disableBypassPermissionsMode', type: 'disable', fromRepository: 'always' },
  { ...limit, name: 'hooks', type: 'hooks', merge: 'concat' },
  { ...ownLimit, name: 'disableAllHooks', type: 'switch', default: false },
  { ...plain, name: 'mcpServers', type: 'object-map', merge: 'by-key' },
  { ...lists, name: 'enabledMcpjsonServers' },
  { ...denials, name: 'disabledMcpjsonServers' },
  { ...own, name: 'enableAllProjectMcpServers', type: 'switch', default: false, claude: true },
  {
    ...ownLimit,
    name: 'sandbox.enabled',
    type: 'switch',
    idle: 'commands run in the sandbox wherever there is one; only --allow-unsandboxed does without',
    idleValue: false,
  },
  {
    ...ownLimit,
    name: 'sandbox.failIfUnavailable',
    type: 'switch',
    idle: 'without a sandbox nothing starts unattended anyway, unless a person allows it',
  },
  {
    ...ownLimit,
    name: 'sandbox.autoAllowBashIfSandboxed',
    type: 'switch',
    idle: 'a command is judged the same inside the sandbox',
  },
  {
    ...ownLimit,
    name: 'sandbox.allowUnsandboxedCommands',
    type: 'switch',
    idle: 'no command leaves the sandbox but those of sandbox.excludedCommands',
  },
  { ...ownLists, name: 'sandbox.excludedCommands' },
  { ...ownLists, name: 'sandbox.filesystem.allowWrite' },
  { ...denials, name: 'sandbox.filesystem.denyWrite' },
  { ...denials, name: 'sandbox.filesystem.denyRead' },
  { ...ownLists, name: 'sandbox.filesystem.allowRead' },
  { ...denials, name: 'sandbox.credentials.files', type: 'withheld' },
  { ...denials, name: 'sandbox.credentials.envVars', type: 'withheld' },
  { ...allowances, name: 'sandbox.network.allowedDomains' },
  { ...denials, name: 'sandbox.network.deniedDomains' },
  {
    ...ownLimit,
    name: 'sandbox.network.strictAllowlist',
    type: 'switch',
    idle: 'only allowed domains are ever reached',
  },
  {
    ...ownLists,
    name: 'sandbox.network.allowUnixSockets',
    idle: 'commands in the sandbox reach no service of this machine',
  },
  {
    ...ownLimit,
    name: 'sandbox.network.allowLocalBinding',
    type: 'switch',
    idle: 'commands in the sandbox reach no service of this machine',
  },
  { ...ownLimit, name: 'sandbox.network.httpProxyPort', type: 'number', idle: 'the proxy of the sandbox is our own' },
  { ...ownLimit, name: 'sandbox.network.socksProxyPort', type: 'number', idle: 'the proxy of the sandbox is our own' },
  { ...plain, name: 'outputStyle', type: 'text', claude: true },
  { ...own, name: 'statusLine', type: 'status-line', claude: true },
  { ...plain, name: 'autoCompactEnabled', type: 'switch', default: true, claude: true },
];
