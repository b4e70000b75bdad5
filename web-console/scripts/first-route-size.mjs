// Adds up the gzipped JavaScript a first visit loads, for each entry a visitor can land on,
// and fails the build above the budget.
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

const BUDGET_KB = 300;
const dist = new URL('../dist/', import.meta.url);
const manifest = JSON.parse(readFileSync(new URL('.vite/manifest.json', dist), 'utf8'));

function closure(key, seen = new Set()) {
  if (seen.has(key)) return seen;
  seen.add(key);
  for (const next of manifest[key].imports ?? []) closure(next, seen);
  return seen;
}

const entry = Object.keys(manifest).find((key) => manifest[key].isEntry);
const sizeOf = new Map();
const gz = (file) => {
  if (!sizeOf.has(file)) sizeOf.set(file, gzipSync(readFileSync(new URL(file, dist))).length);
  return sizeOf.get(file);
};

let worst = { kb: 0, name: '' };
for (const route of manifest[entry].dynamicImports ?? []) {
  const chunks = closure(entry, closure(route));
  const kb = [...chunks].reduce((sum, key) => sum + gz(manifest[key].file), 0) / 1000;
  if (kb > worst.kb) worst = { kb, name: route };
}
const line = `largest first route: ${worst.kb.toFixed(1)} kB gz of JavaScript (${worst.name}), budget ${BUDGET_KB} kB`;
if (worst.kb > BUDGET_KB) {
  console.error(`${line}: over budget; move code behind a lazy route`);
  process.exit(1);
}
console.log(line);
