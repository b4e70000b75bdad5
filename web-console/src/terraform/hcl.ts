/** An expression that stands as it is, such as a reference to another resource. */
export class Expression {
  constructor(readonly text: string) {}
}

export type Hcl = string | number | boolean | bigint | Expression | readonly Hcl[] | { readonly [name: string]: Hcl };

const IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_-]*$/;

/** A string with HCL's escapes; `${` and `%{` start no template. */
export function quoted(text: string): string {
  const escaped = text
    .replace(/\\/g, '\\\\')
    .replace(/"/g, '\\"')
    .replace(/\n/g, '\\n')
    .replace(/\r/g, '\\r')
    .replace(/\t/g, '\\t')
    .replace(/[\u0000-\u001f\u007f]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .replace(/([$%])\{/g, '$1$1{');
  return `"${escaped}"`;
}

const isList = (value: Hcl): value is readonly Hcl[] => Array.isArray(value);
const isObject = (value: Hcl): value is { readonly [name: string]: Hcl } => typeof value === 'object' && !isList(value) && !(value instanceof Expression);

function value(item: Hcl, indent: string): string {
  if (item instanceof Expression) return item.text;
  if (typeof item === 'string') return quoted(item);
  if (isList(item)) {
    if (!item.some((entry) => isObject(entry))) {
      const line = `[${item.map((entry) => value(entry, indent)).join(', ')}]`;
      if (line.length <= 100) return line;
    }
    return `[\n${item.map((entry) => `${indent}  ${value(entry, `${indent}  `)},\n`).join('')}${indent}]`;
  }
  if (isObject(item)) {
    const names = Object.keys(item);
    return names.length === 0 ? '{}' : `{\n${attributes(item, `${indent}  `)}${indent}}`;
  }
  return String(item);
}

/** Lines of attributes as `terraform fmt` writes them: equal signs of neighbouring single lines stand below each other. */
function attributes(map: { readonly [name: string]: Hcl }, indent: string): string {
  const rows = Object.entries(map).map(([name, item]) => ({ name: IDENTIFIER.test(name) ? name : quoted(name), text: value(item, indent) }));
  const out: string[] = [];
  for (let at = 0; at < rows.length; ) {
    const row = rows[at] as (typeof rows)[number];
    if (row.text.includes('\n')) {
      out.push(`${indent}${row.name} = ${row.text}\n`);
      at += 1;
      continue;
    }
    let end = at;
    while (end < rows.length && !(rows[end] as (typeof rows)[number]).text.includes('\n')) end += 1;
    const group = rows.slice(at, end);
    const width = Math.max(...group.map((entry) => entry.name.length));
    for (const entry of group) out.push(`${indent}${entry.name.padEnd(width)} = ${entry.text}\n`);
    at = end;
  }
  return out.join('');
}

export function block(head: string, body: { readonly [name: string]: Hcl }): string {
  return `${head} {\n${attributes(body, '  ')}}\n`;
}
