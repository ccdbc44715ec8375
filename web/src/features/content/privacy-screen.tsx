import { PolicyPage } from './policy-page';

/** The privacy policy. */
export default function PrivacyScreen() {
  return <PolicyPage id={1} title="隐私政策" />;
}
