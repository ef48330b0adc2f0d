import { messageOf } from '@attractor/base';

/** Where and how an exchange failed; the message is safe to show and says what to do. */
export type TransportFailureCode =
  | 'connect_timeout'
  | 'connect'
  | 'tls'
  | 'reset'
  | 'redirect'
  | 'too_large'
  | 'encoding'
  | 'no_events'
  | 'bad_url';

/** `phase` is `body` once the response's headers have arrived: from then on a retry could show output twice. */
export class TransportFailure extends Error {
  override readonly name = 'TransportFailure';
  readonly code: TransportFailureCode;
  readonly phase: 'connect' | 'headers' | 'body';

  constructor(detail: {
    code: TransportFailureCode;
    phase: 'connect' | 'headers' | 'body';
    message: string;
    cause?: unknown;
  }) {
    super(detail.message, detail.cause === undefined ? undefined : { cause: detail.cause });
    this.code = detail.code;
    this.phase = detail.phase;
  }
}

/** Turns Node's socket errors into messages that name the host and the remedy. */
export function socketFailure(
  error: unknown,
  place: { host: string; phase: 'connect' | 'headers' | 'body' },
): TransportFailure {
  if (error instanceof TransportFailure) return error;
  const code = errorCode(error);
  const tls = TLS_REMEDIES[code] ?? (/^(ERR_TLS|ERR_SSL|CERT_|UNABLE_)/.test(code) ? TLS_GENERAL : undefined);
  if (tls !== undefined) {
    return new TransportFailure({
      code: 'tls',
      phase: 'connect',
      message: `TLS to ${place.host} failed (${code}): ${tls}`,
      cause: error,
    });
  }
  const remedy = SOCKET_REMEDIES[code];
  const kind = place.phase === 'connect' ? 'connect' : 'reset';
  const what = place.phase === 'connect' ? `Cannot reach ${place.host}` : `The connection to ${place.host} broke`;
  const why = remedy ?? messageOf(error);
  return new TransportFailure({
    code: kind,
    phase: place.phase,
    message: `${what} (${code || 'error'}): ${why}`,
    cause: error,
  });
}

const SOCKET_REMEDIES: Readonly<Record<string, string>> = {
  ENOTFOUND: 'no such host. Check the base URL and your network.',
  EAI_AGAIN: 'the name could not be looked up. Check your network or DNS.',
  ECONNREFUSED: 'nothing listens there. Check the base URL and port, and that the service runs.',
  EHOSTUNREACH: 'no route. Check your network, VPN or proxy.',
  ENETUNREACH: 'no network. Check your connection.',
  ETIMEDOUT: 'no answer. Check your network, VPN or proxy.',
  ECONNRESET: 'the other side closed it. Try again; if it persists check proxy and VPN.',
  EPIPE: 'the other side closed it. Try again; if it persists check proxy and VPN.',
  ERR_PROXY_TUNNEL: 'the proxy refused the tunnel. Check HTTPS_PROXY, its credentials and NO_PROXY.',
};

const TLS_GENERAL = 'check the base URL, the system clock, and any intercepting proxy.';

const TLS_REMEDIES: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate is self-signed. Add its authority with NODE_EXTRA_CA_CERTS.',
  SELF_SIGNED_CERT_IN_CHAIN: 'an authority in the chain is unknown. Add it with NODE_EXTRA_CA_CERTS.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the issuer is unknown. Add it with NODE_EXTRA_CA_CERTS.',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'the issuer is unknown. Add it with NODE_EXTRA_CA_CERTS.',
  CERT_HAS_EXPIRED: 'the certificate has expired. Check the system clock.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is for another name. Check the base URL.',
  EPROTO: 'the other side does not speak TLS here. Check http or https in the base URL.',
};

function errorCode(error: unknown): string {
  if (typeof error !== 'object' || error === null) return '';
  const code: unknown = Reflect.get(error, 'code');
  return typeof code === 'string' ? code : '';
}
