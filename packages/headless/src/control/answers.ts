import type { AgentSession } from '@attractor/agent';
import { isRecord, messageOf } from '@attractor/base';
import { newUuid } from '@attractor/base/id';
import { getModelInfo, listModels, modelNamed } from '@attractor/llm';
import type { PermissionMode } from '@attractor/policy';
import { informationalLine, type Line } from '@attractor/stream-json';
import { serverStatus } from '../server-status.ts';
import type { Fields } from './channel.ts';
import { effortOf } from './effort.ts';
import type { Answer, Controlled, ControlOutcome } from './controlled.ts';
import { reconnectServer, setServers, toggleServer } from './server-requests.ts';
import { stopTask } from './stop-task.ts';

/** What a program at the other end of the pipes may request during the session. Every request is answered, also unknown ones. */
export function answerControl(controlled: Controlled): (line: Fields) => void {
  return (line) => {
    const { write, session } = controlled;
    if (line['type'] !== 'control_request') {
      const message = `A line of the type ${JSON.stringify(line['type'])} came on stdin: nothing was done with it.`;
      write(informationalLine(message, session.id));
      return;
    }
    const request = isRecord(line['request']) ? line['request'] : {};
    const subtype = String(request['subtype']);
    const outcome = ANSWERS[subtype]?.(controlled, request) ?? { error: refusalOf(subtype) };
    const answer = (known: ControlOutcome): void => write(controlResponse(line['request_id'] ?? null, known));
    // What takes no time is answered before anything else is written.
    if (outcome instanceof Promise) void outcome.catch(failureOf).then(answer);
    else answer(outcome);
  };
}

function failureOf(error: unknown): ControlOutcome {
  return { error: messageOf(error) };
}

export function controlResponse(requestId: unknown, outcome: ControlOutcome): Line {
  const subtype = 'error' in outcome ? 'error' : 'success';
  return { type: 'control_response', response: { subtype, request_id: requestId, ...outcome } };
}

/** The answer to `initialize`, once the session is open. */
export function initializedResponse({ session, version }: Pick<Controlled, 'session' | 'version'>): Fields {
  const names = session.names();
  return {
    commands: names.listed,
    agents: names.agents.map((name) => ({ name, description: '' })),
    output_style: names.style,
    available_output_styles: [...new Set(['default', names.style])],
    models: modelsOf(session.provider),
    account: {},
    hooks_applied: true,
    hook_on_failure_supported: true,
    plugins_applied: true,
    claude_code_version: version,
  };
}

function modelsOf(provider: string): ReadonlyArray<Fields> {
  return listModels(provider).map(({ id, displayName }) => ({ value: id, displayName, description: displayName }));
}

/** Requests of the Claude Agent SDK that are refused, and why. */
export const REFUSED_REQUESTS: Readonly<Record<string, string>> = {
  initialize: 'initialize must be the first line on stdin, once',
  apply_flag_settings: 'apply_flag_settings is not done: give settings when the session starts',
  background_tasks: 'background_tasks is not done: a command runs in the background if the model starts it so',
  cancel_async_message: 'cancel_async_message is not done: interrupt stops the prompt and drops what waits behind it',
  file_suggestions: 'file_suggestions is not done: there is no prompt to complete here',
  get_hooks_listing: 'get_hooks_listing is not done: see `attractor config show`',
  get_settings: 'get_settings is not done: see `attractor config show --json`',
  get_task_output: 'get_task_output is not done: the model reads what its commands print',
  list_permission_rules: 'list_permission_rules is not done: see `attractor config show`',
  mcp_read_resource: 'mcp_read_resource is not done: a prompt names a resource, @server:uri',
  read_file: 'read_file is not done: the files are on this machine',
  register_repo_root: 'register_repo_root is not done: choose the folders when the session starts',
  reload_output_styles: 'reload_output_styles is not done: a session keeps what it began with',
  reload_plugins: 'reload_plugins is not done: a session keeps what it began with',
  rename_session: 'rename_session is not done: a session is called by its first prompt',
  seed_read_state: 'seed_read_state is not done: what was read is known from the conversation',
  set_color: 'set_color is not done: there are no colours here',
  set_mcp_permission_mode_override: 'set_mcp_permission_mode_override is not done: write a rule of ask for mcp__server',
  update_settings: 'update_settings is not done: settings are changed in their files',
  get_usage: 'get_usage asks about an account that we do not have',
};

function refusalOf(subtype: string): string {
  return `${REFUSED_REQUESTS[subtype] ?? `${subtype} can't be asked for here`}. Known: ${Object.keys(ANSWERS).join(', ')}.`;
}

