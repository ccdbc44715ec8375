import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const css = readFileSync(`${import.meta.dirname}/theme.css`, 'utf8');

const root = /\n:root \{([^}]*)\}/.exec(css)?.[1] ?? '';
const tokens = [...root.matchAll(/(--[\w-]+):\s*([^;]+);/g)].map(([, name, value]) => [name!, value!] as const);

/** The tokens with the colors of one scheme. */
const scheme = (position: '$1' | '$2') =>
  Object.fromEntries(
    tokens.map(([name, value]) => [name, value.replace(/light-dark\((#\w+), (#\w+)\)/, position)]),
  ) as Record<string, string>;

const day = scheme('$1');
const night = scheme('$2');

function luminance(hex: string): number {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a: string, b: string): number {
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

test('night changes tokens of the day', () => {
  expect(Object.keys(day).filter((name) => day[name] !== night[name]).length).toBeGreaterThan(30);
});

for (const [name, theme] of [
  ['day', day],
  ['night', night],
] as const) {
  const texts = ['ink', 'second', 'faint', 'brand-ink', 'gold-ink', 'ok-ink', 'warn-ink', 'bad-ink'];
  const pairs = [
    ...texts.flatMap((text) => [[text, 'ground'] as const, [text, 'sheet'] as const, [text, 'sunken'] as const]),
    ['on-brand', 'brand-fill'] as const,
    ['on-gold', 'gold-fill'] as const,
    ...['brand', 'gold', 'ok', 'warn', 'bad'].map((tone) => [`${tone}-ink`, `${tone}-wash`] as const),
  ];
  test.each(pairs)(`${name}: %s can be read on %s`, (text, ground) => {
    expect(contrast(theme[`--${text}`]!, theme[`--${ground}`]!)).toBeGreaterThanOrEqual(4.5);
  });

  test(`${name}: keys stand out from their keyboard`, () => {
    expect(contrast(theme['--key']!, theme['--keypad']!)).toBeGreaterThanOrEqual(1.35);
    expect(contrast(theme['--ink']!, theme['--key']!)).toBeGreaterThanOrEqual(4.5);
  });

  test.each(['ground', 'sheet', 'sunken'])(`${name}: the edge of a control stands out from %s`, (ground) => {
    expect(contrast(theme['--edge']!, theme[`--${ground}`]!)).toBeGreaterThanOrEqual(3);
  });

  const shapes = ['brand', 'brand-fill', 'area-0', 'area-1', 'area-2', 'area-3', 'area-4', 'area-5', 'seat-edge'];
  test.each(shapes)(`${name}: the shape %s stands out from the hall`, (shape) => {
    expect(contrast(theme[`--${shape}`]!, theme['--ground']!)).toBeGreaterThanOrEqual(3);
    expect(contrast(theme[`--${shape}`]!, theme['--seat']!)).toBeGreaterThanOrEqual(3);
  });
}
