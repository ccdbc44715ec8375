"""Sends a text message with only Python's standard library, to the vendor's own address.

The program does not depend on the simulators: they are reached by
    https_proxy=http://127.0.0.1:9090 SSL_CERT_FILE=ca.pem
and the credentials are a world's environment.
"""

import hashlib
import hmac
import json
import os
import time
import urllib.request

HOST = "sms.tencentcloudapi.com"
KIND = "application/json; charset=utf-8"


def digest(key, text):
    return hmac.new(key, text.encode(), hashlib.sha256).digest()


def authorization(secret_id, secret_key, payload, now):
    """The TC3-HMAC-SHA256 signature of a call, as the vendor documents it."""
    canonical = f"POST\n/\n\ncontent-type:{KIND}\nhost:{HOST}\n\ncontent-type;host\n{hashlib.sha256(payload).hexdigest()}"
    date = time.strftime("%Y-%m-%d", time.gmtime(now))
    scope = f"{date}/sms/tc3_request"
    text = f"TC3-HMAC-SHA256\n{now}\n{scope}\n{hashlib.sha256(canonical.encode()).hexdigest()}"
    key = digest(digest(digest(("TC3" + secret_key).encode(), date), "sms"), "tc3_request")
    signature = hmac.new(key, text.encode(), hashlib.sha256).hexdigest()
    return f"TC3-HMAC-SHA256 Credential={secret_id}/{scope}, SignedHeaders=content-type;host, Signature={signature}"


env = os.environ
payload = json.dumps({
    "PhoneNumberSet": ["+8613900000003"],
    "SmsSdkAppId": env["TENCENT_SMS_APP_ID"],
    "SignName": env["TENCENT_SMS_SIGN_NAME"],
    "TemplateId": env["TENCENT_SMS_TEMPLATE_ID"],
    "TemplateParamSet": ["482913"],
}).encode()
now = int(time.time())
request = urllib.request.Request(f"https://{HOST}/", payload, {
    "Content-Type": KIND,
    "Authorization": authorization(env["TENCENTCLOUD_SECRET_ID"], env["TENCENTCLOUD_SECRET_KEY"], payload, now),
    "X-TC-Action": "SendSms",
    "X-TC-Version": "2021-01-11",
    "X-TC-Region": "ap-guangzhou",
    "X-TC-Timestamp": str(now),
})
with urllib.request.urlopen(request) as answer:
    print("status", json.load(answer)["Response"]["SendStatusSet"][0]["Code"])
