/** Kinds of halls as cinemas write them in the names of their halls, the most particular first. */
const kinds: readonly (readonly [RegExp, string])[] = [
  [/imax/i, 'IMAX'],
  [/杜比|dolby/i, '杜比'],
  [/cinity/i, 'CINITY'],
  [/4d/i, '4D'],
  [/巨幕/, '巨幕'],
  [/激光/, '激光'],
  [/vip|贵宾/i, 'VIP'],
  [/情侣/, '情侣'],
  [/沙发|躺/, '沙发'],
  [/儿童|亲子/, '亲子'],
];

/** What a hall is known for, by its name: IMAX, 激光; undefined if its name does not say. */
export function hallTag(hall: string): string | undefined {
  return kinds.find(([kind]) => kind.test(hall))?.[1];
}
