/**
 * Runs the stages in order, those marked `beside` together with the one before them, never stopping at a failure, and prints a short report
 * of each.
 */
export async function runStages(stages, context) {
  const results = [];
  for (const round of roundsOf(stages)) {
    results.push(...(await Promise.all(round.map((stage) => runAndTell(stage, context)))));
    if (results.some(({ vital, failed }) => vital && failed > 0)) break;
  }
  return summarise(results, stages.length, context.print);
}

function roundsOf(stages) {
  const rounds = [];
  for (const [index, stage] of stages.entries()) {
    const titled = { ...stage, title: `[${index + 1}/${stages.length}] ${stage.name}` };
    if (stage.beside && rounds.length > 0) rounds.at(-1).push(titled);
    else rounds.push([titled]);
  }
  return rounds;
}

async function runAndTell(stage, context) {
  const { title } = stage;
  context.print(`\n${title} …`);
  const result = await runStage(stage, context);
  context.print(`${title}: ${verdict(result)} in ${result.seconds.toFixed(1)} s`);
  for (const failure of result.failures) context.print(indent(failure));
  return result;
}

async function runStage(stage, context) {
  const started = performance.now();
  const result = await stage.run(context).catch((error) => ({ passed: 0, failed: 1, failures: [error.message] }));
  return {
    failures: [],
    unsteady: [],
    ...result,
    name: stage.name,
    vital: stage.vital,
    seconds: (performance.now() - started) / 1000,
  };
}

function verdict({ failed, note }) {
  const word = failed === 0 ? 'ok' : `${failed} failed`;
  return note === undefined ? word : `${word} (${note})`;
}

/** The last line is a contract: `N passed, N failed`. */
function summarise(results, wanted, print) {
  const sum = (key) => results.reduce((total, result) => total + result[key], 0);
  print('');
  for (const { longest } of results) if (longest?.length > 0) print(`longest files: ${longest.join(', ')}`);
  for (const { name, unsteady } of results)
    for (const failure of unsteady) print(`UNSTEADY ${name}, passed alone: ${brief(failure)}`);
  for (const { name, failures } of results) for (const failure of failures) print(`FAILED ${name}: ${brief(failure)}`);
  if (results.length < wanted)
    print(`${wanted - results.length} stages did not run, for lack of ${results.at(-1).name}`);
  print(`${sum('passed')} passed, ${sum('failed')} failed`);
  return sum('failed') === 0;
}

function brief(failure) {
  const lines = failure.split('\n');
  return lines.length <= 3 ? failure : `${lines.slice(0, 3).join('\n  ')}\n  … (${lines.length - 3} more lines above)`;
}

function indent(text) {
  return text.replaceAll(/^/gm, '  ');
}
