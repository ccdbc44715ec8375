import './table.css';
import type { ReactNode } from 'react';
import { Scroll } from './panel';

/** Rows under named columns. Where the screen is narrow it scrolls by itself. */
export function Table({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Scroll label={label}>
      <table>{children}</table>
    </Scroll>
  );
}
