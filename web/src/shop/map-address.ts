/** The address of a map search for the cinema, by name and address, because the shop does not know its position. */
export function mapAddress(cinema: { cinemaname: string; cinemaaddress: string }): string {
  const keyword = [cinema.cinemaname, cinema.cinemaaddress].filter(Boolean).join(' ');
  return `https://uri.amap.com/search?${new URLSearchParams({ keyword, src: 'marquee' })}`;
}
