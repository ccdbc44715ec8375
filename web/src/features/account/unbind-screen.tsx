import './account.css';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { openIDStorage } from '../../session/openid';
import { useIsOnPage } from '../../shop/navigation';
import { paths } from '../../shop/paths';
import { useBack } from '../../shop/use-back';
import { useFieldErrors } from '../../shop/use-field-errors';
import { Button } from '../../ui/button';
import { NavBar } from '../../ui/nav-bar';
import { NoticeBar } from '../../ui/notice-bar';
import { SubmitButton } from '../../ui/submit-button';
import { toast } from '../../ui/toast';
import { OwnCodeField } from './own-code-field';
import { securityQuery, unbindPhone, unbindWechat } from './security';

type Subject = { title: string; notice: string; unbind: (code: string, openid?: string) => Promise<unknown> };

const subjects: Record<'phone' | 'wechat', Subject> = {
  phone: {
    title: '解绑手机号',
    notice: '解绑后只能用微信登录；购票、设置支付密码需要先绑定新的手机号。该号码再次登录将创建新账号。',
    unbind: unbindPhone,
  },
  wechat: {
    title: '解绑微信',
    notice: '解绑后不能再用微信快捷登录和微信支付，重新绑定后可恢复。福利卡和订单不受影响。',
    unbind: unbindWechat,
  },
};

/** Removes the phone (`what=phone`) or the identity in the messaging app (`what=wechat`) from the account. */
export default function UnbindScreen() {
  const back = useBack();
  const navigate = useNavigate();
  const isOnPage = useIsOnPage();
  const queries = useQueryClient();
  const [query] = useSearchParams();
  const what = query.get('what') === 'phone' ? 'phone' : 'wechat';
  const { title, notice, unbind } = subjects[what];
  const { data: security } = useQuery(securityQuery);
  const [code, setCode] = useState('');
  const errors = useFieldErrors('code');

  async function submit() {
    errors.clear();
    const openid = query.get('openid') ?? undefined; // undefined removes all identities
    try {
      await unbind(code, openid);
      if (what === 'wechat' && (openid === undefined || openid === openIDStorage.get())) openIDStorage.remove();
      toast.ok('解绑成功');
      void queries.invalidateQueries({ queryKey: ['member'] });
      if (isOnPage()) navigate(paths.accountSecurity(), { replace: true });
    } catch (failure) {
      errors.show(failure);
    }
  }

  return (
    <>
      <NavBar title={title} onBack={back} />
      {security && (
        <form
          className="mq-column mq-gap-16 mq-page"
          noValidate
          onSubmit={(event: FormEvent) => event.preventDefault()}
        >
          <NoticeBar icon="shield">{notice}</NoticeBar>
          {security.phone === '' ? (
            <>
              <p className="login__hint mq-small">请先绑定手机号，再解除绑定，否则账号将无法登录。</p>
              <Button kind="primary" size="large" block onClick={() => navigate(paths.changePhone())}>
                绑定手机号
              </Button>
            </>
          ) : (
            <>
              <OwnCodeField phone={security.phone} purpose="safety" value={code} {...errors.field('code', setCode)} />
              <SubmitButton
                kind="default"
                missing={code === '' ? { text: '请输入验证码', field: 'code' } : undefined}
                onClick={submit}
              >
                确认解绑
              </SubmitButton>
            </>
          )}
        </form>
      )}
    </>
  );
}
