import './submit-button.css';
import { useId } from 'react';
import { Button, type ButtonProps } from './button';

interface SubmitButtonProps extends Omit<ButtonProps, 'type' | 'size' | 'block' | 'disabled'> {
  /** What the form still lacks, which disables the button; undefined if it can be submitted. */
  missing: string | undefined;
}

/** The button that submits a form. While something is missing it is grey, and the line above it says what. */
export function SubmitButton({ missing, kind = 'primary', ...button }: SubmitButtonProps) {
  const id = useId();
  return (
    <div className="mq-send">
      <p id={id} className="mq-send__missing">
        {missing}
      </p>
      <Button
        {...button}
        kind={kind}
        size="large"
        block
        type="submit"
        disabled={missing !== undefined}
        aria-describedby={missing && id}
      />
    </div>
  );
}
