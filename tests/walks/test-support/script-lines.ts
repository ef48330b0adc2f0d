/**
 * Ordinary lines as scripts have them, and the effect that each must have here. `tests/walks/script-lines.test.ts` runs them; the table of
 * `docs/scripts-of-others.md` is drawn from them.
 */
export type ScriptLine = {
  readonly line: string;
  /** In words, for the documents. */
  readonly shows: string;
  /** Of stdout, behind what follows the command in the line. */
  readonly says?: RegExp;
  /** Of the body of the first request to the model. */
  readonly sends?: RegExp;
  readonly tells?: RegExp;
  readonly makes?: string;
  readonly leaves?: string;
  readonly code?: number;
};

export const CLAUDE_LINES: ReadonlyArray<ScriptLine> = [
  { line: 'claude -p "what is this?"', shows: 'the answer on stdout', says: /^Answer\.\n$/ },
  {
    line: 'cat notes.txt | claude -p "summarise this"',
    shows: 'the piped file goes with the prompt',
    sends: /summarise this[^]*one\\ntwo/,
  },
  {
    line: 'claude -p "explain @notes.txt and @dot.png in a sentence"',
    shows: 'a file that is mentioned goes with the prompt',
    sends: /explain @notes\.txt and[^]*@notes\.txt:\\none\\ntwo[^]*@dot\.png:[^]*"media_type":"image\/png"/,
  },
  {
    line: 'claude -p "explain @notes.txt" --disallowedTools "Read(notes.txt)"',
    shows: 'unless it may not be read',
    sends: /^(?![^]*one\\ntwo)[^]*explain @notes\.txt/,
  },
  { line: 'git diff | claude -p', shows: 'the prompt is what is piped in', sends: /diff --git/ },
  {
    line: 'cat data.bin | claude -p "what is in it?"',
    shows: 'bytes that are no text are told',
    sends: /what is in it\?\\n\\na\ufffdb/,
    tells: /stdin is not all text/,
  },
  { line: 'claude -p < notes.txt', shows: 'the prompt is the file', sends: /one\\ntwo/ },
  { line: 'echo "a question" | claude --print', shows: 'the long name', sends: /a question/ },
  { line: 'claude -p "$(cat notes.txt)"', shows: 'the prompt from a file', sends: /one\\ntwo/ },
  { line: 'claude -p "what?" --output-format json | jq -r .result', shows: 'one result', says: /^Answer\.$/ },
  { line: 'claude -p "what?" --output-format json | jq -r .session_id', shows: 'the id of the session', says: /^ses_/ },
  {
    line: 'claude -p "what?" --output-format=stream-json --verbose | jq -r .type',
    shows: 'a line for each step',
    says: /^system\nassistant\nresult$/,
  },
  {
    line: 'claude -p "what?" --output-format stream-json --verbose --include-partial-messages | jq -r .type',
    shows: 'and as it arrives',
    says: /stream_event/,
  },
  {
    line: `claude --init-only --settings '{"hooks":{"Setup":[{"hooks":[{"type":"command","command":"touch MADE"}]}],"SessionStart":[{"hooks":[{"type":"command","command":"mv MADE READY"}]}]}}'`,
    shows: 'hooks of Setup and SessionStart run, and nothing else',
    says: /^$/,
    makes: 'READY',
  },
  { line: 'claude --dangerously-skip-permissions -p "fix the typo in ONE"', shows: 'nothing is asked', makes: 'ONE' },
  {
    line: 'claude -p "fix the typo in TWO" --permission-mode acceptEdits',
    shows: 'files may be changed',
    makes: 'TWO',
  },
  { line: 'claude -p "fix the typo in THREE"', shows: 'what is not allowed is denied', leaves: 'THREE' },
  {
    line: 'claude -p "fix the typo in FOUR" --allowedTools "Edit,Write,Bash(git log:*)"',
    shows: 'rules of what may run',
    makes: 'FOUR',
  },
  {
    line: 'claude -p --allowedTools Write Edit --disallowedTools Bash -- "fix the typo in FIVE"',
    shows: 'rules as separate words',
    makes: 'FIVE',
  },
  {
    line: 'claude -p "fix the typo in SIX" --dangerously-skip-permissions --disallowedTools "Write"',
    shows: 'what is forbidden stays so',
    leaves: 'SIX',
  },
  { line: 'claude -p "what?" --model opus', shows: 'the newest model of the family', sends: /"model":"claude-opus-/ },
  {
    line: 'claude -p "what?" --model sonnet --fallback-model haiku',
    shows: 'another model for overload',
    sends: /"model":"claude-sonnet-/,
  },
  { line: 'claude -p "what?" --append-system-prompt "Be brief."', shows: 'more instructions', sends: /Be brief\./ },
  { line: 'claude -p "what?" --system-prompt "You add."', shows: 'other instructions', sends: /"text":"You add\."/ },
  { line: 'claude -p "what?" --max-turns 3 --max-budget-usd 5', shows: 'limits', says: /^Answer\.\n$/ },
  {
    line: 'claude -p "read on" --max-turns 1 --output-format json | jq -r .subtype',
    shows: 'a limit that is reached',
    says: /^error_max_turns$/,
    code: 1,
  },
  {
    line: 'claude -p "count" --output-format json --json-schema \'{"type":"object","properties":{"sum":{"type":"number"}}}\' | jq -r .structured_output.sum',
    shows: 'a value',
    says: /^3$/,
  },
  { line: 'claude -p "what?" --add-dir ../ /tmp', shows: 'further folders', sends: /what\?/ },
  {
    line: 'claude -p "what?" --tools "Read,Grep" --effort xhigh',
    shows: 'only these tools, and an effort above high where the model has one',
    sends: /^(?=[^]*"name":"(?:Read|read_file)")[^]*"effort":"xhigh"/,
  },
  { line: 'claude -c -p "and now?"', shows: 'the newest session goes on', sends: /and now\?/ },
  {
    line: 'claude --continue --fork-session -p "and now?" --output-format json | jq -r .is_error',
    shows: 'a copy of it',
    says: /^false$/,
  },
  {
    line: `claude -p --mcp-config '{"mcpServers":{"adder":{"command":"./adder"}}}' none.json "what?"`,
    shows: 'a list of files or texts; one that is not there is told',
    tells: /--mcp-config.*none\.json/,
    code: 2,
  },
  {
    line: 'claude -p "what?" --mcp-config \'{"mcpServers":[]}\'',
    shows: 'servers are an object',
    tells: /expected \{"mcpServers":\{…\}\}/,
    code: 2,
  },
  {
    line: `claude -p --allowedTools Bash --settings '{"hooks":{"UserPromptSubmit":[{"hooks":[{"type":"command","command":"./guard.sh"}]}]}}' -- "what?"`,
    shows: 'a hook that fails is told',
    tells: /UserPromptSubmit hook ".\/guard.sh" failed.*127/,
    says: /^Answer\.\n$/,
  },
  {
    line: 'claude -p "what?" --mcp-config \'{"mcpServers":{}}\' --strict-mcp-config',
    shows: 'only these servers',
    says: /^Answer\.\n$/,
  },
  {
    line: 'claude -p "what?" --settings \'{"permissions":{"deny":["Read"]}}\'',
    shows: 'settings of this run',
    says: /^Answer\.\n$/,
  },
  { line: 'claude -p "what?" --bare', shows: 'no instructions of files', sends: /^(?!.*OF THE PROJECT)/s },
  { line: 'claude -p "what?" --no-session-persistence --debug', shows: 'nothing is kept', says: /^Answer\.\n$/ },
  {
    line: 'claude -p "what?" --betas context-1m-2025-08-07 --task-budget 64000',
    shows: "what Anthropic's service alone knows",
    sends: /"task_budget":\{"type":"tokens","total":64000\}/,
  },
  { line: 'claude -p "/cost"', shows: 'a command that needs no model', says: /^Total cost: +\$0\.0000\n/ },
  {
    line: 'claude -p "what?" --chrome',
    shows: 'what has no effect is refused',
    tells: /--chrome.*no browser/,
    code: 2,
  },
  {
    line: 'claude -p "what?" --output-fromat json',
    shows: 'a typo',
    tells: /did you mean --output-format\?/i,
    code: 2,
  },
];

export const CODEX_LINES: ReadonlyArray<ScriptLine> = [
  { line: 'codex exec "what is this?"', shows: 'the answer on stdout', says: /^Answer\.\n$/ },
  { line: 'echo "a question" | codex exec -', shows: 'the prompt is what is piped in', sends: /a question/ },
  { line: 'codex exec < notes.txt', shows: 'the prompt is the file', sends: /one\\ntwo/ },
  {
    line: 'cat notes.txt | codex exec "summarise this"',
    shows: 'the piped file goes with the prompt',
    sends: /summarise this[^]*one\\ntwo/,
  },
  {
    line: 'codex exec --json "fix the typo in ONE" | jq -r .type',
    shows: 'its own lines',
    says: /^thread\.started\nturn\.started\nitem\.started\nitem\.completed\nitem\.completed\nturn\.completed$/,
  },
  {
    line: 'codex exec --full-auto "fix the typo in TWO"',
    shows: 'everything runs unasked, in the sandbox',
    makes: 'TWO',
  },
  { line: 'codex exec --sandbox read-only "fix the typo in THREE"', shows: 'nothing is changed', leaves: 'THREE' },
  {
    line: 'codex exec -s workspace-write --skip-git-repo-check -C . "fix the typo in FOUR"',
    shows: 'a folder to work in',
    makes: 'FOUR',
  },
  {
    line: 'codex exec --dangerously-bypass-approvals-and-sandbox "fix the typo in FIVE"',
    shows: 'nothing is asked',
    makes: 'FIVE',
  },
  { line: 'codex -m gpt-5 exec "what?"', shows: 'flags before the command', sends: /"model":"gpt-5"/ },
  {
    line: 'codex exec -m gpt-5 -c model_reasoning_effort="high" "what?"',
    shows: 'how hard it thinks',
    sends: /"effort":"high"/,
  },
  {
    line: 'codex exec -o answer.md "what?" && cat answer.md',
    shows: 'the last message in a file',
    makes: 'answer.md',
    says: /^Answer\.\n$/,
  },
  {
    line: 'codex exec --output-schema schema.json "count"',
    shows: 'a value that fits the schema',
    says: /^\{"sum":3\}\n$/,
  },
  { line: 'codex exec --ephemeral --color never "what?"', shows: 'nothing is kept', says: /^Answer\.\n$/ },
  { line: 'codex exec -i dot.png -- "what is in it?"', shows: 'a picture', sends: /image\/png/ },
  { line: 'codex exec resume --last "and now?"', shows: 'the newest session goes on', sends: /and now\?/ },
  {
    line: 'codex exec --enable web_search "what?"',
    shows: 'what has no effect is said',
    tells: /--enable has no effect/,
    says: /^Answer\.\n$/,
  },
  {
    line: `codex exec -c 'mcp_servers.adder={command="./adder"}' "what?"`,
    shows: 'the server is started, and its tools are offered',
    sends: /mcp__adder__get-sum/,
  },
  {
    line: 'codex exec -c mcp_servers.x.enabled=false "what?"',
    shows: "what can't be set is refused",
    tells: /-c mcp_servers\.x\.enabled: a part of a server can't be set/,
    code: 2,
  },
  { line: 'codex exec --fullauto "what?"', shows: 'a typo', tells: /did you mean --full-auto\?/, code: 2 },
  { line: 'codex --version', shows: 'which version it is', says: /^\d+\.\d+\.\d+\S*\n$/ },
  { line: 'codex exec --help', shows: 'what there is', says: /--output-schema/ },
  { line: 'codex review --uncommitted', shows: 'and what to say instead', tells: /pipe what to review/, code: 2 },
  { line: 'codex login', shows: 'only `exec` works without a terminal', tells: /only `codex exec`/, code: 2 },
];

export const GEMINI_LINES: ReadonlyArray<ScriptLine> = [
  { line: 'gemini -p "what is this?"', shows: 'the answer on stdout', says: /^Answer\.\n$/ },
  {
    line: 'gemini -p "explain @notes.txt and @dot.png"',
    shows: 'a file that is mentioned goes with the prompt',
    sends: /explain @notes\.txt and[^]*@notes\.txt:\\none\\ntwo[^]*"mimeType":"image\/png"/,
  },
  { line: 'gemini "what is this?"', shows: 'a question without a flag', says: /^Answer\.\n$/ },
  {
    line: 'cat notes.txt | gemini -p "summarise this"',
    shows: 'the piped file goes with the prompt',
    sends: /summarise this[^]*one\\ntwo/,
  },
  { line: 'echo "a question" | gemini', shows: 'the prompt is what is piped in', sends: /a question/ },
  {
    line: 'gemini --prompt "what?" --output-format json | jq -r .response',
    shows: 'its own object',
    says: /^Answer\.$/,
  },
  { line: 'gemini -o json -p "what?" | jq -r .stats.models', shows: 'and its figures', says: /candidates/ },
  {
    line: 'gemini -p "fix the typo in ONE" -o stream-json --yolo | jq -r .type',
    shows: 'its own lines',
    says: /^init\ntool_use\ntool_result\nmessage\nresult$/,
  },
  { line: 'gemini --yolo -p "fix the typo in TWO"', shows: 'nothing is asked', makes: 'TWO' },
  { line: 'gemini -y "fix the typo in THREE"', shows: 'the short form', makes: 'THREE' },
  { line: 'gemini --approval-mode=auto_edit -p "fix the typo in FOUR"', shows: 'files may be changed', makes: 'FOUR' },
  { line: 'gemini -p "fix the typo in FIVE"', shows: 'what is not allowed is denied', leaves: 'FIVE' },
  { line: 'gemini -m gemini-2.5-flash -p "what?"', shows: 'a model', sends: /what\?/ },
  { line: 'gemini -m flash -p "what?" --include-directories /tmp,..', shows: 'further folders', says: /^Answer\.\n$/ },
  {
    line: 'gemini --allowed-tools "write_file" -p "fix the typo in SIX"',
    shows: 'rules of what may run',
    makes: 'SIX',
  },
  { line: 'gemini -e none --debug -p "what?"', shows: 'no extensions', says: /^Answer\.\n$/ },
  { line: 'gemini -r latest -p "and now?"', shows: 'the newest session goes on', sends: /and now\?/ },
  {
    line: 'gemini --skip-trust -p "what?"',
    shows: 'what has no effect is said',
    tells: /--skip-trust has no effect/,
    says: /^Answer\.\n$/,
  },
  {
    line: 'gemini -r 5 "what?"',
    shows: "what can't be honoured is refused",
    tells: /sessions have no numbers here/,
    code: 2,
  },
  { line: 'gemini -p ""', shows: 'its exit codes: without input 42, without a key 41', tells: /no prompt/, code: 42 },
  { line: 'gemini --version', shows: 'which version it is', says: /^\d+\.\d+\.\d+\S*\n$/ },
  { line: 'gemini --aproval-mode yolo "what?"', shows: 'a typo', tells: /did you mean --approval-mode\?/, code: 2 },
];
