import { PolicyPage } from './policy-page';

export default function RulesScreen() {
  return <PolicyPage id={2} title="使用说明" />;
}
