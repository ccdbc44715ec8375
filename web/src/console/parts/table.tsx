import './table.css';
import type { ReactNode } from 'react';
import { Scroll } from './panel';

/** A table that scrolls sideways if the screen is narrow. */
export function Table({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Scroll label={label}>
      <table>{children}</table>
    </Scroll>
  );
}
