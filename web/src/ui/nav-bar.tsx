import './nav-bar.css';
import { type ReactNode, useEffect } from 'react';
import { Icon } from './icon';

interface NavBarProps {
  title: string;
  /** Called by the back arrow, which is shown only if this is set. */
  onBack?: () => void;
  right?: ReactNode;
}

/**
 * The bar at the top of a page. It is sticky, and its title is the page's h1.
 *
 * The messaging app (class `in-app` of the document) draws its own bar with the title of the document and a back arrow,
 * so this bar is hidden there. Only what the messaging app's bar does not have is shown: `right`, and a back button if
 * the visit started on this page, because the messaging app's arrow would then close this app.
 */
export function NavBar({ title, onBack, right }: NavBarProps) {
  const inApp = document.documentElement.classList.contains('in-app');
  useEffect(() => {
    if (inApp) document.title = title;
  }, [inApp, title]);
  if (inApp) {
    const began = !(Number(window.history.state?.idx) > 0);
    return (
      <header className="mq-nav-in-app mq-row mq-between">
        <h1 className="mq-hidden">{title}</h1>
        {onBack && began && (
          <button
            type="button"
            className="mq-nav-in-app__back mq-row mq-touch mq-gap-2 mq-second mq-text-14"
            onClick={onBack}
          >
            <Icon name="back" />
            返回
          </button>
        )}
        {right && <div className="mq-nav-in-app__right mq-push mq-text-14">{right}</div>}
      </header>
    );
  }
  return (
    <header className="van-nav-bar mq-nav mq-frosted">
      <div className="van-nav-bar__content">
        {onBack && (
          <div className="van-nav-bar__left">
            <button type="button" className="mq-nav__side mq-center" aria-label="返回" onClick={onBack}>
              <Icon name="back" />
            </button>
          </div>
        )}
        <h1 className="van-nav-bar__title mq-ellipsis">{title}</h1>
        {right !== undefined && <div className="van-nav-bar__right">{right}</div>}
      </div>
    </header>
  );
}
