import './share-button.css';
import { Icon } from './icon';
import { type Invitation, share } from './share';

/** The button of a title bar that shares the page, or an invitation to another one. */
export function ShareButton({ title, invitation }: { title: string; invitation?: Invitation }) {
  return (
    <button type="button" className="mq-share mq-center" aria-label="分享" onClick={() => share(title, invitation)}>
      <Icon name="share" />
    </button>
  );
}
