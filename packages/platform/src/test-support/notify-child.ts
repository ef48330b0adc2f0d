import { startNotifier } from '@attractor/notify';
import { openStore } from '@attractor/store';

/** Notifies of what happens in a home folder until it is killed: `node notify-child.ts HOME`. */
const [home = ''] = process.argv.slice(2);
const store = await openStore({ home });
if (!store.ok) throw new Error(store.error.message);
startNotifier({
  store: store.value,
  home,
  env: {},
  onUnexpected: (error) => {
    throw error;
  },
});
setInterval(() => undefined, 1_000);
console.log('ready');
