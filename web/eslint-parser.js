import { parse } from '@babel/parser';
import { analyze } from 'eslint-scope';
import { KEYS } from 'eslint-visitor-keys';

/**
 * Lets ESLint read TypeScript: the types are cut out of the tree, so that what remains is the JavaScript that the rules of
 * React are about. (Types are checked by the compiler, everything else by Biome.)
 */
export function parseForESLint(code) {
  const file = parse(code, {
    sourceType: 'module',
    ranges: true,
    tokens: true,
    plugins: ['typescript', 'jsx', ['estree', { classFeatures: true }]],
  });
  const ast = file.program;
  ast.comments = file.comments.map((comment) => ({
    ...comment,
    type: comment.type === 'CommentBlock' ? 'Block' : 'Line',
    range: [comment.start, comment.end],
  }));
  ast.tokens = file.tokens
    .filter((token) => token.type.label !== undefined && token.type.label !== 'eof')
    .map(toToken(code));
  ast.range = [0, code.length];
  strip(ast);
  const scopeManager = analyze(ast, {
    ecmaVersion: 2022,
    sourceType: 'module',
    childVisitorKeys: KEYS,
    fallback: 'none',
    jsx: true,
  });
  return { ast, scopeManager, visitorKeys: KEYS };
}

export default { parseForESLint };

const toToken = (code) => (token) => ({
  type: /^[A-Za-z_$]/.test(code.slice(token.start, token.end)) ? 'Identifier' : 'Punctuator',
  value: code.slice(token.start, token.end),
  start: token.start,
  end: token.end,
  range: [token.start, token.end],
  loc: token.loc,
});

const transparent = new Set([
  'TSAsExpression',
  'TSSatisfiesExpression',
  'TSNonNullExpression',
  'TSTypeAssertion',
  'TSInstantiationExpression',
]);
const typeFields = [
  'typeAnnotation',
  'typeParameters',
  'typeArguments',
  'returnType',
  'superTypeParameters',
  'implements',
];

/** Replaces `x as T` by `x`, and drops everything else that is only about types. */
function strip(node) {
  for (const field of typeFields) delete node[field];
  for (const [key, value] of Object.entries(node)) {
    if (key === 'loc' || key === 'tokens' || key === 'comments' || key === 'range') continue;
    if (Array.isArray(value)) node[key] = value.map(peel).filter((child) => !isType(child));
    else if (isNode(value)) {
      const inner = peel(value);
      node[key] = isType(inner) ? null : inner;
    }
  }
  for (const value of Object.values(node)) {
    if (Array.isArray(value)) for (const child of value) isNode(child) && strip(child);
    else if (isNode(value)) strip(value);
  }
}

function peel(value) {
  let node = value;
  while (isNode(node) && transparent.has(node.type)) node = node.expression;
  if (isNode(node) && node.type === 'TSParameterProperty') node = node.parameter;
  return node;
}

function isNode(value) {
  return typeof value === 'object' && value !== null && typeof value.type === 'string';
}

function isType(value) {
  if (!isNode(value)) return false;
  return value.type.startsWith('TS') || value.importKind === 'type' || value.exportKind === 'type';
}
