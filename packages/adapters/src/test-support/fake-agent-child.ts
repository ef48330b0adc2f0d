import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

/**
 * A program that behaves like a coding agent on one of the wires: `node fake-agent-child.ts claude-code|codex|acp BEHAVIOUR [ARGUMENTS]`. It keeps
 * its conversations in HOME, as the real ones do.
 */
const [wireName = '', behaviour = ''] = process.argv.slice(2);

type Line = Readonly<Record<string, unknown>>;

/** What one wire can say and ask. */
type Wire = {
  readonly text: (text: string) => void;
  readonly odd: () => void;
  /** Whether it may. */
  readonly change: (path: string) => Promise<boolean>;
  readonly command: (command: string) => Promise<boolean>;
  readonly usage: () => void;
  /** Calls a tool of the run. */
  readonly use: (name: string, args: object) => Promise<string>;
  readonly end: (failure?: string) => void;
};

const write = (line: object): void => void process.stdout.write(`${JSON.stringify(line)}\n`);
const at = (value: unknown, ...names: ReadonlyArray<string>): unknown =>
  names.reduce<unknown>(
    (from, name) => (typeof from === 'object' && from !== null ? Reflect.get(from, name) : null),
    value,
  );

const sessions = `${process.env['HOME'] ?? '.'}/sessions`;
const SESSION = 'session-1';
const isKnown = (session: unknown): boolean =>
  existsSync(sessions) && readFileSync(sessions, 'utf8').includes(String(session));
const remember = (): void => writeFileSync(sessions, SESSION);

let open = 0;
const waiting = new Map<string, (line: Line) => void>();
const ask = (send: (id: string) => void): Promise<Line> =>
  new Promise((resolve) => {
    const id = `q${(open += 1)}`;
    waiting.set(id, resolve);
    send(id);
  });

/** What a person said into the turn, in order. */
const said: string[] = [];
let onSaid: () => void = () => undefined;
const hear = (text: unknown): void => {
  said.push(String(text));
  onSaid();
};
const heardTwice = (): Promise<void> =>
  new Promise((resolve) => {
    onSaid = () => said.length > 1 && resolve();
    onSaid();
  });

/** The work of a turn, the same on every wire. */
async function work(wire: Wire, prompt: string, isResumed: boolean): Promise<void> {
  if (behaviour === 'hangs') {
    process.on('SIGTERM', () => undefined);
    wire.text('I hang.');
    // A text that may go on is told once something else follows.
    wire.odd();
    return void setInterval(() => undefined, 1_000);
  }
  if (behaviour === 'fails') return wire.end('The model is not there.');
  if (behaviour === 'limited') return wire.end('You have hit your usage limit, resets 3pm.');
  if (behaviour === 'loggedOut') return wire.end('Not logged in: please run /login.');
  if (behaviour === 'forgets' && !prompt.includes('# What happened since')) {
    rmSync(sessions);
    return wire.end();
  }
  wire.text(`I was asked: ${prompt}`);
  if (behaviour === 'crashes') return process.exit(9);
  if (behaviour === 'floods') for (let index = 0; index < 1_200; index += 1) wire.text('x'.repeat(10_000));
  if (behaviour === 'drifts') {
    process.stdout.write('not JSON at all\n{"half":\n[]\n42\n');
    wire.odd();
  }
  if (behaviour === 'environment') wire.text(Object.keys(process.env).toSorted().join(' '));
  if (behaviour === 'escapes') {
    const answers = [];
    for (const path of readFileSync('targets.txt', 'utf8').split('\n')) answers.push(await wire.change(path));
    wire.text(JSON.stringify(answers));
    return wire.end();
  }
  if (behaviour === 'listens') {
    wire.text('I listen.');
    await heardTwice();
    wire.text(said.join(' '));
    return wire.end();
  }
  if (isResumed) {
    wire.text('I remember.');
    return wire.end();
  }
  const text = existsSync('greeting.txt') ? readFileSync('greeting.txt', 'utf8') : 'hello\n';
  if (await wire.change('greeting.txt')) writeFileSync('greeting.txt', text.replace('hello', 'good-bye'));
  if (behaviour !== 'forgets') await wire.command('npm publish');
  wire.usage();
  if (behaviour === 'asks') wire.text(`They said: ${await wire.use('ask_human', { question: 'Which colour?' })}`);
  await wire.use('report_outcome', { outcome: 'pr_ready' });
  wire.text('Done.');
  wire.end();
}

