import './cards.css';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useNavigate } from 'react-router';
import { customerMessage } from '../../api/api-error';
import { paths } from '../../api/paths';
import { useBack } from '../../api/use-back';
import { Button } from '../../ui/button';
import { Field } from '../../ui/field';
import { NavBar } from '../../ui/nav-bar';
import { NoticeBar } from '../../ui/notice-bar';
import { toast } from '../../ui/toast';
import { bindCard, refuseBinding } from './bind-card';

const redirectDelay = 1000;

/** Binds a card by its number and password. */
export default function BindingCardScreen() {
  const navigate = useNavigate();
  const back = useBack();
  const queries = useQueryClient();
  const [kahao, setKahao] = useState('');
  const [pass, setPass] = useState('');

  async function submit() {
    const refused = refuseBinding({ kahao, pass });
    if (refused) return toast(refused);
    try {
      await bindCard({ kahao: kahao.replaceAll(/\s/g, ''), pass: pass.trim() });
    } catch (failure) {
      toast(customerMessage(failure));
      return;
    }
    toast.ok('绑定成功', redirectDelay);
    await Promise.all([
      queries.invalidateQueries({ queryKey: ['cards'] }),
      queries.invalidateQueries({ queryKey: ['spendable-cards'] }),
      queries.invalidateQueries({ queryKey: ['member'] }),
    ]);
    await new Promise((resolve) => setTimeout(resolve, redirectDelay));
    backTwo();
  }

  function backTwo() {
    const index: unknown = window.history.state?.idx;
    // A visit that began here, or one page before, has no two pages of ours to go back over.
    if (typeof index === 'number' && index < 2) navigate(paths.me(), { replace: true });
    else navigate(-2);
  }

  return (
    <>
      <NavBar title="绑定福利卡" onBack={back} />
      <form className="bind" noValidate onSubmit={(event: FormEvent) => event.preventDefault()}>
        <NoticeBar icon="card">请输入卡背面的卡号与密码进行绑定。</NoticeBar>
        <div className="bind__fields">
          <Field
            label="卡号"
            placeholder="请输入卡号"
            inputMode="numeric"
            clearable
            value={kahao}
            onChange={setKahao}
            action={
              <button
                type="button"
                className="bind__scan"
                aria-label="扫一扫"
                onClick={() => toast('抱歉，当前客户端版本不支持扫一扫')}
              >
                扫一扫
              </button>
            }
          />
          <Field
            label="密码"
            placeholder="请输入密码"
            type="password"
            autoComplete="off"
            clearable
            value={pass}
            onChange={setPass}
          />
        </div>
        <Button kind="primary" size="large" block type="submit" onClick={submit}>
          立即绑定
        </Button>
      </form>
    </>
  );
}
