import {
  ALPHANUMERIC,
  BASE64,
  BASE64_ANY,
  HEX,
  UPPER_DIGIT,
  WORD,
  WORD_DASH,
  WORD_DASH_DOT,
  isIn,
  type CharacterClass,
} from './characters.ts';
import type { Anchor } from './anchors.ts';
import { isWordStart, runEnd, type SearchedText, type Span } from './searched-text.ts';

/**
 * Tokens that are recognised by their prefix. `body` is what follows it, at least `min` characters. A longer run is taken whole: what
 * follows a token without a break belongs to it, or is harmless to lose.
 */
type TokenRule = {
  readonly kind: string;
  /** Separated by spaces. */
  readonly beginnings: string;
  readonly body: CharacterClass;
  readonly min: number;
  /** Sees at most the first 256 characters of the body. */
  readonly accepts?: (body: string, beginning: string) => boolean;
};

const RULES: ReadonlyArray<TokenRule> = [
  {
    kind: 'aws-access-key',
    beginnings: 'AKIA ASIA AGPA AIDA AROA AIPA ANPA ANVA ABIA ACCA',
    body: UPPER_DIGIT,
    min: 16,
  },
  { kind: 'aws-access-key', beginnings: 'A3T', body: UPPER_DIGIT, min: 17 },
  { kind: 'github-token', beginnings: 'ghp_ gho_ ghu_ ghr_', body: WORD, min: 20 },
  { kind: 'github-token', beginnings: 'ghs_', body: WORD_DASH_DOT, min: 20 },
  { kind: 'github-token', beginnings: 'github_pat_', body: WORD, min: 20 },
  {
    kind: 'gitlab-token',
    beginnings: 'glpat- gldt- glrt- glcbt- glptt- glft- glimt- glagent- gloas- glsoat- glffct-',
    body: WORD_DASH_DOT,
    min: 20,
  },
  { kind: 'npm-token', beginnings: 'npm_', body: WORD, min: 36, accepts: isNpmToken },
  {
    kind: 'slack-token',
    beginnings: 'xoxa- xoxb- xoxc- xoxd- xoxe- xoxo- xoxp- xoxr- xoxs- xapp- xwfp-',
    body: WORD_DASH,
    min: 3,
    accepts: (body) => body.length >= 10 || /[A-Za-z0-9]-[A-Za-z0-9]/.test(body),
  },
  { kind: 'anthropic-key', beginnings: 'sk-ant-', body: WORD_DASH, min: 12 },
  { kind: 'openrouter-key', beginnings: 'sk-or-', body: WORD_DASH, min: 16, accepts: hasDigit },
  { kind: 'openai-key', beginnings: 'sk-proj- sk-svcacct- sk-admin-', body: WORD_DASH, min: 20 },
  { kind: 'openai-key', beginnings: 'sk-', body: WORD_DASH, min: 20, accepts: hasDigitOrLooksMixed },
  { kind: 'groq-key', beginnings: 'gsk_', body: ALPHANUMERIC, min: 32 },
  { kind: 'xai-key', beginnings: 'xai-', body: WORD_DASH, min: 40, accepts: hasDigit },
  { kind: 'perplexity-key', beginnings: 'pplx-', body: ALPHANUMERIC, min: 32 },
  { kind: 'replicate-token', beginnings: 'r8_', body: ALPHANUMERIC, min: 32 },
  { kind: 'huggingface-token', beginnings: 'hf_ api_org_', body: ALPHANUMERIC, min: 30 },
  { kind: 'linear-key', beginnings: 'lin_api_ lin_oauth_', body: WORD, min: 32 },
  { kind: 'notion-token', beginnings: 'ntn_', body: ALPHANUMERIC, min: 40 },
  {
    kind: 'stripe-key',
    beginnings: 'sk_live_ sk_test_ rk_live_ rk_test_ whsec_',
    body: BASE64,
    min: 16,
    accepts: (body) => /^[A-Za-z0-9]{16}/.test(body),
  },
  { kind: 'sendgrid-key', beginnings: 'SG.', body: WORD_DASH_DOT, min: 40, accepts: (body) => body.includes('.') },
  { kind: 'shopify-token', beginnings: 'shpat_ shpca_ shppa_ shpss_', body: ALPHANUMERIC, min: 32 },
  { kind: 'vercel-token', beginnings: 'vcp_ vci_ vca_ vcr_ vck_', body: ALPHANUMERIC, min: 20 },
  { kind: 'databricks-token', beginnings: 'dapi', body: HEX, min: 32 },
  { kind: 'docker-token', beginnings: 'dckr_pat_ dckr_oat_', body: WORD_DASH, min: 20 },
  { kind: 'figma-token', beginnings: 'figd_ figu_', body: WORD_DASH, min: 40 },
  { kind: 'cloudflare-token', beginnings: 'cfk_ cfut_ cfat_', body: ALPHANUMERIC, min: 40 },
  { kind: 'tailscale-key', beginnings: 'tskey-', body: WORD_DASH, min: 20, accepts: (body) => body.includes('-') },
  { kind: 'grafana-token', beginnings: 'glc_', body: BASE64, min: 32 },
  { kind: 'grafana-token', beginnings: 'glsa_', body: WORD, min: 32 },
  { kind: '1password-token', beginnings: 'ops_ey', body: BASE64_ANY, min: 50 },
  { kind: 'vault-token', beginnings: 'hvs. hvb. hvr.', body: WORD_DASH, min: 24 },
  { kind: 'google-key', beginnings: 'AIza', body: WORD_DASH, min: 30 },
  { kind: 'google-secret', beginnings: 'GOCSPX-', body: WORD_DASH, min: 20 },
  { kind: 'google-token', beginnings: 'ya29.', body: WORD_DASH_DOT, min: 20 },
  { kind: 'google-token', beginnings: '1//0', body: WORD_DASH, min: 30 },
  { kind: 'digitalocean-token', beginnings: 'dop_v1_ doo_v1_ dor_v1_', body: HEX, min: 32 },
  { kind: 'twilio-key', beginnings: 'SK', body: HEX, min: 32, accepts: (body) => body.length === 32 },
  { kind: 'mailgun-key', beginnings: 'key-', body: HEX, min: 32, accepts: (body) => body.length === 32 },
  { kind: 'pypi-token', beginnings: 'pypi-', body: WORD_DASH, min: 50 },
  { kind: 'rubygems-key', beginnings: 'rubygems_', body: HEX, min: 40 },
  { kind: 'atlassian-token', beginnings: 'ATATT3 ATCTT3 ATBB', body: BASE64_ANY, min: 24, accepts: hasDigit },
  { kind: 'newrelic-key', beginnings: 'NRAK- NRII-', body: WORD_DASH, min: 24 },
  { kind: 'sentry-token', beginnings: 'sntrys_ sntryu_', body: BASE64_ANY, min: 40 },
  { kind: 'planetscale-token', beginnings: 'pscale_tkn_ pscale_pw_ pscale_oauth_', body: WORD_DASH_DOT, min: 30 },
  { kind: 'doppler-token', beginnings: 'dp.pt. dp.st. dp.ct. dp.sa.', body: WORD_DASH_DOT, min: 40 },
  { kind: 'pulumi-token', beginnings: 'pul-', body: HEX, min: 40 },
  { kind: 'terraform-token', beginnings: '.atlasv1.', body: WORD_DASH, min: 40 },
  { kind: 'postman-key', beginnings: 'PMAK-', body: WORD_DASH, min: 40 },
  { kind: 'square-token', beginnings: 'sq0atp- sq0csp-', body: WORD_DASH, min: 22 },
  { kind: 'supabase-key', beginnings: 'sbp_ sb_secret_', body: WORD_DASH, min: 24, accepts: hasDigit },
  { kind: 'netlify-token', beginnings: 'nfp_', body: ALPHANUMERIC, min: 36 },
  { kind: 'heroku-key', beginnings: 'HRKU-', body: WORD_DASH, min: 30 },
  { kind: 'langsmith-key', beginnings: 'lsv2_pt_ lsv2_sk_', body: WORD, min: 32 },
  { kind: 'fly-token', beginnings: 'fm2_ fo1_', body: BASE64_ANY, min: 40 },
  { kind: 'age-key', beginnings: 'AGE-SECRET-KEY-', body: UPPER_DIGIT, min: 40 },
  { kind: 'azure-client-secret', beginnings: 'Q~', body: BASE64_ANY, min: 31, accepts: (body) => body.length <= 40 },
];

