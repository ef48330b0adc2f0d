// The floor: the loop that anyone would write in an afternoon. It asks a model with fetch, runs its tool and asks again. It has no journal,
// no guards and no retries.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const [baseUrl, bodyFile, folder] = process.argv.slice(2);
const body = JSON.parse(readFileSync(bodyFile, 'utf8'));
const headers = {
  'content-type': 'application/json',
  'x-api-key': 'sk-bench',
  'anthropic-version': '2023-06-01',
};

const TOOLS = { shell: ({ command }) => run(command), read_file: ({ file_path }) => read(file_path) };

for (;;) {
  const content = await ask();
  body.messages.push({ role: 'assistant', content });
  const calls = content.filter(({ type }) => type === 'tool_use');
  if (calls.length === 0) break;
  const results = calls.map(async ({ id, name, input }) => ({
    type: 'tool_result',
    tool_use_id: id,
    content: await TOOLS[name](input),
  }));
  body.messages.push({ role: 'user', content: await Promise.all(results) });
}

async function ask() {
  const response = await fetch(`${baseUrl}/v1/messages`, { method: 'POST', headers, body: JSON.stringify(body) });
  const text = await response.text();
  if (!response.ok) throw new Error(`${response.status}: ${text}`);
  return contentOf(text);
}

function contentOf(text) {
  const blocks = [];
  for (const event of text.split('\n\n').filter(Boolean)) {
    const { type, index, content_block, delta } = JSON.parse(event.slice(event.indexOf('data: ') + 6));
    if (type === 'content_block_start') blocks[index] = { ...content_block, json: '' };
    if (delta?.type === 'text_delta') blocks[index].text += delta.text;
    if (delta?.type === 'input_json_delta') blocks[index].json += delta.partial_json;
  }
  return blocks.map(({ json, ...block }) =>
    block.type === 'tool_use' ? { ...block, input: JSON.parse(json) } : block,
  );
}

function run(command) {
  return new Promise((resolve, reject) => {
    const child = spawn('/bin/bash', ['-c', command], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (chunk) => (output += chunk));
    child.stderr.setEncoding('utf8').on('data', (chunk) => (output += chunk));
    child.on('error', reject);
    child.on('close', (code) => resolve(`${output}\n[exit code: ${code}]`));
  });
}

function read(name) {
  const lines = readFileSync(join(folder, name), 'utf8').trimEnd().split('\n');
  return lines.map((line, index) => `${String(index + 1).padStart(6)}\t${line}`).join('\n');
}
