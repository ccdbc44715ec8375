import './submit-button.css';
import { type MouseEvent, useId } from 'react';
import { Button, type ButtonProps } from './button';
import { toast } from './toast';

/** What a form lacks before it can be submitted. */
export interface Missing {
  text: string;
  /** The name of the form element that is empty or invalid. */
  field: string;
}

interface SubmitButtonProps extends Omit<ButtonProps, 'type' | 'size' | 'block' | 'disabled'> {
  /** Undefined if the form can be submitted. */
  missing: Missing | undefined;
}

/**
 * The button that submits a form. While something is missing it is gray, and the line above it says what is missing. It
 * is not disabled: a press, or Enter in a field, shows that line as a toast and moves the focus to the field.
 */
export function SubmitButton({ missing, kind = 'primary', onClick, ...button }: SubmitButtonProps) {
  const id = useId();

  function showMissing({ text, field }: Missing, { currentTarget }: MouseEvent<HTMLButtonElement>) {
    toast(text);
    const element = currentTarget.form?.elements.namedItem(field);
    if (element instanceof HTMLElement) element.focus();
  }

  return (
    <div className="mq-column mq-gap-8">
      <p id={id} className="mq-send__missing mq-small">
        {missing?.text}
      </p>
      <Button
        {...button}
        kind={kind}
        size="large"
        block
        type="submit"
        aria-disabled={missing ? true : undefined}
        aria-describedby={missing && id}
        onClick={missing ? (event) => showMissing(missing, event) : onClick}
      />
    </div>
  );
}
