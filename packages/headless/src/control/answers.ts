import { isRecord, messageOf } from '@attractor/base';
import { newUuid } from '@attractor/base/id';
import { getModelInfo, listModels, modelNamed } from '@attractor/llm';
import { informationalLine, type Line, modelUsages } from '@attractor/stream-json';
import { ownListed } from '../own-answers.ts';
import { serverStatus } from '../server-status.ts';
import type { Fields } from './channel.ts';
import type { Answer, Controlled, ControlOutcome, SessionUsage } from './controlled.ts';
import { applyFlagSettings, overrideServerMode, updateSettings } from './flag-settings.ts';
import { leaveTasks, readFileFor, readServerResource, seedReadState } from './file-requests.ts';
import { modeAsked } from './permission-mode.ts';
import { agentsOf, reloadPlugins, reloadStyles } from './reload-requests.ts';
import { reconnectServer, setServers, toggleServer } from './server-requests.ts';
import { setThinking } from './set-thinking.ts';
import { stopTask } from './stop-task.ts';

/** What a program at the other end of the pipes may request during the session. Every request is answered, also unknown ones. */
export function answerControl(controlled: Controlled): (line: Fields) => void {
  return (line) => {
    const { write, session } = controlled;
    if (line['type'] !== 'control_request') {
      const message = `A line of the type ${JSON.stringify(line['type'])} came on stdin: it was ignored.`;
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
    commands: [...names.listed, ...ownListed(names.listed.map(({ name }) => name))],
    agents: agentsOf(session),
    output_style: names.style,
    available_output_styles: names.styles,
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
  cancel_async_message: 'cancel_async_message is not done: interrupt stops the prompt and drops what waits behind it',
  file_suggestions: 'file_suggestions is not done: there is no prompt to complete here',
  get_hooks_listing: 'get_hooks_listing is not done: see `attractor config show`',
  get_settings: 'get_settings is not done: see `attractor config show --json`',
  get_task_output: 'get_task_output is not done: the model reads what its commands print',
  list_permission_rules: 'list_permission_rules is not done: see `attractor config show`',
  register_repo_root: 'register_repo_root is not done: choose the folders when the session starts',
  set_color: 'set_color is not done: there are no colours here',
};

function refusalOf(subtype: string): string {
  return `${REFUSED_REQUESTS[subtype] ?? `${subtype} can't be asked for here`}. Known: ${Object.keys(ANSWERS).join(', ')}.`;
}

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
  set_permission_mode: (controlled, { mode: wanted }) => {
    const asked = modeAsked(controlled, wanted);
    if ('error' in asked) return asked;
    const { session, write } = controlled;
    const { mode } = asked;
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
  set_max_thinking_tokens: setThinking,
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
  get_session_cost: ({ usage }) => ({ response: { text: costText(usage().tally.costUsd) } }),
  get_usage: ({ usage }) => ({ response: usageFields(usage()) }),
  // No line is ever held back.
  set_has_subscribers: () => ({ response: {} }),
  rename_session: ({ session }, { title, session_id: id = session.id }) => {
    if (typeof title !== 'string' || title.trim() === '') return { error: 'rename_session needs `title`, a text.' };
    if (id !== session.id) return { error: `rename_session: this is the session ${session.id}, not ${String(id)}.` };
    session.configure({ title });
    return { response: {} };
  },
  mcp_status: ({ session }) => ({ response: { mcpServers: session.servers().map(serverStatus) } }),
  mcp_reconnect: reconnectServer,
  mcp_toggle: toggleServer,
  mcp_set_servers: setServers,
  stop_task: stopTask,
  get_context_usage: (controlled) => ({ response: contextUsage(controlled) }),
  list_models: ({ session }) => ({ response: { models: modelsOf(session.provider) } }),
  reload_skills: async ({ session }) => {
    const unread = await session.readSkillsAgain();
    return unread === null ? { response: { skills: session.names().listed } } : { error: unread };
  },
  initialize: ({ initializeAgain }, request) => initializeAgain(request),
  apply_flag_settings: applyFlagSettings,
  update_settings: updateSettings,
  set_mcp_permission_mode_override: overrideServerMode,
  read_file: readFileFor,
  seed_read_state: seedReadState,
  mcp_read_resource: readServerResource,
  background_tasks: leaveTasks,
  reload_plugins: reloadPlugins,
  reload_output_styles: reloadStyles,
  get_binary_version: ({ version }) => ({ response: { version } }),
};

export const DONE_REQUESTS: ReadonlyArray<string> = Object.keys(ANSWERS);

/** What the session used. Of an account nothing is known: it has none. */
function usageFields({ tally, apiMs, durationMs, lines }: SessionUsage): Fields {
  return {
    session: {
      total_cost_usd: tally.costUsd ?? 0,
      total_api_duration_ms: Math.round(apiMs),
      total_duration_ms: Math.round(durationMs),
      total_lines_added: lines.added,
      total_lines_removed: lines.removed,
      model_usage: modelUsages(tally),
    },
    subscription_type: null,
    rate_limits_available: false,
    rate_limits: null,
    behaviors: null,
  };
}

function costText(costUsd: number | null): string {
  return `Total cost: ${costUsd === null ? 'unknown' : `$${costUsd.toFixed(4)}`}`;
}

/** What the conversation takes of the window. Parts of it are not counted one by one. */
function contextUsage({ session, setup }: Pick<Controlled, 'session' | 'setup'>): Fields {
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
    isAutoCompactEnabled: setup.compacts,
    apiUsage: null,
  };
}
