import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Returns the paths of the operations in contracts/shop.openapi.json, by operationId. */
export function operationPaths(): Map<string, string> {
  const file = join(import.meta.dirname, '../contracts/shop.openapi.json');
  const document: { paths: Record<string, Record<string, { operationId: string }>> } = JSON.parse(
    readFileSync(file, 'utf8'),
  );
  return new Map(
    Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.values(methods).map(({ operationId }) => [operationId, path] as const),
    ),
  );
}
