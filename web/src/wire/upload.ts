import type * as v from 'valibot';
import { ApiError } from './api-error';
import { form, readEnvelope, token } from './client';
import type { Call, Data } from './operations';
import { session } from './session';

interface Upload {
  name: string;
  content: Blob;
  /** Called with the share of the file that is sent, 0 to 1. */
  onProgress?: ((share: number) => void) | undefined;
}

/** Milliseconds for the entire request. */
const timeout = 60_000;

/**
 * Posts a file with the session token as a multipart form, and returns the data of the answer. The success code is 200.
 * Throws an ApiError.
 */
export async function upload<P extends Call<'post'>, T extends Data<P>>(
  path: P,
  { name, content, onProgress }: Upload,
  data: v.GenericSchema<unknown, T>,
): Promise<T> {
  const body = new FormData();
  for (const [key, value] of form(token())) body.append(key, value);
  body.append(name, content);
  const by = session.token();
  return readEnvelope({ content: await send(path, body, onProgress), by }, 200, data, undefined);
}

/** Posts a body and reports its progress, which fetch does not. */
function send(path: string, body: FormData, onProgress: Upload['onProgress']): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const fail = (kind: 'network' | 'timeout' | 'http' | 'shape', code: string, message: string) =>
      reject(new ApiError(kind, code, message));
    request.open('POST', path);
    request.setRequestHeader('Accept', 'application/json');
    request.timeout = timeout;
    request.upload.onprogress = ({ lengthComputable, loaded, total }) => {
      if (lengthComputable && total > 0) onProgress?.(loaded / total);
    };
    request.onerror = () => fail('network', 'network', '网络不给力，请检查网络后重试');
    request.ontimeout = () => fail('timeout', 'timeout', '网络超时，请稍后再试');
    request.onload = () => {
      if (request.status !== 200) return fail('http', `http_${request.status}`, '请求失败');
      try {
        resolve(JSON.parse(request.responseText));
      } catch {
        fail('shape', 'shape', '请求失败');
      }
    };
    request.send(body);
  });
}
