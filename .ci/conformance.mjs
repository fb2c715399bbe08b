// Runs scenarios of the conformance suite against a server that listens; called by `.ci/conformance`.
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { globSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** How long a scenario may take; the suite itself gives up earlier, unless it hangs. */
const SECONDS = 30;

/** Scenarios of an extension that the toolkit does not have. */
const isLeftOut = (name) => name.startsWith('tasks-');

const [suite, url, results, ...asked] = process.argv.slice(2);
const { parse } = createRequire(join(suite, 'package.json'))('yaml');

/** What the suite asks of a server of a revision, and what it runs without counting it. */
function scenarios(file) {
  const { server, not_scored: others } = parse(readFileSync(join(suite, 'requirements', file), 'utf8'));
  return [...server, ...others.filter(({ leg }) => leg === 'server').map(({ scenario }) => scenario)];
}

/** The checks of a scenario; a process for each, so that one that hangs or ends takes no other along. */
function checks(name, revision) {
  const folder = join(results, revision, name);
  const { error, stderr } = spawnSync(
    process.execPath,
    [
      ...[join(suite, 'dist', 'index.js'), 'server', '--url', url, '--scenario', name, '--spec-version', revision],
      // Without `--force` it runs none that belongs to an extension or came after the revision.
      ...['--force', '--timeout', `${SECONDS * 1000}`, '--output-dir', folder],
    ],
    { encoding: 'utf8', timeout: (SECONDS + 5) * 1000, killSignal: 'SIGKILL', maxBuffer: 2 ** 28 },
  );
  const [file] = globSync(join(folder, '*', 'checks.json'));
  if (file) return JSON.parse(readFileSync(file, 'utf8'));
  return [{ id: 'no result', status: 'FAILURE', errorMessage: error?.message ?? stderr.trim().split('\n').at(-1) }];
}

/** What is wrong in a scenario, a line for each check. One that checked nothing has not passed. */
function problems(checks) {
  const wrong = checks.filter(({ status }) => status === 'FAILURE' || status === 'WARNING');
  if (!wrong.length && !checks.some(({ status }) => status === 'SUCCESS')) {
    return ['nothing was checked'];
  }
  return wrong.map(({ id, status, errorMessage, description }) => {
    const text = String(errorMessage ?? description).replace(/\s+/g, ' ').slice(0, 500);
    return `${id}${status === 'WARNING' ? ' (should)' : ''}: ${text}`;
  });
}

const plan = readdirSync(join(suite, 'requirements'))
  .flatMap((file) => scenarios(file).map((name) => ({ name, revision: file.replace('.yaml', '') })))
  .filter(({ name }) => (asked.length ? asked.includes(name) : !isLeftOut(name)));
const unknown = asked.filter((name) => !plan.some((planned) => planned.name === name));
if (unknown.length) {
  console.error(`the suite has no scenario of the name ${unknown.join(', ')}`);
  process.exit(2);
}

rmSync(results, { recursive: true, force: true });
let failed = 0;
for (const { name, revision } of plan) {
  const wrong = problems(checks(name, revision));
  if (!wrong.length) continue;
  failed += 1;
  console.log([`FAILED ${revision} ${name}`, ...wrong].join('\n    '));
}
console.log(`${plan.length - failed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