const path = (name: string): string =>
  name.startsWith('/') || name.startsWith('~') ? name : `${process.cwd()}/${name}`;

/* Claude Code: stream-json, with the control channel beside it. */

function claude(): void {
  const resumed = process.argv[process.argv.indexOf('--resume') + 1];
  const isResumed = process.argv.includes('--resume');
  let isAtWork = false;
  const control = (request: object): Promise<Line> =>
    ask((id) => write({ type: 'control_request', request_id: id, request }));
  const tool = async (name: string, input: object): Promise<boolean> => {
    const id = `call-${(open += 1)}`;
    write({
      type: 'assistant',
      message: { content: [{ type: 'tool_use', id, name, input }] },
      parent_tool_use_id: null,
    });
    const hooked = await control({
      subtype: 'hook_callback',
      callback_id: 'guard',
      input: { tool_name: name, tool_input: input },
      tool_use_id: id,
    });
    const decision = at(hooked, 'response', 'hookSpecificOutput', 'permissionDecision');
    const asked =
      decision === 'ask'
        ? await control({ subtype: 'can_use_tool', tool_name: name, input, tool_use_id: id })
        : { response: { behavior: decision } };
    const isAllowed = at(asked, 'response', 'behavior') === 'allow';
    const result = {
      type: 'tool_result',
      tool_use_id: id,
      content: isAllowed ? 'done' : 'refused',
      is_error: !isAllowed,
    };
    write({ type: 'user', message: { content: [result] }, parent_tool_use_id: null });
    return isAllowed;
  };
  const live = (event: object): void => write({ type: 'stream_event', event, parent_tool_use_id: null });
  const wire: Wire = {
    text: (text) => {
      live({ type: 'content_block_delta', delta: { type: 'text_delta', text } });
      write({ type: 'assistant', message: { content: [{ type: 'text', text }] }, parent_tool_use_id: null });
    },
    odd: () => write({ type: 'from_the_future', value: 1 }),
    change: (name) => tool('Write', { file_path: path(name), content: 'x' }),
    command: (command) => tool('Bash', { command }),
    usage: () => {
      live({ type: 'message_start', message: { model: 'claude-x' } });
      live({ type: 'message_delta', usage: { input_tokens: 100, output_tokens: 20 } });
    },
    use: async (name, args) => {
      const params = { name, arguments: args };
      const message = { jsonrpc: '2.0', id: 7, method: 'tools/call', params };
      return JSON.stringify(await control({ subtype: 'mcp_message', server_name: 'attractor', message }));
    },
    end: (failure) =>
      write({
        type: 'result',
        subtype: failure === undefined ? 'success' : 'error_during_execution',
        is_error: failure !== undefined,
        result: failure ?? 'Done.',
        session_id: SESSION,
        modelUsage: {},
      }),
  };
  createInterface({ input: process.stdin }).on('line', (text) => {
    const line: Line = JSON.parse(text);
    if (line['type'] === 'control_response')
      return waiting.get(String(at(line, 'response', 'request_id')))?.({ response: at(line, 'response', 'response') });
    if (at(line, 'request', 'subtype') === 'interrupt' && behaviour !== 'hangs') return wire.end('interrupted');
    if (line['type'] !== 'user')
      return write({ type: 'control_response', response: { subtype: 'success', request_id: line['request_id'] } });
    if (isAtWork) {
      write({ ...line, isReplay: true });
      return hear(at(line, 'message', 'content'));
    }
    isAtWork = true;
    if (isResumed && !isKnown(resumed)) {
      write({
        type: 'result',
        subtype: 'error_during_execution',
        is_error: true,
        errors: [`No conversation found with session ID: ${resumed}`],
      });
      return process.exit(1);
    }
    remember();
    write({ type: 'system', subtype: 'init', session_id: SESSION, model: 'claude-x' });
    void work(wire, String(at(line, 'message', 'content')), isResumed);
  });
}

