/** Where traces go, by the variables that OpenTelemetry's own libraries read. */
export type TraceSettings = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly resource: Readonly<Record<string, string>>;
};

/** Null: nobody wants traces. */
export function readTraceSettings(env: Readonly<Record<string, string | undefined>>): TraceSettings | null {
  const own = env['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'] ?? '';
  const common = env['OTEL_EXPORTER_OTLP_ENDPOINT'] ?? '';
  const url = own === '' ? `${common.replace(/\/+$/, '')}/v1/traces` : own;
  const isOff = env['OTEL_SDK_DISABLED'] === 'true' || env['OTEL_TRACES_EXPORTER'] === 'none';
  if (isOff || (own === '' && common === '') || !URL.canParse(url)) return null;
  return {
    url,
    headers: pairs(env['OTEL_EXPORTER_OTLP_TRACES_HEADERS'] ?? env['OTEL_EXPORTER_OTLP_HEADERS'] ?? ''),
    resource: {
      ...pairs(env['OTEL_RESOURCE_ATTRIBUTES'] ?? ''),
      'service.name':
        env['OTEL_SERVICE_NAME'] ?? pairs(env['OTEL_RESOURCE_ATTRIBUTES'] ?? '')['service.name'] ?? 'attractor',
    },
  };
}

/** `a=1,b=2`, with values as in addresses. */
function pairs(text: string): Readonly<Record<string, string>> {
  const entries = text.split(',').flatMap((pair) => {
    const at = pair.indexOf('=');
    return at < 1 ? [] : [[pair.slice(0, at).trim(), decoded(pair.slice(at + 1).trim())] as const];
  });
  return Object.fromEntries(entries);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