const MODES: Readonly<Record<string, PermissionMode>> = {
  default: 'default',
  manual: 'default',
  acceptEdits: 'acceptEdits',
  plan: 'plan',
  dontAsk: 'dontAsk',
  bypassPermissions: 'bypassPermissions',
};

const ANSWERS: Readonly<Record<string, Answer>> = {
  interrupt: ({ cancel }) => {
    cancel();
    return { response: { still_queued: [] } };
  },
  set_model: ({ session, initialModel }, { model = null }) => {
    if (model !== null && (typeof model !== 'string' || model === ''))
      return { error: 'set_model needs the name of a model.' };
    const to = model === null || model === 'default' ? initialModel : modelNamed(model);
    session.configure({ model: to, by: { source: 'sdk', asked: model } });
    return { response: {} };
  },
  set_permission_mode: ({ session, mayBypass, write }, { mode: wanted }) => {
    const mode = typeof wanted === 'string' && Object.hasOwn(MODES, wanted) ? MODES[wanted] : undefined;
    if (mode === undefined)
      return { error: `there is no mode ${JSON.stringify(wanted)} here. Known: ${Object.keys(MODES).join(', ')}.` };
    if (mode === 'bypassPermissions' && !mayBypass)
      return { error: 'bypassPermissions has to be allowed at the start: --allow-dangerously-skip-permissions.' };
    session.setMode(mode);
    write({
      type: 'system',
      subtype: 'status',
      status: null,
      permissionMode: mode,
      session_id: session.id,
      uuid: newUuid(),
    });
    return { response: { mode } };
  },
  set_max_thinking_tokens: ({ session }, { max_thinking_tokens: tokens }) => {
    if (tokens === undefined) return { response: {} };
    const effort = effortOf(tokens);
    if (effort === undefined) return { error: 'set_max_thinking_tokens needs a number of tokens, or null.' };
    session.configure({ reasoningEffort: effort });
    return { response: {} };
  },
  mcp_message: ({ hostServers }, { server_name: name, message }) =>
    hostServers.deliver(String(name), message)
      ? { response: {} }
      : { error: `there is no MCP server ${String(name)} in this program.` },
  rewind_files: ({ rewindFiles }, { user_message_id: id, dry_run: isDry }) =>
    rewindFiles(String(id), isDry === true ? 'look' : 'do'),
  mcp_call: async ({ session }, { tool, arguments: args }) => {
    const result = await session.callServer(String(tool), isRecord(args) ? args : {});
    if (result === null) return { error: `there is no tool ${String(tool)}.` };
    return { response: { content: [{ type: 'text', text: result.output }], isError: result.isError } };
  },
  get_session_cost: ({ costUsd }) => ({ response: { text: costText(costUsd()) } }),
  // No line is ever held back.
  set_has_subscribers: () => ({ response: {} }),
  mcp_status: ({ session }) => ({ response: { mcpServers: session.servers().map(serverStatus) } }),
  mcp_reconnect: reconnectServer,
  mcp_toggle: toggleServer,
  mcp_set_servers: setServers,
  stop_task: stopTask,
  get_context_usage: ({ session }) => ({ response: contextUsage(session) }),
  list_models: ({ session }) => ({ response: { models: modelsOf(session.provider) } }),
  reload_skills: async ({ session }) => {
    const unread = await session.readSkillsAgain();
    return unread === null ? { response: { skills: session.names().listed } } : { error: unread };
  },
  get_binary_version: ({ version }) => ({ response: { version } }),
};

/** Requests that are done; `initialize` is, as the first line. */
export const DONE_REQUESTS: ReadonlyArray<string> = ['initialize', ...Object.keys(ANSWERS)];

function costText(costUsd: number | null): string {
  return `Total cost: ${costUsd === null ? 'unknown' : `$${costUsd.toFixed(4)}`}`;
}

/** What the conversation takes of the window. Parts of it are not counted one by one. */
function contextUsage(session: AgentSession): Fields {
  const maxTokens = getModelInfo(session.model)?.contextWindow ?? null;
  const last = session.tokensInUse();
  return {
    categories: [{ name: 'Messages', tokens: last, color: '' }],
    totalTokens: last,
    maxTokens,
    rawMaxTokens: maxTokens,
    percentage: maxTokens === null ? null : Math.round((last / maxTokens) * 100),
    gridRows: [],
    model: session.model,
    memoryFiles: [],
    mcpTools: [],
    agents: [],
    isAutoCompactEnabled: true,
    apiUsage: null,
  };
}
