// Prints the HCL that the console's "Copy as Terraform" gives for objects as the API answers them.
//
//   npm run -s terraform -- KIND FILE [--label NAME] [--ref ID=EXPRESSION]... [--import]
//   npm run -s terraform -- all FILE  [--ref ID=EXPRESSION]... [--import]
//
// FILE is - for standard input. With "all" it holds [{"kind": "stream", "object": {...}, "label": "optional"}, ...]; objects
// in it refer to each other. --ref puts an expression in place of an id; --import adds the import block of each.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { runnerImport } from 'vite';

const root = fileURLToPath(new URL('..', import.meta.url));
const { module } = await runnerImport(`${root}src/terraform/render.ts`, { root, configFile: false, logLevel: 'error' });
const { render, renderAll, TERRAFORM_KINDS } = module;

function fail(text) {
  console.error(text);
  process.exit(2);
}

const [kind, file, ...rest] = process.argv.slice(2);
if (!kind || !file) fail(`Usage: npm run -s terraform -- KIND FILE [--label NAME] [--ref ID=EXPRESSION]... [--import]\nKinds: all, ${TERRAFORM_KINDS.join(', ')}`);
if (kind !== 'all' && !TERRAFORM_KINDS.includes(kind)) fail(`${kind} is no kind. Kinds: all, ${TERRAFORM_KINDS.join(', ')}`);

const references = new Map();
let label;
let imports = false;
for (let at = 0; at < rest.length; at++) {
  const word = rest[at];
  if (word === '--import') imports = true;
  else if (word === '--label') label = rest[++at];
  else if (word === '--ref') {
    const [, id, expression] = /^([^=]+)=(.+)$/.exec(rest[++at] ?? '') ?? [];
    if (!id) fail('--ref takes ID=EXPRESSION, such as acct_01J…=penstock_account.orders.id');
    references.set(id, expression);
  } else fail(`${word} is no option.`);
}

let input;
try {
  input = JSON.parse(readFileSync(file === '-' ? 0 : file, 'utf8'));
} catch (error) {
  fail(`${file} could not be read as JSON: ${error.message}`);
}
const made = kind === 'all' ? renderAll(input, references) : [render(kind, input, { label, references })];
process.stdout.write(made.map((one) => one.resource + (imports ? `\n${one.importBlock}` : '')).join('\n'));
