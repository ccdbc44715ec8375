import { dayLabel } from '../../shop/time';
import { Tabs } from '../../ui/tabs';

interface DayTabsProps {
  days: readonly string[];
  day: string;
  onChange: (day: string) => void;
  /** Unix seconds, by the shop's clock. */
  now: number;
  children: React.ReactNode;
}

/** A tab for each day that has showings. */
export function DayTabs({ days, day, onChange, now, children }: DayTabsProps) {
  return (
    <Tabs
      items={days.map((key) => {
        const { name, date } = dayLabel(key, now);
        return { key, title: `${name} ${date}` };
      })}
      active={day}
      onChange={onChange}
      label="日期"
    >
      {children}
    </Tabs>
  );
}
