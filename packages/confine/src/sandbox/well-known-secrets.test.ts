import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { makeFolder } from '@attractor/base/testing';
import { findSecrets } from './secrets.ts';

/** Said once more, apart from the table: a name that falls out of it is missed here. */
const HOME = `
  .ssh .gnupg .netrc .git-credentials .password-store .vault-token .local/share/keyrings
  .aws .azure .config/gcloud .kube .docker .terraform.d .config/rclone
  .config/gh .npmrc .pypirc .cargo/credentials.toml .m2/settings.xml .config/huggingface
  .pgpass .my.cnf .mozilla .config/google-chrome .config/chromium .thunderbird
  .attractor .claude .claude.json .codex .gemini .cursor .config/opencode .config/goose
  .bash_history .zsh_history .python_history .lesshst .env .env.local id_rsa server.pem
  .my-token .config/some-secrets
`;

it('what holds keys, tokens, cookies or histories in a home folder is hidden, and ordinary files are not', () => {
  const names = HOME.trim().split(/\s+/);
  const home = makeFolder({ 'work/notes.txt': '', '.bashrc': '', '.config/app/settings.json': '', '.cache/x/y': '' });
  for (const name of names) mkdirSync(path.join(home, name), { recursive: true });
  const { hidden } = findSecrets([home], [path.join(home, 'work')]);
  expect(hidden).toEqual(expect.arrayContaining(names.map((name) => path.join(home, name))));
  expect(hidden).toContain(path.join(home, 'work'));
  for (const name of ['.bashrc', '.config', '.config/app', '.cache'])
    expect(hidden).not.toContain(path.join(home, name));
});
