import './bind.css';
import { useBack } from '../../shop/use-back';
import { NavBar } from '../../ui/nav-bar';
import { NoticeBar } from '../../ui/notice-bar';
import { BindingForm } from './binding-form';

/** The page to bind a voucher by number and password, or by its single code. */
export default function CouponCodeScreen() {
  const back = useBack();
  return (
    <>
      <NavBar title="券码绑定" onBack={back} />
      <div className="mq-column mq-gap-16 mq-page">
        <NoticeBar tone="plain" icon="ticket">
          请输入券面上的卡号与密码；只有券码时，勾选后填写一次即可。
        </NoticeBar>
        <BindingForm
          hint={{ number: '请输入卡号', password: '请输入密码' }}
          inputMode="text"
          text="立即绑定"
          codeOnly
        />
      </div>
    </>
  );
}
