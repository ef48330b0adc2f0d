import { matchesGlob } from './matching.ts';

/** Whether a file or folder of this name normally holds secrets; what lies in such a folder counts as well. */
export function isSecretName(name: string): boolean {
  if (!MAY_BE_SECRET.test(name)) return false;
  const plain = name.toLowerCase();
  const copied = plain.replace(COPY_BEGINS, '').replace(COPY_ENDS, '');
  return holdsSecrets(plain) || (copied !== plain && holdsSecrets(copied.replace(/^\.(?=\.)/, '')));
}

function holdsSecrets(plain: string): boolean {
  return SECRET_NAMES.has(plain) || (SECRET_SHAPES.test(plain) && !SAMPLES.test(plain));
}

/** What editors and people add to a name for a copy of the file: `.env~`, `#.env#`, `.npmrc.bak`, `..env.swp`. */
const COPY_BEGINS = /^\.?#/;
const COPY_ENDS = /(?:~|#|\.(?:bak|backup|old|orig|sav|save|sw[a-p]|tmp|copy|\d+)|[-_](?:bak|backup|old|orig|copy))+$/;

/** Whether a text names such a file anywhere: `@.env`, `f=@~/.aws/credentials`, `--data-binary=@id_rsa`. */
export function namesSecretFile(text: string): boolean {
  if (!MAY_BE_SECRET.test(text)) return false;
  return (
    text.split(/[\s/\\@=:,;'"<>()|&]+/).some((name) => name !== '' && name !== '.git' && isSecretName(name)) ||
    SYSTEM_SECRETS.test(text)
  );
}

/** Whether a path, or a glob that a program expands itself, names or could match such a file. */
export function aimsAtSecrets(text: string): boolean {
  return alternatives(text).some((one) => one.split('/').some(isSecretName) || secretGlob(one));
}

/** `*.{pem,key}` in each of its forms; nested ones are taken literally. */
function alternatives(glob: string): ReadonlyArray<string> {
  const [, before = '', list, after = ''] = /^([^{}]*)\{([^{}]*)\}(.*)$/.exec(glob) ?? [];
  return list === undefined ? [glob] : list.split(',').map((one) => before + one + after);
}

/** Whether a glob could match such a file without naming it. */
export function secretGlob(glob: string): boolean {
  return glob
    .split('/')
    .some(
      (name) => /[*?[]/.test(name) && looksAimed(name) && SECRET_SAMPLES.some((sample) => matchesGlob(name, sample)),
    );
}

/** Every name and shape below contains one of these: most words end here. */
const MAY_BE_SECRET = /[._]|\/(?:etc|proc|run)\/|credentials|secrets|password|kubeconfig|htpasswd|vault-pass/i;

const SECRET_NAMES: ReadonlySet<string> = new Set([
  '.aws',
  '.azure',
  '.attractor',
  '.bash_history',
  '.boto',
  '.docker',
  '.dev.vars',
  '.dockercfg',
  '.envrc',
  '.flaskenv',
  '.git',
  '.git-credentials',
  '.gnupg',
  '.htpasswd',
  '.kube',
  '.lesshst',
  '.my.cnf',
  '.netrc',
  '.node_repl_history',
  '.npmrc',
  '.password-store',
  '.pgpass',
  '.psql_history',
  '.pypirc',
  '.python_history',
  '.renviron',
  '.s3cfg',
  '.ssh',
  '.terraformrc',
  '.vault-token',
  '.viminfo',
  '.yarnrc',
  '.yarnrc.yml',
  '.zsh_history',
  '_netrc',
  'application_default_credentials.json',
  'auth.json',
  'credentials',
  'credentials.json',
  'hosts.yml',
  'htpasswd',
  'kubeconfig',
  'known_hosts',
  'master.key',
  'oauth_creds.json',
  'secrets',
  'terraform.tfstate',
  'token.json',
  'wp-config.php',
  'wallet.dat',
]);

const SECRET_SHAPES =
  /^\.env(?:\..*|rc)?$|^\.env[-_].*|\.env$|^id_(?:rsa|dsa|ecdsa|ed25519)|\.(?:pem|key|p8|p12|pfx|jks|keystore|kdbx|ppk|asc|gpg|agekey|tfvars|tfstate|ovpn|mobileprovision)$|\.auto\.tfvars\.json$|\.tfstate\.backup$|^kubeconfig[.-]|^client_secrets?.*\.json$|^\.?vault[-_]pass|^secrets?\.(?:ya?ml|json|toml|env|ini|txt)$|^service[-_]?account.*\.json$|^\.?credentials\..*|_history$|^\.?passwords?(?:\.|$)/;

/** Shared on purpose, without secrets. */
const SAMPLES = /\.(?:example|sample|template|dist|pub)$/;

const SYSTEM_SECRETS =
  /\/etc\/(?:shadow|gshadow|sudoers|passwd|ssh\/|ssl\/private)|\/proc\/[^/]+\/(?:environ|mem)|\/run\/secrets/;

const SECRET_SAMPLES = [
  'id_rsa',
  'id_ed25519',
  'server.pem',
  'private.key',
  'a.p12',
  'a.pfx',
  'credentials',
  'secrets.yml',
  '.env',
  '.npmrc',
  '.netrc',
];

/** `*` and `*.ts` are meant for all files of a type; three letters of a name are meant for that name. */
function looksAimed(glob: string): boolean {
  return glob.replaceAll(/[*?]|\[[^\]]*\]/g, '').length >= 2 && !/^\*?\.?\*$|^\*\.ya?ml$/.test(glob);
}
