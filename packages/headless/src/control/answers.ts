import type { AgentSession } from '@attractor/agent';
import { isRecord } from '@attractor/base';
import { newUuid } from '@attractor/base/id';
import { getModelInfo, listModels, modelNamed } from '@attractor/llm';
import type { PermissionMode } from '@attractor/policy';
import type { Line } from '@attractor/stream-json';
import { serverStatus } from '../server-status.ts';
import type { Fields } from './channel.ts';
import { effortOf } from './effort.ts';
import type { HostServers } from './host-servers.ts';

export type Controlled = {
  readonly session: AgentSession;
  readonly write: (line: Line) => void;
  readonly version: string;
  readonly hostServers: Pick<HostServers, 'deliver'>;
  /** Stops the prompt under way. */
  readonly cancel: () => void;
  /** Whether the run may switch to `bypassPermissions`: it was started so, or the person allowed it. */
  readonly mayBypass: boolean;
  readonly initialModel: string;
};

/** What a program at the other end of the pipes may request during the session. Every request is answered, also unknown ones. */
export function answerControl(controlled: Controlled): (line: Fields) => void {
  return (line) => {
    const { write, session } = controlled;
    if (line['type'] !== 'control_request') {
      const message = `A line of the type ${JSON.stringify(line['type'])} came on stdin: nothing was done with it.`;
      write({ type: 'system', subtype: 'informational', message, session_id: session.id, uuid: newUuid() });
      return;
    }
    const request = isRecord(line['request']) ? line['request'] : {};
    const subtype = String(request['subtype']);
    const outcome = ANSWERS[subtype]?.(controlled, request) ?? { error: refusalOf(subtype) };
    write(controlResponse(line['request_id'] ?? null, outcome));
  };
}

export type ControlOutcome = { readonly response: Fields } | { readonly error: string };

export function controlResponse(requestId: unknown, outcome: ControlOutcome): Line {
  const subtype = 'error' in outcome ? 'error' : 'success';
  return { type: 'control_response', response: { subtype, request_id: requestId, ...outcome } };
}

/** The answer to `initialize`, once the session is open. */
export function initializedResponse({ session, version }: Pick<Controlled, 'session' | 'version'>): Fields {
  const { names } = session;
  return {
    commands: names.commands.map((name) => ({ name, description: '', argumentHint: '' })),
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

const NOT_DONE: Readonly<Record<string, string>> = {
  initialize: 'initialize must be the first line on stdin, once',
  rewind_files: 'rewind_files is not done through this pipe: see `attractor sessions rewind`',
  mcp_reconnect: 'mcp_reconnect is not done: a server that ended is started again when it is next used',
  mcp_toggle: 'mcp_toggle is not done: choose the servers when the session starts',
  mcp_set_servers: 'mcp_set_servers is not done: choose the servers when the session starts',
  stop_task: 'stop_task is not done: interrupt stops the prompt with its agents',
  get_usage: 'get_usage asks about an account that we do not have',
};

function refusalOf(subtype: string): string {
  return `${NOT_DONE[subtype] ?? `${subtype} can't be asked for here`}. Known: ${Object.keys(ANSWERS).join(', ')}.`;
}

const MODES: Readonly<Record<string, PermissionMode>> = {
  default: 'default',
  manual: 'default',
  acceptEdits: 'acceptEdits',
  plan: 'plan',
  dontAsk: 'dontAsk',
  bypassPermissions: 'bypassPermissions',
};

const ANSWERS: Readonly<Record<string, (controlled: Controlled, request: Fields) => ControlOutcome>> = {
  interrupt: ({ cancel }) => {
    cancel();
    return { response: { still_queued: [] } };
  },
  set_model: ({ session, initialModel }, { model = null }) => {
    if (model !== null && (typeof model !== 'string' || model === ''))
      return { error: 'set_model needs the name of a model.' };
    session.configure({ model: model === null || model === 'default' ? initialModel : modelNamed(model) });
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
  mcp_status: ({ session }) => ({ response: { mcpServers: session.servers().map(serverStatus) } }),
  get_context_usage: ({ session }) => ({ response: contextUsage(session) }),
  list_models: ({ session }) => ({ response: { models: modelsOf(session.provider) } }),
  get_binary_version: ({ version }) => ({ response: { version } }),
};

/** What the last request took of the window. Parts of it are not counted one by one. */
function contextUsage(session: AgentSession): Fields {
  const { inputTokens, outputTokens } = session.usage();
  const maxTokens = getModelInfo(session.model)?.contextWindow ?? null;
  const last = inputTokens + outputTokens;
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