/* The two wires of JSON-RPC: what a method answers, and what comes after. */

type Answers = Readonly<
  Record<string, (params: Line, reply: (result: object) => void, refuse: (message: string) => void) => void>
>;

function rpc(answers: Answers): void {
  createInterface({ input: process.stdin }).on('line', (text) => {
    const line: Line = JSON.parse(text);
    const { id, method } = line;
    if (method === undefined) return waiting.get(String(id))?.(line);
    const params: Line = Object(line['params'] ?? {});
    const reply = (result: object): void => write({ jsonrpc: '2.0', id, result });
    answers[typeof method === 'string' ? method : '']?.(params, reply, (message) =>
      write({ jsonrpc: '2.0', id, error: { code: -32603, message } }),
    );
  });
}

const call = (method: string, params: object): Promise<Line> =>
  ask((id) => write({ jsonrpc: '2.0', id, method, params }));

/** Calls a tool of the MCP server that was given: by starting it, as real agents do. */
async function callServer(server: Line, params: object): Promise<string> {
  const listed = Array.isArray(server['env'])
    ? server['env'].map((one) => [String(at(one, 'name')), String(at(one, 'value'))])
    : null;
  const variables: Record<string, string> = listed === null ? Object(server['env']) : Object.fromEntries(listed);
  const args = Array.isArray(server['args']) ? server['args'].map(String) : [];
  const child = spawn(String(server['command']), args, { env: { PATH: process.env['PATH'], ...variables } });
  const messages = [
    { id: 1, method: 'initialize', params: {} },
    { method: 'notifications/initialized' },
    { id: 2, method: 'tools/call', params },
  ];
  child.stdin.write(messages.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join(''));
  const answered = await new Promise<string>((resolve) => {
    createInterface({ input: child.stdout }).on('line', (line) => line.includes('"id":2') && resolve(line));
    child.on('exit', () => resolve('gone'));
  });
  child.kill();
  return answered;
}

function codex(): void {
  let server: Line = {};
  let isResumed = false;
  const tell = (method: string, params: object): void =>
    write({ method, params: { threadId: SESSION, turnId: 'turn-1', ...params } });
  const item = async (value: Line, method: string): Promise<boolean> => {
    tell('item/started', { item: { ...value, status: 'inProgress' } });
    const answer = await call(method, { ...value, itemId: value['id'], threadId: SESSION });
    const isAllowed = at(answer, 'result', 'decision') === 'accept';
    tell('item/completed', { item: { ...value, status: isAllowed ? 'completed' : 'declined' } });
    return isAllowed;
  };
  const wire: Wire = {
    text: (text) => {
      tell('item/agentMessage/delta', { delta: text });
      tell('item/completed', { item: { type: 'agentMessage', id: `m${(open += 1)}`, text } });
    },
    odd: () => tell('from/the/future', { value: 1 }),
    change: (name) => {
      const changes = [{ path: path(name), kind: { type: 'update', move_path: null }, diff: '@@' }];
      return item({ type: 'fileChange', id: `f${(open += 1)}`, changes }, 'item/fileChange/requestApproval');
    },
    command: (command) =>
      item({ type: 'commandExecution', id: `c${(open += 1)}`, command }, 'item/commandExecution/requestApproval'),
    usage: () => tell('thread/tokenUsage/updated', { tokenUsage: { last: { inputTokens: 100, outputTokens: 20 } } }),
    use: (name, args) => callServer(server, { name, arguments: args }),
    end: (failure) => {
      const error = failure === undefined ? null : { message: failure };
      tell('turn/completed', { turn: { id: 'turn-1', status: failure === undefined ? 'completed' : 'failed', error } });
    },
  };
  const opened = (params: Line, reply: (result: object) => void): void => {
    server = Object(at(params, 'config', 'mcp_servers', 'attractor') ?? {});
    remember();
    reply({ thread: { id: SESSION } });
  };
  rpc({
    initialize: (_params, reply) => reply({ userAgent: 'fake' }),
    'thread/start': opened,
    'thread/resume': (params, reply, refuse) => {
      isResumed = true;
      if (isKnown(params['threadId'])) opened(params, reply);
      else refuse(`thread not found: ${String(params['threadId'])}`);
    },
    'turn/start': (params, reply) => {
      reply({ turn: { id: 'turn-1' } });
      void work(wire, String(at(params, 'input', '0', 'text')), isResumed);
    },
    'turn/steer': (params, reply) => {
      reply({ turnId: 'turn-1' });
      const content = params['input'];
      tell('item/completed', {
        item: { type: 'userMessage', id: 'u', clientId: params['clientUserMessageId'], content },
      });
      hear(at(params, 'input', '0', 'text'));
    },
    'turn/interrupt': () => behaviour !== 'hangs' && wire.end('interrupted'),
  });
}

