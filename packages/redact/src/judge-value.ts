/** How much a value must look like a secret to count as one: the less its place says, the more. */
export type Demand = 'any' | 'likely' | 'random';

export type Judged = { readonly kind: string; readonly demand: Demand; readonly quoted: boolean };

/** Whether the value of something with a telling name is a secret, and not a reference, a type or an example. */
export function isSecretValue(value: string, { kind, demand, quoted }: Judged): boolean {
  const isPassword = kind === 'password';
  if (value.length < (isPassword ? 6 : 8)) return false;
  if (isPlaceholder(value) || isReference(value) || /\s/.test(value)) return false;
  if (/^[\d.,:]+$/.test(value) && !isPassword) return false;
  if (demand === 'any') return true;
  if (!quoted && isCode(value)) return false;
  if (demand === 'random') return isRandom(value);
  const hasLetter = /[A-Za-z]/.test(value);
  const hasSymbol = /[!@#$%^&*+=?~]/.test(value);
  if (hasLetter && (/\d/.test(value) || (hasSymbol && isPassword))) return true;
  return (isPassword && (quoted ? value.length >= 12 : /^\d+$/.test(value))) || isRandom(value);
}

/** Long, and more mixed than names and words. */
function isRandom(value: string): boolean {
  if (value.length < 16 || !/\d/.test(value)) return false;
  return (/[a-z]/.test(value) && /[A-Z]/.test(value)) || /^[0-9a-f-]{32,}$/i.test(value) || value.length >= 24;
}

const PLACEHOLDERS = new Set(
  (
    'password passwd passphrase pass pwd secret token apikey api-key api_key key credential credentials user username root admin ' +
    'localhost example test changeme change-me change_me replace replaceme replace_me hidden masked redacted [redacted] removed ' +
    'none null nil undefined true false yes no string number boolean optional required default unknown any bytes object ' +
    'sha1 sha256 sha384 sha512 md5 base64 base64url utf8 utf-8 hs256 rs256 es256 ed25519 oauth2 bcrypt argon2id pbkdf2 http2'
  ).split(' '),
);

/** Placeholders for a secret: from documents, types, templates and other redactors. */
export function isPlaceholder(value: string): boolean {
  const small = value.toLowerCase();
  return (
    PLACEHOLDERS.has(small) ||
    small.startsWith('[redacted') ||
    /^(?:your|insert|enter|replace|put)[-_ ]/.test(small) ||
    /^(?:<.*>?|\{.*|\[.*\]|%\w{1,40}%|\*+|\.+|-+|_+|x{3,}|(.)\1{3,})$/.test(small) ||
    /^\.{3}|\.{3}$|\u2026|\*{3}|x{6}/.test(small)
  );
}

/** Names of where the value is. */
function isReference(value: string): boolean {
  return (
    /^\$(?:[({]|[A-Z_][A-Z0-9_]*$|[a-z_]+$)/.test(value) ||
    /\$\{|\{\{|<%/.test(value) ||
    isPath(value) ||
    /^@?[a-z][\w+.-]*:\/\//i.test(value) ||
    /^(?:process\.env|os\.(?:environ|getenv)|env[.[(]|import\.meta|secrets\.|vars\.|var\.|local\.|config\.)/i.test(
      value,
    )
  );
}

function isPath(value: string): boolean {
  return /^(?:\.{1,2}|~)?\/[\w.@/-]*$/.test(value) && value.split('/').every((step) => step.length < 20);
}

/** An expression (including a regular one) or a type, in a place where source code has one. */
function isCode(value: string): boolean {
  return (
    value.includes('(') ||
    value.startsWith('/^') ||
    /^[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*|\[[\w$]*)+$/.test(value) ||
    /^(?:Big)?(?:Ui|I)nt\d{1,2}\w*$|^Float\d\d\w*$/.test(value)
  );
}
