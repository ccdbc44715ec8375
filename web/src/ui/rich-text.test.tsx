import { fireEvent, render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { RichText } from './rich-text';

test('a picture that does not come leaves its words, or nothing', () => {
  const html = '<p>前<img src="/a.png" alt="门店地图">后</p><img src="/b.png" alt=""><img src="/c.png" alt="海报">';
  const { container } = render(<RichText html={html} />);
  for (const image of [...container.querySelectorAll('img')].slice(0, 2)) fireEvent.error(image);
  expect(container).toHaveTextContent('前门店地图后');
  expect(container.querySelectorAll('img')).toHaveLength(1);
  expect(screen.getByRole('img', { name: '海报' })).toBeInTheDocument();
});

test('every text from the back office has the style of pictures and tables, whatever page shows it', () => {
  const { container } = render(<RichText as="article" className="policy" html="<table></table>" />);
  expect(container.firstElementChild).toHaveClass('mq-rich', 'policy');
  expect(container.firstElementChild?.tagName).toBe('ARTICLE');
});
