/** Where a service of a cloud is and who asks, beyond one key: plain values, which the owner of the environment reads. */
export type CloudSettings = {
  /** Amazon: the region, and credentials that are no bearer token: keys, or a profile of the shared files. */
  readonly region?: string;
  readonly accessKeyId?: string;
  readonly secretAccessKey?: string;
  readonly sessionToken?: string;
  readonly profile?: string;
  readonly credentialsFile?: string;
  readonly configFile?: string;
  /** Google: whose project, where, and the file that `gcloud` or a service account has; Amazon's files have fields of their own. */
  readonly project?: string;
  readonly location?: string;
  readonly metadataHost?: string;
  /** Azure: the name of the resource; a dated version of the API means its older addresses, one for each deployment. */
  readonly resource?: string;
  readonly apiVersion?: string;
};

export type CloudKey = keyof CloudSettings;

/** What a person may set for a provider in a settings file, beside key, address and headers. */
export const CLOUD_KEYS: ReadonlyArray<CloudKey> = [
  'region',
  'accessKeyId',
  'secretAccessKey',
  'sessionToken',
  'profile',
  'credentialsFile',
  'configFile',
  'project',
  'location',
  'metadataHost',
  'resource',
  'apiVersion',
];

/** What of it must not be shown. */
export function cloudSecrets({ secretAccessKey, sessionToken }: CloudSettings): ReadonlyArray<string> {
  return [secretAccessKey, sessionToken].filter((value) => value !== undefined);
}