function acp(): void {
  let server: Line = {};
  let isResumed = false;
  let end: (result: object) => void = () => undefined;
  let refuseTurn: (message: string) => void = () => undefined;
  const update = (value: object): void =>
    write({ jsonrpc: '2.0', method: 'session/update', params: { sessionId: SESSION, update: value } });
  const options = [
    { optionId: 'yes', name: 'Allow', kind: 'allow_once' },
    { optionId: 'no', name: 'Reject', kind: 'reject_once' },
  ];
  const tool = async (value: Line): Promise<boolean> => {
    update({ sessionUpdate: 'tool_call', status: 'pending', ...value });
    const answer = await call('session/request_permission', { sessionId: SESSION, toolCall: value, options });
    const isAllowed = at(answer, 'result', 'outcome', 'optionId') === 'yes';
    update({
      sessionUpdate: 'tool_call_update',
      toolCallId: value['toolCallId'],
      status: isAllowed ? 'completed' : 'failed',
    });
    return isAllowed;
  };
  const wire: Wire = {
    text: (text) => {
      update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text }, messageId: `m${(open += 1)}` });
    },
    odd: () => update({ sessionUpdate: 'from_the_future', value: 1 }),
    change: (name) =>
      tool({
        toolCallId: `t${(open += 1)}`,
        title: 'Edit',
        kind: 'edit',
        content: [{ type: 'diff', path: path(name), oldText: 'hello', newText: 'good-bye' }],
        locations: [{ path: path(name) }],
      }),
    command: (command) =>
      tool({ toolCallId: `t${(open += 1)}`, title: command, kind: 'execute', rawInput: { command } }),
    usage: () =>
      update({ sessionUpdate: 'usage_update', used: 120, size: 1_000, cost: { amount: 0.5, currency: 'USD' } }),
    use: (name, args) => callServer(server, { name, arguments: args }),
    end: (failure) =>
      failure === undefined
        ? end({ stopReason: 'end_turn', usage: { inputTokens: 100, outputTokens: 20 } })
        : refuseTurn(failure),
  };
  const opened = (params: Line, reply: (result: object) => void): void => {
    server = Object(at(params, 'mcpServers', '0') ?? {});
    remember();
    reply({ sessionId: SESSION });
  };
  rpc({
    initialize: (_params, reply) =>
      reply({ protocolVersion: behaviour === 'newer' ? 9 : 1, agentCapabilities: { loadSession: true } }),
    'session/new': opened,
    'session/load': (params, reply, refuse) => {
      isResumed = true;
      update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'What was said before.' } });
      if (isKnown(params['sessionId'])) opened(params, reply);
      else refuse(`session not found: ${String(params['sessionId'])}`);
    },
    'session/prompt': (params, reply, refuse) => {
      [end, refuseTurn] = [reply, refuse];
      void work(wire, String(at(params, 'prompt', '0', 'text')), isResumed);
    },
    'session/cancel': () => behaviour !== 'hangs' && end({ stopReason: 'cancelled' }),
  });
}

process.stdin.on('end', () => behaviour === 'hangs' || process.exit(0));
const WIRES: Readonly<Record<string, () => void>> = { 'claude-code': claude, codex, acp };
if (behaviour === 'silent') setInterval(() => undefined, 1_000);
else WIRES[wireName]?.();
