// Checks the import rules (dependency-cruiser.cjs), and that dependency-cruiser has read every file: with a version of
// TypeScript that it does not support it reads none, and reports no violation.
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';

const sources = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((name) => /\.tsx?$/.test(name));
const out = execFileSync(
  process.execPath,
  [
    '../node_modules/dependency-cruiser/bin/dependency-cruise.mjs',
    'src',
    '--config',
    'dependency-cruiser.cjs',
    '--output-type',
    'json',
    '--no-cache',
  ],
  { encoding: 'utf8', maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'inherit'] },
);
const { modules, summary } = JSON.parse(out);
const cruised = new Set(modules.map((module) => module.source));
const missed = sources.map((name) => `src/${name.replaceAll('\\', '/')}`).filter((name) => !cruised.has(name));
const arrows = modules.reduce((sum, module) => sum + module.dependencies.length, 0);

for (const { rule, from, to } of summary.violations) console.error(`${rule.name}: ${from} -> ${to}`);
if (missed.length > 0) console.error(`not read: ${missed.join(', ')}`);
if (cruised.size === 0 || arrows === 0) console.error('no module was read');
console.log(`${sources.length} files, ${arrows} imports, ${summary.violations.length} violations`);
process.exit(summary.violations.length > 0 || missed.length > 0 || arrows === 0 ? 1 : 0);
