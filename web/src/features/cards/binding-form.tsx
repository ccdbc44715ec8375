import { type FormEvent, type ReactNode, useState } from 'react';
import * as v from 'valibot';
import { useLoginReturn } from '../../session/use-login-return';
import { Checkbox } from '../../ui/checkbox';
import { Field } from '../../ui/field';
import { SubmitButton } from '../../ui/submit-button';
import { bindCard, readBinding, validateBinding } from './bind-card';
import { useBinding } from './use-binding';

interface BindingFormProps {
  /** The placeholders of the two fields. */
  hint: { number: string; password: string };
  /** The keyboard for the number: `numeric` for cards, whose numbers have only digits, `text` for coupons. */
  inputMode: 'numeric' | 'text';
  text: string;
  /** Whether coupons with a single code, which is both number and password, are accepted. */
  codeOnly?: boolean;
  children?: ReactNode;
}

/**
 * The input that survives a login: the number (`kahao`), and whether it is the single code of a coupon. The password
 * has to be typed again.
 */
const Entered = v.object({ kahao: v.string(), single: v.boolean() });

/** The form with the number and password of a card or coupon. */
export function BindingForm({ hint, inputMode, text, codeOnly = false, children }: BindingFormProps) {
  const bind = useBinding();
  const [before, remember] = useLoginReturn(codeOnly ? 'coupon code' : 'card number', Entered);
  const [{ kahao, single }, setEntered] = useState(before ?? { kahao: '', single: false });
  const [typedPass, setPass] = useState('');
  const pass = single ? kahao : typedPass;
  /** The shop's error about the entered values. */
  const [error, setError] = useState<string>();

  function enter(change: Partial<v.InferOutput<typeof Entered>>) {
    const next = { kahao, single, ...change };
    setError(undefined);
    setEntered(next);
    remember(next);
  }

  async function submit() {
    setError(undefined);
    setError(await bind(() => bindCard(readBinding({ kahao, pass }))));
  }

  return (
    <form className="mq-column mq-gap-16" noValidate onSubmit={(event: FormEvent) => event.preventDefault()}>
      <div className="mq-cells">
        <Field
          label="卡号"
          name="number"
          placeholder={hint.number}
          inputMode={inputMode}
          autoCapitalize={inputMode === 'text' ? 'characters' : 'off'}
          clearable
          value={kahao}
          onChange={(typed) => enter({ kahao: typed })}
          error={single ? error : undefined}
        />
        {!single && (
          <Field
            label="密码"
            name="password"
            placeholder={hint.password}
            type="password"
            autoComplete="off"
            clearable
            value={typedPass}
            onChange={(typed) => {
              setPass(typed);
              setError(undefined);
            }}
            error={error}
          />
        )}
      </div>
      {codeOnly && (
        <Checkbox checked={single} onChange={(ticked) => enter({ single: ticked })}>
          只有券码，没有密码
        </Checkbox>
      )}
      <SubmitButton missing={validateBinding({ kahao, pass })} onClick={submit}>
        {text}
      </SubmitButton>
      {children}
    </form>
  );
}
