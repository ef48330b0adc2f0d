import type { Failure } from '../../protocol.ts';
import type { SimulatedRequest } from '../../wire/http.ts';

/** A signature of Amazon's fourth version with all its parts, or a token. Whether the signature is right is not computed. */
export function signedAuthentication(
  request: SimulatedRequest,
  apiKeys: readonly string[] | undefined,
): Failure | undefined {
  const given = request.headers['authorization'] ?? '';
  if (given.startsWith('Bearer ')) return bearerAuthentication(request, apiKeys);
  const isSigned =
    /^AWS4-HMAC-SHA256 Credential=[^/]+\/\d{8}\/[\w-]+\/bedrock\/aws4_request, ?SignedHeaders=[\w;-]+, ?Signature=[0-9a-f]{64}$/;
  const isDated = request.headers['x-amz-date'] !== undefined;
  return isSigned.test(given) && isDated ? undefined : { kind: 'unauthorized' };
}

/** A token, and nothing else. */
export function bearerAuthentication(
  request: SimulatedRequest,
  apiKeys: readonly string[] | undefined,
): Failure | undefined {
  const [, token] = /^Bearer (\S+)$/.exec(request.headers['authorization'] ?? '') ?? [];
  const isKnown = token !== undefined && (apiKeys?.includes(token) ?? true);
  return isKnown ? undefined : { kind: 'unauthorized', message: 'Request had invalid authentication credentials.' };
}

/** Azure's own header, or a token. */
export function azureAuthentication(
  request: SimulatedRequest,
  apiKeys: readonly string[] | undefined,
): Failure | undefined {
  const key = request.headers['api-key'];
  if (key === undefined) return bearerAuthentication(request, apiKeys);
  const isKnown = apiKeys?.includes(key) ?? true;
  const message = 'Access denied due to invalid subscription key or wrong API endpoint.';
  return isKnown ? undefined : { kind: 'unauthorized', message };
}
