import rules from './input.json';

/** The kinds of fields. `server/input` declares their rules and writes `input.json`. */
export type InputKind = keyof typeof rules;

interface Rule {
  strip: string;
  upper?: boolean;
  replace?: string;
  with?: string;
  pattern: string;
  shortest: number;
  longest: number;
  lead?: string;
  longestLead?: number;
}

function ruleOf(kind: InputKind): Rule {
  return rules[kind];
}

/**
 * Normalizes typed, pasted or scanned text: full-width characters become half-width, characters that the kind of field
 * does not allow are removed, and small letters become capitals if the kind requires it (`upper`). Kinds with `replace`
 * replace more, such as the country code of a phone number. The result may be invalid.
 */
export function readInput(kind: InputKind, typed: string): string {
  const rule = ruleOf(kind);
  const halfWidth = typed.replaceAll(/[\uff01-\uff5e]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0));
  const stripped = halfWidth.replaceAll(new RegExp(rule.strip, 'gu'), '');
  const value = rule.upper ? stripped.toUpperCase() : stripped;
  return rule.replace === undefined ? value : value.replaceAll(new RegExp(rule.replace, 'gu'), rule.with ?? '');
}

/** Normalizes what was typed so far, and cuts it to the length of the longest valid value. */
export function typedInput(kind: InputKind, typed: string): string {
  const { lead, longest, longestLead = longest } = ruleOf(kind);
  const value = readInput(kind, typed);
  return value.slice(0, lead !== undefined && new RegExp(lead, 'u').test(value) ? longestLead : longest);
}

/** Reports whether a value that `readInput` returned is valid. */
export function isInput(kind: InputKind, value: string): boolean {
  const { pattern, shortest, longest } = ruleOf(kind);
  const length = [...value].length;
  return length >= shortest && length <= longest && new RegExp(pattern, 'u').test(value);
}
