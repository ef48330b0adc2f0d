import { type SyntaxNode, isNode, nameOf, nodesOf } from './syntax.ts';
import { type Tree, type Violation, isProduct, lineAt } from './tree.ts';

/* Who may start a program, what it may see of our environment, and why. */
export interface Starter {
  /** `given`: the call names the variables, allow-listed ones or none. `inherited`: it passes on its own. */
  readonly variables: 'given' | 'inherited';
  readonly why: string;
}

export const STARTERS: Readonly<Record<string, Starter>> = {
  'packages/agent/src/execution/shell.ts': {
    variables: 'given',
    why: 'the command line of a tool, a check or a hook, in the sandbox that the environment was given',
  },
  'packages/confine/src/testing/path-cases.ts': {
    variables: 'given',
    why: 'mkfifo makes the pipes of cases, in tests only; no variables at all',
  },
  'packages/files/src/change/copy-attributes.ts': {
    variables: 'given',
    why: '/bin/cp keeps attributes of a file that is replaced; no variables at all',
  },
  'packages/files/src/search/ripgrep.ts': {
    variables: 'given',
    why: 'the packaged search program, by its full path; no variables at all',
  },
  'packages/system/src/children/start-elsewhere.ts': {
    variables: 'given',
    why: 'git, hardened, with variables of its own; and the process that starts it, with none',
  },
  'packages/system/src/children/starter-program.ts': {
    variables: 'given',
    why: 'git for a larger process, as that says',
  },
  'packages/agent/src/hooks/run-command.ts': {
    variables: 'given',
    why: "a hook's program, in the session's sandbox; of a repository only once it is trusted",
  },
  'packages/terminal/src/app/process-tty.ts': {
    variables: 'given',
    why: 'tail, by its full path, puts the terminal back if we are killed; no variables at all',
  },
  'packages/confine/src/program.ts': {
    variables: 'given',
    why: 'an MCP server or an agent that a person named, or of a repository that is trusted; in the sandbox that it is given',
  },
  'packages/confine/src/sandbox/find-sandbox.ts': {
    variables: 'given',
    why: 'tries bubblewrap once, by its full path; no variables at all',
  },
  'packages/confine/src/sandbox/network/bridge.ts': {
    variables: 'inherited',
    why: 'runs inside the sandbox and starts the command there with what the command was given',
  },
  'packages/console/src/terminal/editor.ts': {
    variables: 'inherited',
    why: "the person's own editor, which they named in their environment, on a file of ours; they asked for it with a key",
  },
  'packages/cli/src/hand-over.ts': {
    variables: 'inherited',
    why: 'this same program on the Node that came with it; nothing of a repository is involved',
  },
  'packages/server/src/background-server.ts': {
    variables: 'inherited',
    why: 'this same program as a server that a person asked for with --detach; it needs the keys of models that they gave the command',
  },
  'packages/repository/src/scm/gh-program.ts': {
    variables: 'given',
    why: "the person's gh, by its full path outside the repository and in a folder of ours; it sees where its login is",
  },
  'packages/notify/src/channels/desktop.ts': {
    variables: 'given',
    why: "the system's own program for notifications, by its full path; the text is an argument, never a script",
  },
  'packages/executor/src/file-tools/file-tools.ts': {
    variables: 'given',
    why: 'our own file tools as a program; it starts nothing and stays in its folder link by link, so it needs no sandbox',
  },
};

const STARTING = new Set(['spawn', 'spawnSync', 'fork', 'execFile', 'execFileSync']);
const MODULES = /^(?:node:)?child_process$|node-pty$/;

/** Every place that starts a program is listed, with its reason, and says which variables the program sees. */
export function childProcesses(tree: Tree, starters: Readonly<Record<string, Starter>> = STARTERS): Violation[] {
  const found = tree.files.filter(isProduct).flatMap((file) => {
    const calls = callsIn(tree, file);
    if (calls.length === 0) return [];
    const starter = Object.hasOwn(starters, file) ? starters[file] : undefined;
    if (starter === undefined)
      return [
        { file, message: 'starts programs: add it to the list in tests/house/child-processes.ts with its reason' },
      ];
    return calls
      .filter((call) => namesVariables(call) !== (starter.variables === 'given'))
      .map((call) => ({
        file,
        line: lineAt(tree.read(file), call.start),
        message: `its variables are not ${starter.variables}, as the list says`,
      }));
  });
  return [...found, ...gone(tree, starters)];
}

function gone(tree: Tree, starters: Readonly<Record<string, Starter>>): Violation[] {
  return Object.keys(starters)
    .filter((file) => tree.files.includes(file) && callsIn(tree, file).length === 0)
    .map((file) => ({ file, message: 'starts no program any more: take it off the list' }));
}

/** Calls of a starting function, however it was imported; none in files that never name the module. */
function callsIn(tree: Tree, file: string): SyntaxNode[] {
  if (!/child_process|node-pty/.test(tree.read(file))) return [];
  const nodes = nodesOf(tree, file);
  if (!nodes.some((node) => node.type === 'Literal' && MODULES.test(nameOf(node) ?? ''))) return [];
  return nodes.filter((node) => node.type === 'CallExpression' && STARTING.has(calledName(node['callee']) ?? ''));
}

function calledName(callee: unknown): string | undefined {
  if (!isNode(callee)) return undefined;
  return callee.type === 'MemberExpression' ? nameOf(callee['property']) : nameOf(callee);
}

function namesVariables(call: SyntaxNode): boolean {
  const args = Array.isArray(call['arguments']) ? call['arguments'].filter(isNode) : [];
  return args.some(
    ({ type, properties }) =>
      type === 'ObjectExpression' &&
      Array.isArray(properties) &&
      properties.some((property) => isNode(property) && nameOf(property['key']) === 'env'),
  );
}
