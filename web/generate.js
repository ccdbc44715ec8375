// Writes src/wire/generated from contracts/shop.openapi.json: the types of the shop's calls (shop.ts), and for each
// object of an answer a module with its valibot schema. With --check it writes nothing and fails if a file is stale.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import openapiTS, { astToString, COMMENT_HEADER } from 'openapi-typescript';

const source = new URL('../contracts/shop.openapi.json', import.meta.url);
const folder = new URL('src/wire/generated/', import.meta.url);
const document = JSON.parse(readFileSync(source, 'utf8'));
const objects = document.components.schemas;

const types = { string: 'string', integer: 'number', number: 'number', boolean: 'boolean' };

/**
 * Reports whether all fields of an object are required strings, numbers or booleans, so that plainObject can check
 * them.
 */
function isPlain({ properties, required }) {
  const fields = Object.entries(properties);
  return fields.every(([name, { type, enum: values }]) => types[type] && !values && required.includes(name));
}

/** Returns the valibot expression for a schema. Adds the names of the objects to which the schema refers to `used`. */
function expression(schema, used) {
  if (schema.$ref) {
    const name = schema.$ref.replace('#/components/schemas/', '');
    used.add(name);
    return name;
  }
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives) {
    const others = alternatives.filter(({ type }) => type !== 'null').map((one) => expression(one, used));
    const union = others.length === 1 ? others[0] : `v.union([${others.join(', ')}])`;
    return others.length < alternatives.length ? `v.nullable(${union})` : union;
  }
  if (schema.enum) return `v.picklist(${JSON.stringify(schema.enum)})`;
  if (schema.type === 'array') return `v.array(${expression(schema.items, used)})`;
  if (types[schema.type]) return `v.${types[schema.type]}()`;
  throw new Error(`no schema for ${JSON.stringify(schema)}`);
}

/** Returns the text of the module with the valibot schema of an object. */
function moduleOf(name) {
  const { properties, required } = objects[name];
  const used = new Set();
  const plain = isPlain(objects[name]);
  const fields = Object.entries(properties).map(([field, schema]) => {
    if (plain) return `  ${field}: '${types[schema.type]}',`;
    const value = expression(schema, used);
    return `  ${field}: ${required.includes(field) ? value : `v.optional(${value})`},`;
  });
  return [
    '// Written by npm run generate from contracts/shop.openapi.json: do not edit.',
    plain ? "import type * as v from 'valibot';" : "import * as v from 'valibot';",
    ...(plain ? ["import { plainObject } from '../plain-object';"] : []),
    ...[...used].sort().map((other) => `import { ${other} } from './${other}';`),
    "import type { components } from './shop';",
    '',
    `export type ${name} = components['schemas']['${name}'];`,
    `export const ${name}: v.GenericSchema<unknown, ${name}> = ${plain ? 'plainObject' : 'v.object'}({`,
    ...fields,
    '});',
    '',
  ].join('\n');
}

const files = new Map(Object.keys(objects).map((name) => [`${name}.ts`, moduleOf(name)]));
const options = { rootTypes: true, rootTypesNoSchemaPrefix: true, rootTypesKeepCasing: true, silent: true };
files.set('shop.ts', COMMENT_HEADER + astToString(await openapiTS(source, options)));

mkdirSync(folder, { recursive: true });
const present = readdirSync(folder);
const left = present.filter((name) => !files.has(name));
const stale = [...files].filter(
  ([name, text]) => !present.includes(name) || readFileSync(new URL(name, folder), 'utf8') !== text,
);
if (process.argv.includes('--check')) {
  const names = [...left, ...stale.map(([name]) => name)];
  if (names.length > 0) {
    console.error(`stale in src/wire/generated: ${names.join(', ')}`);
    process.exit(1);
  }
} else {
  for (const name of left) rmSync(new URL(name, folder));
  for (const [name, text] of stale) writeFileSync(new URL(name, folder), text);
}
