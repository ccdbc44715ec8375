import './share-button.css';
import { Icon } from './icon';
import { share } from './share';

/** The button of a title bar that shares the page. */
export function ShareButton({ title }: { title: string }) {
  return (
    <button type="button" className="mq-share" aria-label="分享" onClick={() => share(title)}>
      <Icon name="share" />
    </button>
  );
}
