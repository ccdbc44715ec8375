import gateway from '../../contracts/examples/gateway.json';
import newmovie from '../../contracts/examples/newmovie.json';
import type { SeatMap, ShowingSeats } from '../src/wire/generated/shop';

/** The answer of the legacy gateway with a small hall: two rows, two areas, one couples seat, one sold seat. */
export function legacyAnswer(): ShowingSeats {
  const hall = gateway['/movie/route method=opi.seat opiid=o1'];
  const seat = (seatid: string, name: string, row: number, column: number, area: string, status = 1, flag = 0) => ({
    ...hall.seatList[0]!,
    seatid,
    name,
    row,
    column,
    rowname: String(row),
    area,
    status,
    flag,
  });
  return {
    opi: {
      ...hall.opi,
      opiid: 'o1',
      cinemaid: 'c1',
      cinemaname: '星海影城',
      movieid: 'm1',
      moviecode: 'mc1',
      moviename: '长安夜未央',
      poster: '',
      playdate: '2026-05-01',
      playtime: '2026-05-01 19:30:00',
      endtime: '2026-05-01 21:40:00',
      closetime: '2026-05-01 19:15:00',
      edition: 'IMAX',
      language: '国语',
      roomname: '3号厅',
      showPrice: 6900,
      price: 4290,
      areaPrice: 'A:3990,B:5990',
    },
    seatList: [
      seat('s11', '1排1座', 1, 1, 'A'),
      seat('s12', '1排2座', 1, 2, 'A', 0),
      seat('s13', '1排3座', 1, 3, 'A'),
      seat('s14', '1排4座', 1, 4, 'A'),
      seat('s15', '1排5座', 1, 5, 'A'),
      seat('s21', '2排1座', 2, 1, 'B', 1, 1),
      seat('s22', '2排2座', 2, 2, 'B', 1, 2),
      seat('s23', '2排3座', 2, 3, 'B'),
      seat('s24', '2排4座', 2, 4, ''),
    ],
  };
}

/** The answer of newmovie with a small hall: an aisle in the first row, two areas, one couples seat. */
export function newAnswer(): SeatMap {
  const hall = newmovie['/newmovie/seat/map sessionId=o1'];
  const column = (originSeatID: string, seatName: string, areaId: string, price: string, type = 1, state = 1) => ({
    ...hall.rows[0]!.columns[0]!,
    state,
    type,
    colNum: seatName.slice(-2, -1),
    areaId,
    originSeatID,
    seatName,
    price,
  });
  const aisle = column('', '', '', '', 0, 0);
  return {
    session: {
      ...hall.session,
      sessionId: '9',
      showTime: '2026-05-01 19:30:00',
      endTime: '2026-05-01 21:30:00',
      version: '2D',
      language: '原版',
      hall: 'VIP厅',
      originPrice: '46.90',
      listPrice: '69.00',
      sellable: true,
      cinemaId: 'c2',
      cinemaCode: 'cc2',
      cinemaName: '银幕时光影城',
      movieId: 'm1',
      movieCode: 'mc1',
      movieName: '极光之下',
      posterUrl: '',
      stopSellTime: '2026-05-01 19:15:00',
    },
    rows: [
      {
        rowsId: '1',
        rowsNum: '1',
        columns: [
          column('n11', '1排1座', '1', '46.90'),
          aisle,
          column('n12', '1排2座', '1', '46.90'),
          column('n13', '1排3座', '1', '46.90', 1, 2),
        ],
      },
      {
        rowsId: '2',
        rowsNum: '2',
        columns: [
          column('n21', '2排1座', '2', '59.90', 2),
          column('n22', '2排2座', '2', '59.90', 3),
          column('n23', '2排3座', '2', '59.90'),
          aisle,
        ],
      },
    ],
    areas: [
      { areaId: '1', areaName: '普通区', originPrice: '46.90' },
      { areaId: '2', areaName: '黄金区', originPrice: '59.90' },
    ],
  };
}
