import { createSign } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { isRecord, messageOf } from '@attractor/base';
import { LlmError } from '../types/error.ts';
import type { CloudSettings } from './cloud-settings.ts';

const TOKEN_ADDRESS = 'https://oauth2.googleapis.com/token';
const SCOPE = 'https://www.googleapis.com/auth/cloud-platform';
const HOUR_S = 3600;

/** A token for Google's cloud from what its users have: a service account's file, a person's login, or the machine itself. */
export async function googleToken(
  service: string,
  cloud: CloudSettings,
  fetch: typeof globalThis.fetch,
): Promise<string> {
  const asked = await tokenRequest(service, cloud);
  const answer = await fetch(asked.url, asked.init).catch((error: unknown) => {
    throw refused(service, `No token for ${service}: ${messageOf(error)}. ${HELPER}`);
  });
  const said = await answer.text();
  const token = tokenIn(said);
  if (answer.ok && token !== undefined) return token;
  throw refused(service, `No token for ${service}: ${new URL(asked.url).host} answered ${answer.status}. ${HELPER}`);
}

const HELPER =
  'Log in with `gcloud auth application-default login`, name a file in GOOGLE_APPLICATION_CREDENTIALS, or set the provider\'s apiKeyHelper to "gcloud auth print-access-token".';

type TokenRequest = { readonly url: string; readonly init: RequestInit };

async function tokenRequest(service: string, cloud: CloudSettings): Promise<TokenRequest> {
  const { credentialsFile: file, metadataHost } = cloud;
  const written = file === undefined ? undefined : await fieldsOf(service, file);
  if (written === undefined) {
    const where = file === undefined ? '' : `: there is no ${file}`;
    if (metadataHost === undefined) throw refused(service, `No credentials for ${service}${where}. ${HELPER}`);
    const path = '/computeMetadata/v1/instance/service-accounts/default/token';
    return { url: `http://${metadataHost}${path}`, init: { headers: { 'metadata-flavor': 'Google' } } };
  }
  const { type, client_email: email, private_key: key, token_uri: address = TOKEN_ADDRESS } = written;
  if (type === 'service_account' && email !== undefined && key !== undefined)
    return form(address, {
      grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
      assertion: assertionOf(service, { email, key, address, ...written }),
    });
  const { client_id: id, client_secret: secret, refresh_token: refresh } = written;
  if (type === 'authorized_user' && id !== undefined && secret !== undefined && refresh !== undefined)
    return form(address, { grant_type: 'refresh_token', client_id: id, client_secret: secret, refresh_token: refresh });
  throw refused(
    service,
    `${file} is of a kind that is not supported here (${type ?? 'none'}): set the provider's apiKeyHelper to "gcloud auth print-access-token".`,
  );
}

function form(url: string, fields: Readonly<Record<string, string>>): TokenRequest {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  return { url, init: { method: 'POST', headers, body: new URLSearchParams(fields).toString() } };
}

/** The text fields of a file; undefined if there is none. */
async function fieldsOf(service: string, file: string): Promise<Readonly<Record<string, string>> | undefined> {
  try {
    const value: unknown = JSON.parse(await readFile(file, 'utf8'));
    if (!isRecord(value)) throw new Error('it is no JSON object');
    return Object.fromEntries(
      Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    );
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw refused(service, `The credentials in ${file} can't be read: ${messageOf(error)}. ${HELPER}`);
  }
}

type Account = {
  readonly email: string;
  readonly key: string;
  readonly address: string;
  readonly private_key_id?: string;
};

function assertionOf(service: string, { email, key, address, private_key_id: kid }: Account): string {
  const now = Math.floor(Date.now() / 1000);
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const claims = { iss: email, scope: SCOPE, aud: address, iat: now, exp: now + HOUR_S };
  const text = `${part({ alg: 'RS256', typ: 'JWT', ...(kid === undefined ? {} : { kid }) })}.${part(claims)}`;
  try {
    return `${text}.${createSign('RSA-SHA256').update(text).sign(key, 'base64url')}`;
  } catch (error) {
    throw refused(service, `The private key of ${email} can't be used: ${messageOf(error)}. ${HELPER}`);
  }
}

function tokenIn(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const token = isRecord(value) ? value['access_token'] : undefined;
    return typeof token === 'string' && token !== '' ? token : undefined;
  } catch {
    return undefined;
  }
}

function refused(provider: string, message: string): LlmError {
  return new LlmError({ code: 'configuration', message, retryable: false, provider });
}
