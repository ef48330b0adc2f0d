import { readFile } from 'node:fs/promises';
import { defined, isRecord } from '@attractor/base';
import { LlmError } from '../types/error.ts';
import type { CloudSettings } from './cloud-settings.ts';

export type AwsCredentials = {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
};

/**
 * Who signs: what a helper printed, keys as they were given, or those of a profile, in this order. A profile that has no keys of its own
 * needs the AWS CLI, which a helper can ask.
 */
export async function awsCredentials(service: string, said: string, cloud: CloudSettings): Promise<AwsCredentials> {
  const printed = said.startsWith('{') ? printedKeys(said) : undefined;
  const { accessKeyId, secretAccessKey, sessionToken } = cloud;
  const given =
    accessKeyId !== undefined && secretAccessKey !== undefined
      ? { accessKeyId, secretAccessKey, ...defined({ sessionToken }) }
      : undefined;
  const found = printed ?? given ?? (await keysOfProfile(service, cloud));
  if (found !== undefined) return found;
  throw refused(
    service,
    `No credentials for ${service}. Set AWS_BEARER_TOKEN_BEDROCK, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE; ${HELPER}.`,
  );
}

const HELPER = 'or set providers.bedrock.apiKeyHelper to a command such as "aws configure export-credentials"';

/** As `aws configure export-credentials` prints them, or inside `Credentials`, as the STS commands do. */
function printedKeys(text: string): AwsCredentials | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const inner = isRecord(value) && isRecord(value['Credentials']) ? value['Credentials'] : value;
    if (!isRecord(inner)) return undefined;
    const { AccessKeyId: id, SecretAccessKey: secret, SessionToken: token } = inner;
    if (typeof id !== 'string' || typeof secret !== 'string') return undefined;
    return { accessKeyId: id, secretAccessKey: secret, ...(typeof token === 'string' ? { sessionToken: token } : {}) };
  } catch {
    return undefined;
  }
}

async function keysOfProfile(service: string, cloud: CloudSettings): Promise<AwsCredentials | undefined> {
  const { profile = 'default', credentialsFile, configFile } = cloud;
  const [credentials, config] = await Promise.all([sections(credentialsFile), sections(configFile)]);
  const written = {
    ...config.get(profile === 'default' ? 'default' : `profile ${profile}`),
    ...credentials.get(profile),
  };
  const { aws_access_key_id: id, aws_secret_access_key: secret, aws_session_token: token } = written;
  if (id !== undefined && secret !== undefined)
    return { accessKeyId: id, secretAccessKey: secret, ...defined({ sessionToken: token }) };
  if (cloud.profile === undefined) return undefined;
  const isThere = Object.keys(written).length > 0;
  throw refused(
    service,
    isThere
      ? `The AWS profile ${profile} has no keys of its own. Set providers.bedrock.apiKeyHelper to "aws configure export-credentials --profile ${profile}".`
      : `There is no AWS profile ${profile} in ${credentialsFile ?? 'the shared files'}. Correct AWS_PROFILE, or make it with \`aws configure --profile ${profile}\`.`,
  );
}

type Section = Readonly<Record<string, string>>;

/** The sections of a file as the AWS CLI writes it; none if there is no such file. */
async function sections(file: string | undefined): Promise<ReadonlyMap<string, Section>> {
  const text = file === undefined ? '' : await readFile(file, 'utf8').catch(() => '');
  const found = new Map<string, Record<string, string>>();
  let current: Record<string, string> = {};
  for (const line of text.split(/\r?\n/)) {
    const [, name] = /^\s*\[\s*([^\]]+?)\s*\]/.exec(line) ?? [];
    if (name !== undefined) found.set(name, (current = found.get(name) ?? {}));
    const [, key, value] = /^([\w.-]+)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
    if (key !== undefined && value !== undefined) current[key] = value;
  }
  return found;
}

function refused(provider: string, message: string): LlmError {
  return new LlmError({ code: 'configuration', message, retryable: false, provider });
}
