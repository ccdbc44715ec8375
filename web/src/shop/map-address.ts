/** The address of a map that finds the cinema. The shop knows its name and address, not its position. */
export function mapAddress(cinema: { cinemaname: string; cinemaaddress: string }): string {
  const keyword = [cinema.cinemaname, cinema.cinemaaddress].filter(Boolean).join(' ');
  return `https://uri.amap.com/search?${new URLSearchParams({ keyword, src: 'marquee' })}`;
}
