/** The URL of a map search for a cinema by its name and address, because orders do not contain its coordinates. */
export function mapAddress(cinema: { cinemaname: string; cinemaaddress: string }): string {
  const keyword = [cinema.cinemaname, cinema.cinemaaddress].filter(Boolean).join(' ');
  return `https://uri.amap.com/search?${new URLSearchParams({ keyword, src: 'marquee' })}`;
}
