import { fileURLToPath } from 'node:url';

const roots = ['src/app/main.tsx', 'src/features/home/home-screen.tsx'].map((name) =>
  fileURLToPath(new URL(name, import.meta.url)),
);

const shared = /src[\\/](wire|session|shop|pay|ui)[\\/]/;

type Graph = { getModuleInfo(id: string): { importedIds: readonly string[] } | null };

let first: Set<string> | undefined;

/** What the start and the home screen need before they show anything. */
function firstPage(graph: Graph): Set<string> {
  if (first) return first;
  first = new Set(roots);
  for (const id of first) {
    const module = graph.getModuleInfo(id);
    if (!module) throw new Error(`${id} is no part of the build: was it renamed?`);
    for (const next of module.importedIds) first.add(next);
  }
  return first;
}

/** The file for what the first page needs: few files are better than many small ones, which compress worse and wait for each other. */
export function commonChunk(id: string, graph: Graph): string | null {
  return shared.test(id) && firstPage(graph).has(id) ? 'common' : null;
}

/** The file for what screens share that have forms, lists or payments, so that the first page does without. */
export function deskChunk(id: string, graph: Graph): string | null {
  return shared.test(id) && !firstPage(graph).has(id) ? 'desk' : null;
}
