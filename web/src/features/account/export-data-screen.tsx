import './account.css';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useIdentityProof } from '../../session/use-identity-proof';
import { maskedPhone } from '../../shop/ticket-order';
import { useBack } from '../../shop/use-back';
import { useFieldErrors } from '../../shop/use-field-errors';
import { Button } from '../../ui/button';
import { copy } from '../../ui/copy';
import { NavBar } from '../../ui/nav-bar';
import { NoticeBar } from '../../ui/notice-bar';
import { type Missing, SubmitButton } from '../../ui/submit-button';
import type { Copy } from '../../wire/generated/Copy';
import { OwnCodeField } from './own-code-field';
import { exportData, securityQuery } from './security';
import { WechatProof } from './wechat-proof';

/**
 * All data that the shop has about the customer, to copy or save as JSON. The page itself shows an overview without the
 * numbers that another person who sees the screen could misuse, such as ticket codes.
 */
export default function ExportDataScreen() {
  const back = useBack();
  const { data: security } = useQuery(securityQuery);
  const errors = useFieldErrors('code');
  const { identity, prove, forget } = useIdentityProof(errors.show);
  const [code, setCode] = useState('');
  const [data, setData] = useState<Copy>();

  function missing(): Missing | undefined {
    if (security?.phone) return code === '' ? { text: '请输入验证码', field: 'code' } : undefined;
    return identity ? undefined : { text: '请先验证微信身份', field: 'wechat' };
  }

  async function submit() {
    errors.clear();
    try {
      setData(
        await exportData(
          security?.phone ? { code } : { openid: identity?.openid ?? '', yz_code: identity?.yz_code ?? '' },
        ),
      );
    } catch (failure) {
      forget();
      errors.show(failure);
    }
  }

  return (
    <>
      <NavBar title="个人信息副本" onBack={back} />
      {data ? (
        <Result data={data} />
      ) : (
        security && (
          <form
            className="mq-column mq-gap-16 mq-page"
            noValidate
            onSubmit={(event: FormEvent) => event.preventDefault()}
          >
            <NoticeBar icon="shield">副本含有您的手机号、订单和券码，请勿转发给他人。</NoticeBar>
            {security.phone ? (
              <OwnCodeField phone={security.phone} purpose="safety" value={code} {...errors.field('code', setCode)} />
            ) : (
              <WechatProof identity={identity} prove={prove} />
            )}
            <SubmitButton missing={missing()} onClick={submit}>
              获取副本
            </SubmitButton>
          </form>
        )
      )}
    </>
  );
}

function Result({ data }: { data: Copy }) {
  const json = JSON.stringify(data, null, 2);
  const file = `data:application/json;charset=utf-8,${encodeURIComponent(json)}`;
  const { account } = data;
  return (
    <div className="mq-column mq-gap-16 mq-page">
      <Part
        title="账号"
        rows={[
          { name: '账号编号', value: String(account.id) },
          { name: '手机号', value: maskedPhone(account.phone) || '未绑定' },
          { name: '微信', value: account.wechat_openids?.length ? '已绑定' : '未绑定' },
          { name: '注册时间', value: account.created_at },
          { name: '生成时间', value: data.made_at },
        ]}
      />
      <Part
        title={`福利卡 ${data.cards.length} 张`}
        rows={data.cards.map((card) => ({
          name: card.type,
          note: `尾号${card.number.slice(-4)}`,
          value: `${card.points} 点`,
        }))}
      />
      <Part
        title={`订单 ${data.orders.length} 笔`}
        rows={data.orders.map((order) => ({
          name: order.title,
          note: order.created_at,
          value: `¥${order.total}`,
        }))}
      />
      <Part
        title={`登录与安全记录 ${data.events.length} 条`}
        rows={data.events.map((event) => ({
          name: eventNames[event.kind] ?? event.kind,
          note: event.address,
          value: event.at,
        }))}
      />
      <a
        className="mq-button van-button van-button--primary van-button--large van-button--block mq-center"
        href={file}
        download="personal-data.json"
      >
        下载完整副本（JSON）
      </a>
      <Button kind="text" size="large" block onClick={() => void copy(json)}>
        复制完整副本
      </Button>
    </div>
  );
}

interface Row {
  name: string;
  note?: string;
  value: string;
}

function Part({ title, rows }: { title: string; rows: Row[] }) {
  return (
    <section className="mq-column safety__text mq-card mq-gap-8 mq-text-14">
      <h2 className="mq-text-16 mq-strong">{title}</h2>
      <dl className="mq-grid mq-gap-10">
        {rows.map(({ name, note, value }, index) => (
          <div className="mq-flex mq-wrap mq-between mq-gap-12 mq-rows-0" key={index}>
            <dt>
              {name}
              {note && <small className="mq-small mq-block">{note}</small>}
            </dt>
            <dd className="mq-second">{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

const eventNames: Record<string, string> = {
  login_code: '验证码登录',
  login_app: '微信登录',
  login_link: '链接登录',
  login_device: '快捷登录',
  logout: '退出登录',
  code_refused: '验证码错误',
  code_locked: '验证码已锁定',
  password_set: '设置支付密码',
  password_changed: '修改支付密码',
  password_refused: '支付密码错误',
  password_locked: '支付密码已锁定',
  identity_bound: '绑定微信',
  device_added: '在新设备上登录',
  identity_confirmed: '绑定微信（已验证手机号）',
  identity_refused: '绑定微信失败',
  identity_unbound: '解绑微信',
  phone_changed: '更换手机号',
  phone_unbound: '解绑手机号',
  data_exported: '获取个人信息副本',
};
