/** The short name of a city: 北京 for 北京市. Other names, such as 延边朝鲜族自治州, are unchanged. */
export function cityLabel(name: string): string {
  return name.replace(/^(.+)市$/, '$1');
}

/** Removes the last character, the administrative suffix, of a city's full name: 上海 for 上海市. */
export function locatedName(name: string): string {
  return name.slice(0, -1);
}
