import { expect, it } from 'vitest';
import { makeFolder } from '@attractor/base/testing';
import { createLocalExecutionEnvironment } from '../execution/local.ts';

/** Said once more, apart from the table: a name that falls out of it is missed here. */
const STEERING = `
  .git/config .git/hooks/pre-commit .gitmodules .hg/hgrc .husky/pre-commit .githooks/pre-commit
  .attractor/config.json .agents/x .agents-manager/config.json .claude/settings.json .mcp.json
  .codex/config.toml .gemini/settings.json .cursor/mcp.json .cursorrules .clinerules/hooks/x
  opencode.json opencode.jsonc .opencode/x .windsurf/x .continue/x .roo/x .goosehints
  .vscode/tasks.json .idea/workspace.xml .zed/tasks.json .devcontainer/devcontainer.json .fleet/run
  .exrc .nvimrc .vimrc .dir-locals.el .envrc .direnv/x .mise.toml
  .bashrc .bash_profile .profile .zshrc .zshenv .ssh/authorized_keys .netrc .gnupg/x
`;

it('no tool writes a file that git, an agent, an editor or a shell obeys', async () => {
  const environment = createLocalExecutionEnvironment(makeFolder());
  const names = STEERING.trim().split(/\s+/);
  for (const file of [...names, ...names.map((name) => `deep/${name}`)])
    await expect(environment.writeFile(file, 'x'), file).rejects.toMatchObject({ code: 'protected' });
});
