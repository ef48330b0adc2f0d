/** An agent that is nothing but what every agent must do: asks the model three times, writes a file, says that it is done. */
import { writeFileSync } from 'node:fs';

const [address = ''] = process.argv.slice(2);
for (let round = 1; round <= 3; round += 1) {
  const answer = await fetch(`${address}/v1/messages`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': 'sk-bench', 'anthropic-version': '2023-06-01' },
    body: JSON.stringify({
      model: 'claude-sonnet-4-5',
      max_tokens: 100,
      messages: [{ role: 'user', content: `Round ${round}` }],
    }),
  });
  if (!answer.ok) throw new Error(`The model answered ${answer.status}`);
  await answer.text();
}
writeFileSync('made.txt', 'made\n');
console.log('Done.\n<<<OUTCOME:pr_ready>>>');
