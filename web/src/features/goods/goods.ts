/** Reports whether goods or a specification are sold out. */
export function isSoldOut({ stock }: { stock: number }): boolean {
  return stock <= 0;
}

/** Reports whether few pieces are left, which the page then shows. */
export function isScarce({ stock }: { stock: number }): boolean {
  return stock > 0 && stock < 10;
}

/** Reports whether the goods recharge an account, which the customer has to enter. */
export function needsAccount(goods: { type: number }): boolean {
  return goods.type === 1;
}
