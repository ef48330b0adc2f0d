import { LightHeaders } from './light-headers.ts';
import { LightReadable } from './light-readable.ts';

type Init = {
  readonly status?: number;
  readonly statusText?: string;
  readonly headers?: ConstructorParameters<typeof LightHeaders>[0];
};

/** Replaces a web `Response` that translates another one: the platform's own takes no light stream as its body, and loads undici. */
export class LightResponse {
  readonly status: number;
  readonly statusText: string;
  readonly headers: LightHeaders;
  readonly body: LightReadable<Uint8Array> | null;

  constructor(body: string | LightReadable<Uint8Array> | null = null, init: Init = {}) {
    this.status = init.status ?? 200;
    this.statusText = init.statusText ?? '';
    this.headers = new LightHeaders(init.headers);
    this.body = typeof body === 'string' ? streamOf(body) : body;
  }

  get ok(): boolean {
    return this.status >= 200 && this.status < 300;
  }

  async text(): Promise<string> {
    const decoder = new TextDecoder();
    let all = '';
    for await (const bytes of this.body ?? []) all += decoder.decode(bytes, { stream: true });
    return all + decoder.decode();
  }

  async json(): Promise<unknown> {
    return JSON.parse(await this.text());
  }
}

function streamOf(text: string): LightReadable<Uint8Array> {
  return new LightReadable({
    start: (controller) => {
      if (text !== '') controller.enqueue(new TextEncoder().encode(text));
      controller.close();
    },
  });
}
