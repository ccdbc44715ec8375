import './search.css';
import { Icon } from './icon';

interface SearchProps {
  value: string;
  onChange: (value: string) => void;
  /** The placeholder, and the name of the field for screen readers. */
  placeholder: string;
  /** Called when the search is asked for at once, by the key of the keyboard. */
  onSearch?: (value: string) => void;
  autoFocus?: boolean;
}

/** A search field. It reports every change at once; the caller debounces. */
export function Search({ value, onChange, placeholder, onSearch, autoFocus }: SearchProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: <search> is younger than the browsers people have
    <form
      className="mq-search"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        onSearch?.(value);
        // The keyboard leaves the result uncovered.
        event.currentTarget.querySelector('input')?.blur();
      }}
    >
      <Icon name="search" />
      <input
        type="search"
        enterKeyHint="search"
        value={value}
        placeholder={placeholder}
        aria-label={placeholder}
        // biome-ignore lint/a11y/noAutofocus: only a page that exists to be searched asks for it
        autoFocus={autoFocus}
        onChange={(event) => onChange(event.target.value)}
      />
      {value !== '' && (
        <button type="button" aria-label="清空搜索" onClick={() => onChange('')}>
          <Icon name="close" />
        </button>
      )}
    </form>
  );
}
