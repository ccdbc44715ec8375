// Written by npm run generate from contracts/shop.openapi.json: do not edit.
import * as v from 'valibot';
import { TicketCode } from './TicketCode';
import type { components } from './shop';

export type TicketOrder = components['schemas']['TicketOrder'];
export const TicketOrder: v.GenericSchema<unknown, TicketOrder> = v.object({
  add_time: v.number(),
  cinemaaddress: v.string(),
  cinemaid: v.string(),
  cinemaname: v.string(),
  edition: v.string(),
  expiretime: v.number(),
  hidden: v.optional(v.boolean()),
  id: v.string(),
  mobile: v.string(),
  movieid: v.string(),
  movielogo: v.string(),
  moviename: v.string(),
  ord_bs: v.picklist([1]),
  order_id: v.string(),
  orderstatus: v.union([v.picklist(["C","E","F","N","P","R","S","T"]), v.picklist([0,1,2,4,7,8,11])]),
  playtime: v.number(),
  price: v.string(),
  quantity: v.number(),
  roomname: v.string(),
  seats: v.string(),
  showamount: v.string(),
  showid: v.string(),
  smscontent: v.string(),
  state_text: v.string(),
  stuck: v.boolean(),
  ticketCode: v.string(),
  ticketcodeList: v.array(TicketCode),
  type: v.picklist([1,2]),
});
