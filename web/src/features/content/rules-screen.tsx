import { useQuery } from '@tanstack/react-query';
import { guidesQuery } from './get-guides';
import { Guides } from './guides';
import { PolicyPage } from './policy-page';

/** The rules of use, followed by the guides. */
export default function RulesScreen() {
  // Load the guides in parallel with the rules, although they are shown only after the rules.
  useQuery(guidesQuery);
  return (
    <PolicyPage id={2} title="使用说明">
      <Guides />
    </PolicyPage>
  );
}
