// Loaded before a program: on SIGUSR2 it says for how long the event loop was held at most since the last time.
import { writeFileSync } from 'node:fs';

const EVERY_MS = 5;
let last = performance.now();
let most = 0;
const look = () => {
  const now = performance.now();
  most = Math.max(most, now - last - EVERY_MS);
  last = now;
};
setInterval(look, EVERY_MS).unref();
process.on('SIGUSR2', () => {
  look();
  writeFileSync(process.env.HELD_FILE, `${most}\n`);
  most = 0;
  last = performance.now();
});
