/** Reports whether nothing is left of goods or of a specification. */
export function isSoldOut({ stock }: { stock: number }): boolean {
  return stock <= 0;
}

/** Reports whether so few pieces are left that a buyer should know. */
export function isScarce({ stock }: { stock: number }): boolean {
  return stock > 0 && stock < 10;
}

/** Reports whether the goods recharge an account, which the customer has to name. */
export function needsAccount(goods: { type: number }): boolean {
  return goods.type === 1;
}
