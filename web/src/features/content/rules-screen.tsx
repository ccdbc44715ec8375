import { useQuery } from '@tanstack/react-query';
import { guidesQuery } from './get-guides';
import { Guides } from './guides';
import { PolicyPage } from './policy-page';

/** The rules of use, followed by the guides. */
export default function RulesScreen() {
  // Loads the guides in parallel with the rules. They are shown after the rules.
  useQuery(guidesQuery);
  return (
    <PolicyPage id={2} title="使用说明">
      <Guides />
    </PolicyPage>
  );
}
