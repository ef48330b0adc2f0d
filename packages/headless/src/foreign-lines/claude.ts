import { NEEDLESS_FLAGS, REFUSED_FLAGS } from '../flags-of-others.ts';
import { as, type FlagRow, needless, refused } from './flag-row.ts';

/** The flags of `claude`, as of version 2.1 of the Agent SDK's program: those of its help, then those that its documents add. */
const PUBLISHED = `
  --add-dir --agent --agents --allow-dangerously-skip-permissions --allowedTools --allowed-tools
  --append-system-prompt --autocompact --ax-screen-reader --bg --background --bare --betas --brief --chrome --cloud
  --continue --dangerously-skip-permissions --debug --debug-file --desktop --disable-slash-commands --disallowedTools
  --disallowed-tools --effort --environment --exclude-dynamic-system-prompt-sections --fallback-model --file
  --fork-session --from-pr --forward-subagent-text --ide --include-hook-events --include-partial-messages
  --input-format --json-schema --max-budget-usd --mcp-config --model --name --no-chrome --no-session-persistence
  --output-format --permission-mode --permission-prompts --plugin-dir --plugin-url --print --prompt-suggestions
  --remote-control --remote-control-session-name-prefix --replay-user-messages --restricted --resume --safe-mode
  --session-id --setting-sources --settings --strict-mcp-config --system-prompt --system-prompt-snapshot --teleport
  --tmux --tools --verbose --worktree --append-system-prompt-file --channels --init --init-only --maintenance
  --managed-settings --max-thinking-tokens --max-turns --permission-prompt-tool --plugin-dir-no-mcp
  --project-config-root --resume-session-at --resume-drops-turn --session-mirror --system-prompt-file --task-budget
  --thinking --thinking-display
`;

/** They are read by the command itself; the table is for whoever wants to know. */
export const CLAUDE_FLAGS: ReadonlyArray<FlagRow> = PUBLISHED.trim()
  .split(/\s+/)
  .map((flag) => {
    const reason = REFUSED_FLAGS.find(({ name }) => name === flag)?.reason;
    if (reason !== undefined) return { flag, here: refused(reason) };
    return { flag, here: NEEDLESS_FLAGS.includes(flag) ? needless('it is always so') : as(flag) };
  });
