// Sends a text message with the vendor's own SDK for Node, to the address that it contains:
// https://sms.tencentcloudapi.com. The program does not depend on the simulators. Environment variables redirect it:
//   http_proxy=http://127.0.0.1:9090 NODE_EXTRA_CA_CERTS=ca.pem
// The credentials are the environment variables of a world, as GET /sim/v1/catalogue lists them.
import { sms } from 'tencentcloud-sdk-nodejs-sms'

const env = process.env
const client = new sms.v20210111.Client({
  credential: { secretId: env.TENCENTCLOUD_SECRET_ID, secretKey: env.TENCENTCLOUD_SECRET_KEY },
  region: 'ap-guangzhou',
})
const answer = await client.SendSms({
  PhoneNumberSet: ['+8613900000002'],
  SmsSdkAppId: env.TENCENT_SMS_APP_ID,
  SignName: env.TENCENT_SMS_SIGN_NAME,
  TemplateId: env.TENCENT_SMS_TEMPLATE_ID,
  TemplateParamSet: ['482913'],
})
console.log('status', answer.SendStatusSet[0].Code)

// The delivery report is available some seconds later.
let reports = []
for (let i = 0; i < 100 && reports.length === 0; i++) {
  await new Promise((resolve) => setTimeout(resolve, 100))
  const pulled = await client.PullSmsSendStatus({ SmsSdkAppId: env.TENCENT_SMS_APP_ID, Limit: 10 })
  reports = pulled.PullSmsSendStatusSet
}
console.log('report', reports[0]?.ReportStatus)