const CHECKED = 256;

export function tokenAnchors(): ReadonlyArray<Anchor> {
  return RULES.flatMap((rule) =>
    rule.beginnings.split(' ').map((literal) => ({
      literal,
      letters: 'exact' as const,
      match: (searched: SearchedText, at: number) => matchToken(searched, at, { rule, literal }),
    })),
  );
}

export const TOKEN_KINDS: ReadonlyArray<string> = RULES.map(({ kind }) => kind);

type Tried = { readonly rule: TokenRule; readonly literal: string };

function matchToken(searched: SearchedText, at: number, { rule, literal }: Tried): Span | null {
  if (!/^[.Q]/.test(literal) && !isWordStart(searched, at)) return null;
  if (literal.length <= 4 && isInsideBlob(searched.text, at)) return null;
  const from = at + literal.length;
  let end = runEnd(searched, from, rule.body);
  while (end > from && searched.text[end - 1] === '.') end--;
  if (end - from < rule.min) return null;
  const body = searched.text.slice(from, Math.min(end, from + CHECKED));
  return rule.accepts?.(body, literal) === false ? null : { start: at, end, kind: rule.kind };
}

/** A short prefix also occurs by chance in encoded data, which looks random before it as well. */
function isInsideBlob(text: string, at: number): boolean {
  let start = at;
  while (start > 0 && at - start < BLOB && isIn(WORD_DASH, text.charCodeAt(start - 1))) start--;
  if (at - start < BLOB) return false;
  const before = text.slice(start, at);
  return /\d/.test(before) && /[a-z]/.test(before) && /[A-Z]/.test(before);
}

const BLOB = 24;

function hasDigit(body: string): boolean {
  return /\d/.test(body);
}

/** Names of styles and packages have no digits and no capitals. */
function hasDigitOrLooksMixed(body: string): boolean {
  return hasDigit(body) || (/[A-Z]/.test(body) && /[a-z]/.test(body));
}

/** Variables set by npm have the same prefix, followed by words. */
function isNpmToken(body: string): boolean {
  return body.length === 36 || (!body.includes('_') && /[A-Z0-9]/.test(body));
}
