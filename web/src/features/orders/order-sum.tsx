import { Price } from '../../ui/price';

interface OrderSumProps {
  /** 应付 before the payment, 实付 after it, 合计 for an order that was never paid. */
  name: '应付' | '实付' | '合计';
  /** Yuan with two decimals. */
  amount: string;
}

/** The sum of an order in the list of orders, at the start of the line with its buttons. */
export function OrderSum({ name, amount }: OrderSumProps) {
  return (
    <p className="order__sum mq-note">
      {name} <Price amount={amount} size="small" look="plain" />
    </p>
  );
}
