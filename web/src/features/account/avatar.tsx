import { useQueryClient } from '@tanstack/react-query';
import { type ChangeEvent, useState } from 'react';
import { customerMessage } from '../../api/api-error';
import { Icon } from '../../ui/icon';
import { Picture } from '../../ui/picture';
import { toast } from '../../ui/toast';
import { uploadAvatar } from './upload-avatar';

/** The customer's picture; tapping it chooses another. */
export function Avatar({ img }: { img: string }) {
  const queries = useQueryClient();
  const [busy, setBusy] = useState(false);

  async function choose({ target }: ChangeEvent<HTMLInputElement>) {
    const file = target.files?.[0];
    // The same file may be chosen again after a failure.
    target.value = '';
    if (!file) return;
    setBusy(true);
    try {
      await uploadAvatar(file);
      toast.ok('修改头像成功');
      await queries.invalidateQueries({ queryKey: ['member'] });
    } catch (failure) {
      toast(customerMessage(failure));
    } finally {
      setBusy(false);
    }
  }

  return (
    <label className="avatar" aria-busy={busy}>
      <Picture src={img} alt="" ratio="1" width={64} round fallback="mine" eager />
      <span className="avatar__edit" aria-hidden="true">
        <Icon name="image" />
      </span>
      <input
        type="file"
        accept="image/png,image/jpeg"
        className="mq-hidden"
        aria-label="更换头像"
        disabled={busy}
        onChange={choose}
      />
    </label>
  );
}
