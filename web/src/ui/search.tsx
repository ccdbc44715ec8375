import './search.css';
import { Icon } from './icon';

interface SearchProps {
  value: string;
  onChange: (value: string) => void;
  /** The placeholder, and the name of the field for screen readers. */
  placeholder: string;
  /** Called when the search key of the keyboard is pressed. */
  onSearch?: (value: string) => void;
  autoFocus?: boolean;
}

/** A search field. It reports every change at once; the caller waits for a pause before it searches. */
export function Search({ value, onChange, placeholder, onSearch, autoFocus }: SearchProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: <search> is not supported by older browsers
    <form
      className="mq-search"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        onSearch?.(value);
        // Close the keyboard, which would cover the result.
        event.currentTarget.querySelector('input')?.blur();
      }}
    >
      <Icon name="search" />
      <input
        className="mq-fill mq-ink mq-text-16"
        type="search"
        enterKeyHint="search"
        value={value}
        placeholder={placeholder}
        aria-label={placeholder}
        // biome-ignore lint/a11y/noAutofocus: only set by pages whose purpose is the search
        autoFocus={autoFocus}
        onChange={(event) => onChange(event.target.value)}
      />
      {value !== '' && (
        <button className="mq-center" type="button" aria-label="清空搜索" onClick={() => onChange('')}>
          <Icon name="close" />
        </button>
      )}
    </form>
  );
}
