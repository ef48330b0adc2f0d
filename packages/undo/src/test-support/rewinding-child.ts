/** Rewinds a workspace to the end of turn 0: `rewinding-child.ts <workspace> <state>`. Its parent kills it somewhere in between. */
import { openUndo } from '../undo.ts';

const [workspace = '', statePath = ''] = process.argv.slice(2);
const opened = await openUndo({ workspace, statePath });
if (!opened.ok) throw new Error(opened.error.message);
const rewound = await opened.value.undo.rewind({ turn: 0 });
process.stdout.write(rewound.ok ? 'done\n' : `${rewound.error.message}\n`);
