/** Kinds of halls as they are written in the names of halls, the most specific first. */
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

/** The kind of a hall by its name: IMAX, 激光; undefined if the name does not contain one. */
export function hallTag(hall: string): string | undefined {
  return kinds.find(([kind]) => kind.test(hall))?.[1];
}
