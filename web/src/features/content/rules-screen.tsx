import { useQuery } from '@tanstack/react-query';
import { guidesQuery } from './get-guides';
import { Guides } from './guides';
import { PolicyPage } from './policy-page';

export default function RulesScreen() {
  // Asked for along with the rules, though shown once these are there.
  useQuery(guidesQuery);
  return (
    <PolicyPage id={2} title="使用说明">
      <Guides />
    </PolicyPage>
  );
}
