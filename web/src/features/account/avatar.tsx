import { useQueryClient } from '@tanstack/react-query';
import { Icon } from '../../ui/icon';
import { Picture } from '../../ui/picture';
import { toast } from '../../ui/toast';
import { Uploader } from '../../ui/uploader';
import { customerMessage } from '../../wire/api-error';
import { squarePicture } from './square-picture';
import { uploadAvatar } from './upload-avatar';

const imageTypes = ['image/png', 'image/jpeg'];
/** The size of the largest picture in bytes. The server's limit is higher, because it applies to the entire request. */
const maxBytes = 5 * 1024 * 1024;
/** The server has the same messages for these errors. */
const errors = { kind: '请上传 JPG 或 PNG 格式的图片', size: '图片过大，请换一张' };

/** The customer's picture. A tap chooses and uploads another one. */
export function Avatar({ img }: { img: string }) {
  const queries = useQueryClient();

  async function send(file: File, progress: (share: number) => void) {
    const picture = await squarePicture(file);
    if (picture.size > maxBytes) return toast(errors.size);
    try {
      await uploadAvatar(picture, progress);
      await queries.invalidateQueries({ queryKey: ['member'] });
      toast.ok('修改头像成功');
    } catch (failure) {
      toast(customerMessage(failure));
    }
  }

  return (
    <Uploader
      label="更换头像"
      className="mq-pill"
      accept={imageTypes}
      onWrongKind={() => toast(errors.kind)}
      onPick={send}
    >
      {(preview) => (
        <>
          <Picture src={preview ?? img} alt="" ratio="1" width={64} round fallback="mine" eager />
          <span className="avatar__edit mq-center mq-pill mq-sheet mq-second" aria-hidden="true">
            <Icon name="camera" />
          </span>
        </>
      )}
    </Uploader>
  );
}
