import './bind.css';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { isInApp } from '../../session/in-app';
import { signedAddress } from '../../session/js-sdk';
import { paths } from '../../shop/paths';
import { useBack } from '../../shop/use-back';
import { Button } from '../../ui/button';
import { Icon } from '../../ui/icon';
import { NavBar } from '../../ui/nav-bar';
import { Skeleton } from '../../ui/skeleton';
import { toast } from '../../ui/toast';
import { customerMessage } from '../../wire/api-error';
import { bindingGuideQuery, bindScanned } from './bind-card';
import { BindingForm } from './binding-form';
import { Guide } from './guide';
import { scanCode } from './scan';
import { useBinding } from './use-binding';

const unsupported = '抱歉，当前客户端版本不支持扫一扫';

/** The page to bind a card by number and password, or by scanning it inside the messaging app. */
export default function BindCardScreen() {
  const navigate = useNavigate();
  const back = useBack();
  const bind = useBinding();
  const queries = useQueryClient();
  const address = isInApp() ? signedAddress() : '';
  const guide = useQuery(bindingGuideQuery(address));

  async function scan() {
    if (!isInApp()) return toast(unsupported);
    try {
      const signed = await queries.ensureQueryData(bindingGuideQuery(address));
      const found = await scanCode(signed, address);
      if (found.kind === 'unsupported') {
        // The signature for the scanner may have expired, so the next attempt fetches a new one.
        void queries.invalidateQueries({ queryKey: ['binding-guide'] });
        return toast(unsupported);
      }
      if (found.kind === 'read') toast(await bind(() => bindScanned(found.content)));
    } catch (failure) {
      toast(customerMessage(failure));
    }
  }

  // The button of the scanner is above the form inside the messaging app, and below it elsewhere, where scanning does
  // not work.
  const scanner = (
    <Button className="bind__scan" block icon="scan" onClick={scan}>
      扫一扫
      <small className="mq-small mq-regular" aria-hidden="true">
        扫描卡面上的二维码或条形码
      </small>
    </Button>
  );

  return (
    <>
      <NavBar title="绑定福利卡" onBack={back} />
      <div className="mq-column mq-gap-16 mq-page">
        {isInApp() && scanner}
        <BindingForm hint={{ number: '请输入卡号', password: '请输入密码' }} inputMode="numeric" text="立即绑定" />
        {!isInApp() && scanner}
        <button
          type="button"
          className="mq-row mq-middle mq-touch mq-gap-2 mq-second mq-text-14"
          onClick={() => navigate(paths.couponCode())}
        >
          使用券码绑定
          <Icon name="forward" />
        </button>
        {guide.data ? (
          <Guide title={guide.data.single.title} html={guide.data.single.content} />
        ) : guide.isPending ? (
          <Skeleton rows={4} />
        ) : null}
      </div>
    </>
  );
}
