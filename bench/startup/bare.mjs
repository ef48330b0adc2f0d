// The floor: what any program must do to read a question on stdin, ask a model and print its answer.
import { readFileSync } from 'node:fs';

const { request } = process.getBuiltinModule('node:http');
const { messages } = JSON.parse(readFileSync(0, 'utf8'));
const body = JSON.stringify({ model: 'claude-sonnet-4-5-20250929', max_tokens: 4096, stream: true, messages });
const headers = { 'content-type': 'application/json', 'x-api-key': 'sk-bench', 'anthropic-version': '2023-06-01' };

const sent = request(`${process.argv[2]}/v1/messages`, { method: 'POST', headers }, (response) => {
  let rest = '';
  response.setEncoding('utf8').on('data', (chunk) => {
    const events = (rest + chunk).split('\n\n');
    rest = events.pop();
    for (const event of events) {
      const { delta } = JSON.parse(event.slice(event.indexOf('data: ') + 6));
      if (delta?.type === 'text_delta') process.stdout.write(`${JSON.stringify(delta.text)}\n`);
    }
  });
});
sent.end(body);
