import { type FormEvent, type ReactNode, useState } from 'react';
import * as v from 'valibot';
import { useLoginReturn } from '../../session/use-login-return';
import { Button } from '../../ui/button';
import { Field } from '../../ui/field';
import { toast } from '../../ui/toast';
import { bindCard, refuseBinding } from './bind-card';
import { useBinding } from './use-binding';

interface BindingFormProps {
  /** The placeholder of the password. */
  hint: { number: string; password: string };
  /** The keyboard: cards have digits only, coupons letters as well. */
  inputMode: 'numeric' | 'text';
  text: string;
  children?: ReactNode;
}

/** The form with the number and password of a card or coupon. */
export function BindingForm({ hint, inputMode, text, children }: BindingFormProps) {
  const bind = useBinding();
  const [before, rememberNumber] = useLoginReturn('binding', v.string());
  const [kahao, setKahao] = useState(before ?? '');
  const [pass, setPass] = useState('');

  async function submit() {
    const refused = refuseBinding({ kahao, pass });
    if (refused) return toast(refused);
    await bind(() => bindCard({ kahao: kahao.replaceAll(/\s/g, ''), pass: pass.trim() }));
  }

  return (
    <form className="bind__form" noValidate onSubmit={(event: FormEvent) => event.preventDefault()}>
      <div className="bind__fields">
        <Field
          label="卡号"
          placeholder={hint.number}
          inputMode={inputMode}
          autoCapitalize="off"
          clearable
          value={kahao}
          onChange={(typed) => {
            setKahao(typed);
            rememberNumber(typed);
          }}
        />
        <Field
          label="密码"
          placeholder={hint.password}
          type="password"
          autoComplete="off"
          clearable
          value={pass}
          onChange={setPass}
        />
      </div>
      <Button kind="primary" size="large" block type="submit" onClick={submit}>
        {text}
      </Button>
      {children}
    </form>
  );
}
